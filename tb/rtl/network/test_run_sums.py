"""Checks the sums of a block's nodes against the tree over the numbers of tuples."""

import random

import pytest

from rtl.float.format import DOUBLE, HALF, SINGLE
from rtl.network.nodes import NodePlan
from rtl.network.run_sums import RunSums
from rtl.network.sum_steps import sum_steps
from tb.bench.unit import run_streams
from tb.rtl.network.node_values import drawn, node_sums

REGRESS = pytest.mark.regress
RUN = 5


def drawn_block(rng, plan):
    """Returns the number of a block's first tuple, and its runs: (value, times)."""
    remaining, runs = rng.choice((0, 1, plan.block, rng.randint(1, plan.block))), []
    value = drawn(rng, plan.format_)
    stays = rng.choice((0.0, 0.5, 0.9))
    while remaining:
        times = min(remaining, rng.randint(0, RUN))
        runs.append((value, times))
        remaining -= times
        if rng.random() >= stays:
            value = drawn(rng, plan.format_)
    return rng.randrange(1 << plan.begin_bits), runs or [(value, 0)]


def in_turn(blocks, rng):
    """Returns the beats of blocks in slots 0 and 1; a slot's next block begins as a decoder's may.

    Beats of two blocks mix, and a block begins when the second last block has ended.
    """
    beats, pending, slots = [], list(enumerate(blocks)), {}
    while pending or slots:
        if pending and pending[0][0] % 2 not in slots:
            k, (begin, runs) = pending.pop(0)
            slots[k % 2] = [
                {"value": v, "times": t, "last": n == len(runs) - 1, "slot": k % 2, "begin": begin}
                for n, (v, t) in enumerate(runs)
            ]
        slot = rng.choice(list(slots))
        beats.append(slots[slot].pop(0))
        if not slots[slot]:
            del slots[slot]
    return beats


@pytest.mark.in_turn
@pytest.mark.parametrize(
    "stalls", [(0.0, 0.0), (0.3, 0.4), pytest.param((0.0, 0.95), marks=REGRESS)], ids=str
)
@pytest.mark.parametrize(
    ("format_", "block", "count"),
    [
        (HALF, 20, 100),
        (HALF, 4, 60),
        pytest.param(SINGLE, 64, 30, marks=REGRESS),
        (DOUBLE, 511, 4),
    ],
    ids=str,
)
def test_nodes_are_those_of_the_values(format_, block, count, stalls):
    rng = random.Random(f"{format_} {block} {stalls}")
    plan = NodePlan(format_=format_, block=block, tuples=block)
    blocks = [drawn_block(rng, plan) for _ in range(count)]
    dut, (stall_in, stall_out) = RunSums(plan, RUN), stalls
    run = run_streams(
        dut,
        {"i": in_turn(blocks, rng)},
        {"o": len(blocks)},
        stall_in=stall_in,
        stall_out=stall_out,
        seed=1,
    )
    for received, (begin, runs) in zip(run["o"].payloads, blocks, strict=True):
        values = [value for value, times in runs for _ in range(times)]
        for side, level, bits in node_sums(plan, begin, values):
            assert received[side][level] == bits, (begin, runs, side, level)


def test_by_hand():
    """Tuples 3 to 9 with the values 5 5 5 7 7 7 7."""
    five, seven, fourteen, twenty_four = 0x4500, 0x4700, 0x4B00, 0x4E00
    plan = NodePlan(format_=HALF, block=7, tuples=7)
    runs = [(five, 3, 0), (seven, 4, 1)]
    beats = [
        {"value": value, "times": times, "last": last, "slot": 0, "begin": 3}
        for value, times, last in runs
    ]
    run = run_streams(RunSums(plan, RUN), {"i": beats}, {"o": 1})
    nodes = run["o"].payloads[0]
    assert (nodes["left"][0], nodes["right"][2], nodes["right"][1]) == (
        five,
        twenty_four,
        fourteen,
    )


def test_latency():
    plan = NodePlan(format_=HALF, block=20, tuples=20)
    beat = {"value": 0x3C00, "times": 1, "last": 1, "slot": 0, "begin": 6}
    dut = RunSums(plan, RUN)
    run = run_streams(dut, {"i": [beat]}, {"o": 1})
    assert run["o"].cycles == [run["i"].cycles[0] + dut.latency]


def test_rate():
    """The adder takes a level of an item in every cycle, whatever the runs."""
    rng = random.Random(5)
    plan = NodePlan(format_=HALF, block=60, tuples=60)
    blocks = [drawn_block(rng, plan) for _ in range(60)]
    run = run_streams(RunSums(plan, RUN), {"i": in_turn(blocks, rng)}, {"o": len(blocks)})
    levels = 0
    for begin, runs in blocks:
        values = [value for value, times in runs for _ in range(times)]
        levels += sum_steps(values, plan.top, begin)
    beats = sum(len(runs) for _, runs in blocks)
    assert levels > beats + len(blocks)
    assert run["o"].cycles[-1] - run["i"].cycles[0] <= 1.15 * levels + 60
