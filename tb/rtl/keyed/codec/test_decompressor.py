"""States of blocks that are decoded at once, against the plain model."""

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


def asked(rng):
    """Blocks that the decoder is asked for, and of each the values that are wanted."""
    inputs, wanted = [], []
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
            wanted.append(numbers[skip:])
    return inputs, wanted


@pytest.mark.parametrize("stall", [0, 0.4, 0.9])
def test_states_are_those_of_the_values(stall):
    """In every cycle one when nothing stalls; and with an output that mostly does, none is lost."""
    inputs, wanted = asked(random.Random(3))
    dut = Decompressor(BaseDelta(32), FOLD, 8)
    ways = {"stall_in": 0 if stall == 0.9 else stall, "stall_out": stall}
    run = run_streams(dut, {"i": inputs}, {"o": len(wanted)}, **ways, seed=4)
    for got, told, values in zip(run["o"].payloads, inputs, wanted, strict=True):
        assert got["last"] == told["last"]
        assert got["passenger"]["passenger"] == told["passenger"]["passenger"]
        assert got["passenger"]["error"] == 0
        assert got["valid"] == bool(values)
        state = got["tuples"][0]
        assert state["values"] == len(values)
        if values:
            found = [state[name]["value"] for name in ("r0", "r1", "r2")]
            assert found == [max(values), len(values), sum(values)]
    assert len(inputs) > 40
    if not stall:
        assert run["i"].cycles == list(range(len(inputs)))
        assert run["o"].cycles == [cycle + dut.latency for cycle in run["i"].cycles]
