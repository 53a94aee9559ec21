"""Checks the states that a pool of serial decoders computes by the plain model."""

import random

import pytest
from amaranth.hdl import signed
from amaranth.lib import data

from golden.codecs import xor as model
from golden.codecs.blocks import compress, decompress, is_coded
from golden.codecs.symbols import BLOCK_BITS
from rtl.aggregate.avg import Avg
from rtl.aggregate.count import Count
from rtl.aggregate.max import Max
from rtl.aggregate.min import Min
from rtl.aggregate.sum import Sum
from rtl.keyed.codec.change_decoder import ChangeDecoder
from rtl.keyed.codec.decoder_pool import DecoderPool
from rtl.keyed.codec.fold import Fold
from rtl.keyed.codec.xor import Xor
from tb.bench.unit import run_streams
from tb.golden.codecs.kinds import kinds

X = signed(32)
BITS = 10
OPERATORS = (Min("x", X), Max("x", X), Count(BITS), Sum("x", X, BITS), Avg("x", X, BITS))
FOLD = Fold(row=data.StructLayout({"x": X}), operators=OPERATORS, tuples=600, decoders=3)


def blocks():
    rng = random.Random(5)
    for _, values in kinds(32, 900, seed=4):
        full = compress(model.Xor(32), values)[:-1]
        for block in rng.sample(full, min(3, len(full))):
            yield block, [v - (v >> 31 << 32) for v in decompress(model.Xor(32), block)]


def expected(values):
    """Returns the states of the values of a block that are not skipped."""
    return {
        "r0": {"value": min(values)},
        "r1": {"value": max(values)},
        "r2": {"value": len(values)},
        "r3": {"value": sum(values)},
        "r4": {"value": sum(values), "count": len(values)},
        "values": len(values),
    }


def plain(state):
    """Returns a state as a dict; extrema are order keys, which equal signed numbers."""
    return {name: dict(part) if hasattr(part, "items") else part for name, part in state.items()}


@pytest.mark.in_turn
@pytest.mark.parametrize("stall", [0, 0.4])
def test_states_are_those_of_the_values(stall):
    rng, inputs, expected_states = random.Random(stall), [], []
    for number, (block, values) in enumerate(blocks()):
        skip = rng.choice((0, 0, rng.randrange(len(values)), len(values)))
        info = {"last": rng.randrange(2), "passenger": number}
        count = {"count": len(values), "skip": skip}
        inputs.append({"block": block, "coded": is_coded(block)} | count | info)
        expected_states.append((info, values[skip:], 0))
        if is_coded(block) and number % 3 == 0:  # a broken block
            broken = block & ~(511 << BLOCK_BITS - 16)
            inputs.append(inputs[-1] | {"block": broken, "count": 0, "skip": 0})
            expected_states.append((info, [], 1))
    dut = DecoderPool(ChangeDecoder, Xor(32), FOLD, 8)
    run = run_streams(
        dut, {"i": inputs}, {"o": len(expected_states)}, stall_in=stall, stall_out=stall, seed=3
    )
    for received, (info, values, error) in zip(run["o"].payloads, expected_states, strict=True):
        result_info = received["passenger"]
        assert (received["last"], result_info["passenger"], result_info["error"]) == (
            *info.values(),
            error,
        )
        assert received["valid"] == bool(values)
        assert received["tuples"][0]["values"] == len(values)
        if values:
            assert plain(received["tuples"][0]) == expected(values)
    assert sum(error for *_, error in expected_states) > 3


def test_blocks_are_decoded_side_by_side():
    """A block of noise takes 16 steps, in every other cycle, and three decoders hold six blocks.

    The sixth block begins 5 cycles after the first one, and 30 blocks are 5 rounds.
    """
    rng = random.Random(1)
    inputs = [
        {"block": rng.getrandbits(BLOCK_BITS), "coded": 0, "count": 16, "skip": 0, "last": 1}
        for _ in range(30)
    ]
    dut = DecoderPool(ChangeDecoder, Xor(32), FOLD)
    run = run_streams(dut, {"i": [i | {"passenger": 0} for i in inputs]}, {"o": len(inputs)})
    cycles = run["o"].cycles
    assert cycles[0] == run["i"].cycles[0] + dut.latency + 2 * 15
    assert cycles[-1] - cycles[0] == 4 * 2 * 16 + 5
