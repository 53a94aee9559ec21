"""Checks the states and the feedback of a pool of decoders of chains by the plain model."""

import random
from dataclasses import replace

import pytest
from amaranth.hdl import signed
from amaranth.lib import data

from rtl.aggregate.count import Count
from rtl.aggregate.max import Max
from rtl.aggregate.min import Min
from rtl.aggregate.neighbours import Neighbours
from rtl.aggregate.operator import pivot_member
from rtl.aggregate.sum import Sum
from rtl.keyed.codec.chained.chain_decoder import ChainDecoder
from rtl.keyed.codec.chained.chain_pool import ChainPool
from rtl.keyed.codec.fold import Fold
from rtl.keyed.codec.xor_chained import CHAIN, XorChained
from tb.bench.unit import run_streams
from tb.rtl.keyed.codec.chained.chained_windows import damage, windows

BITS = 14
PASSENGER = data.StructLayout({"m3": 1, "number": 8})


def fold_of(width, decoders):
    """Returns the fold of signed values."""
    shape = signed(width)
    operators = Min("x", shape), Max("x", shape), Count(BITS), Sum("x", shape, BITS)
    row = data.StructLayout({"x": shape})
    return Fold(row=row, operators=operators, tuples=9000, decoders=decoders, chain=CHAIN)


def expected_state(values, width):
    """Returns the state of values, as signed numbers."""
    numbers = [v - (v >> width - 1 << width) for v in values]
    return {
        "r0": min(numbers),
        "r1": max(numbers),
        "r2": len(numbers),
        "r3": sum(numbers),
        "values": len(numbers),
    }


def plain(state):
    """Returns a state as a dict of numbers."""
    return {
        name: next(iter(dict(part).values())) if hasattr(part, "items") else part
        for name, part in state.items()
    }


def check(width, decoders, seed, stall, generated):
    """Runs windows through a pool, and checks each chain's state and each window's feedback.

    Returns the number of errors.
    """
    inputs = [one for window in generated for one in window.inputs]
    chains = sum(len(window.chains) for window in generated)
    run = run_streams(
        ChainPool(ChainDecoder, XorChained(width), fold_of(width, decoders), PASSENGER, 6),
        {"i": inputs},
        {"o": chains, "feedback": None},
        stall_in=stall,
        stall_out={"o": stall},
        idle_timeout=20_000,  # a long chain takes thousands of steps, and the others wait for it
        max_cycles=400_000,
        seed=seed,
    )
    lines, fed, errors = iter(run["o"].payloads), iter(run["feedback"].payloads), 0
    for number, window in enumerate(generated):
        for index, values in enumerate(window.chains):
            line, blocks = next(lines), window.blocks_of(index)
            assert line["passenger"]["passenger"] == blocks[-1]["passenger"]
            from_m3 = [b["count"] - b["skip"] for b in blocks if b["passenger"]["m3"]]
            assert line["passenger"]["m3_values"] == sum(from_m3)
            if index == window.broken:
                has_values = any(block["count"] > block["skip"] for block in blocks)
                assert line["passenger"]["error"] == line["valid"] == has_values
                errors += has_values
                continue
            assert not line["passenger"]["error"]
            assert line["valid"] == bool(values)
            if values:
                assert plain(line["tuples"][0]) == expected_state(values, width)
        assert line["last"]
        feedback = next(fed)
        assert feedback["place"] == number % 64
        if window.lost:
            assert not feedback["start"]["known"]
        elif window.start is not None:
            assert feedback["start"]["known"]
            assert feedback["start"]["seed"] == window.start
    assert next(fed, None) is None
    return errors


POINTS = [(64, 3, 0.3, 14), (64, 2, 0.3, 60), (32, 1, 0, 15), (64, 4, 0, 60), (32, 2, 0.4, 40)]


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("width", "decoders", "stall", "count"),
    [pytest.param(*p, marks=() if p is POINTS[0] else pytest.mark.regress) for p in POINTS],
)
def test_states_and_feedback_are_those_of_the_model(width, decoders, stall, count):
    seed = width + decoders
    check(width, decoders, seed, stall, windows(width, count, seed))


@pytest.mark.in_turn
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.regress)])
def test_damage_is_an_error_of_its_chain_alone(seed):
    """After damage the chain has an error, if the window has values of it, and no known state."""
    rng, generated = random.Random(seed), windows(32, 20, seed, longest=6)
    damaged = [window for window in generated if damage(window, rng)]
    lost = sum(window.lost for window in damaged)
    assert 2 < lost < len(damaged)
    assert check(32, 2, seed, 0.2, generated) > 2


def test_a_fold_of_single_blocks_is_refused():
    fold = fold_of(32, 1)
    with pytest.raises(ValueError, match="chain of the fold must be 16, not 1"):
        ChainPool(ChainDecoder, XorChained(32), replace(fold, chain=1), PASSENGER)


@pytest.mark.in_turn
def test_values_of_blocks_that_are_sent_again_count_once():
    """With pivots only blocks that are sent for the first time count, also in long chains."""
    rng = random.Random(5)
    fold = fold_of(32, 2)
    median = Neighbours("x", signed(32), tuples=fold.tuples, pivot=pivot_member(0))
    fold = replace(fold, operators=(*fold.operators, median), pivots=1)
    passenger = data.StructLayout({**PASSENGER.members, "pivots": fold.pivot_layout, "again": 1})
    generated = windows(32, 16, 5, longest=6)
    inputs = [one for window in generated for one in window.inputs]
    for one in inputs:
        one["passenger"] |= {"pivots": [7], "again": rng.random() < 0.5}
    lines = run_streams(
        ChainPool(ChainDecoder, XorChained(32), fold, passenger, 6),
        {"i": inputs},
        {"o": sum(len(window.chains) for window in generated), "feedback": None},
        idle_timeout=20_000,
        max_cycles=400_000,
    )["o"].payloads
    chains = [w.blocks_of(k) for w in generated for k in range(len(w.chains))]
    mixed = 0
    for line, blocks in zip(lines, chains, strict=True):
        new = [block for block in blocks if not block["passenger"]["again"]]
        from_m3 = [block for block in new if block["passenger"]["m3"]]
        counts = [sum(b["count"] - b["skip"] for b in part) for part in (new, from_m3)]
        assert [line["passenger"][name] for name in ("new_values", "m3_values")] == counts
        mixed += 0 < len(new) < len(blocks)
    assert mixed > 3
