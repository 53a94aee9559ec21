"""Checks the states of blocks that are decoded at once by the plain model."""

import random

import pytest
from amaranth.hdl import signed
from amaranth.lib import data

from golden.codecs import base_delta as model
from golden.codecs.blocks import compress, decompress, is_coded
from rtl.aggregate.count import Count
from rtl.aggregate.max import Max
from rtl.aggregate.sum import Sum
from rtl.keyed.codec.base_delta.base_delta import BaseDelta
from rtl.keyed.codec.decompressor import Decompressor
from rtl.keyed.codec.fold import Fold
from tb.bench.unit import run_streams
from tb.golden.codecs.kinds import kinds

X = signed(32)
BITS = 10
OPERATORS = (Max("x", X), Count(BITS), Sum("x", X, BITS))
FOLD = Fold(row=data.StructLayout({"x": X}), operators=OPERATORS, tuples=600)


def blocks_of(rng):
    """Returns blocks for the decoder, and of each block the values that are not skipped."""
    inputs, expected = [], []
    for _, values in kinds(32, 500, seed=6):
        full = compress(model.BaseDelta(32), values)[:-1]
        for block in rng.sample(full, min(6, len(full))):
            numbers = [v - (v >> 31 << 32) for v in decompress(model.BaseDelta(32), block)]
            skip = rng.choice((0, 0, rng.randrange(len(numbers)), len(numbers)))
            inputs.append(
                {
                    "block": block,
                    "coded": is_coded(block),
                    "count": len(numbers),
                    "skip": skip,
                    "last": rng.randrange(2),
                    "passenger": {"passenger": len(inputs)},
                }
            )
            expected.append(numbers[skip:])
    return inputs, expected


@pytest.mark.in_turn
@pytest.mark.parametrize("stall", [0, 0.4, 0.9])
def test_states_are_those_of_the_values(stall):
    """Without stalls there is a state in every cycle; with a slow output no state is lost."""
    inputs, expected = blocks_of(random.Random(3))
    dut = Decompressor(BaseDelta(32), FOLD, 8)
    stalls = {"stall_in": 0 if stall == 0.9 else stall, "stall_out": stall}
    run = run_streams(dut, {"i": inputs}, {"o": len(expected)}, **stalls, seed=4)
    for received, sent, values in zip(run["o"].payloads, inputs, expected, strict=True):
        assert received["last"] == sent["last"]
        assert received["passenger"]["passenger"] == sent["passenger"]["passenger"]
        assert received["passenger"]["error"] == 0
        assert received["valid"] == bool(values)
        state = received["tuples"][0]
        assert state["values"] == len(values)
        if values:
            results = [state[name]["value"] for name in ("r0", "r1", "r2")]
            assert results == [max(values), len(values), sum(values)]
    assert len(inputs) > 40
    if not stall:
        assert run["i"].cycles == list(range(len(inputs)))
        assert run["o"].cycles == [cycle + dut.latency for cycle in run["i"].cycles]


@pytest.mark.in_turn
@pytest.mark.parametrize("stall", [0, 0.4])
def test_an_error_of_any_block_comes_with_the_last_line_of_its_window(stall):
    """A coded block without a value is broken; a last block may have an error of the memory."""
    rng = random.Random(9)
    inputs, _ = blocks_of(rng)
    expected, is_wrong = [], False
    for block in inputs:
        is_broken = block["coded"] and rng.random() < 0.2
        has_failed = bool(block["last"]) and rng.random() < 0.2
        block |= {"count": 0, "skip": 0} if is_broken else {}
        block["passenger"]["error"] = has_failed
        is_wrong |= is_broken or has_failed
        expected.append(bool(block["last"] and is_wrong))
        is_wrong &= not block["last"]
    dut = Decompressor(BaseDelta(32), FOLD, 8)
    outputs = {"o": len(inputs)}
    run = run_streams(dut, {"i": inputs}, outputs, stall_in=stall, stall_out=stall)
    assert [bool(line["passenger"]["error"]) for line in run["o"].payloads] == expected
    lasts = [wrong for block, wrong in zip(inputs, expected, strict=True) if block["last"]]
    assert 3 < sum(lasts) < len(lasts) - 3
