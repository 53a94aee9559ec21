"""Checks the values that BaseDeltaDecoder decodes by the plain model."""

import random

import pytest

from golden.codecs import base_delta as model
from golden.codecs.blocks import compress, decompress, is_coded
from golden.codecs.symbols import BLOCK_BITS, BrokenBlockError
from rtl.keyed.codec.base_delta.base_delta import BaseDelta
from rtl.keyed.codec.base_delta.decoder import BaseDeltaDecoder
from tb.bench.unit import run_streams
from tb.golden.codecs.kinds import kinds

SIZES = [
    (64, 8),
    (32, 4),
    *(pytest.param(*n, marks=pytest.mark.regress) for n in [(32, 8), (64, 16)]),
]


def blocks_of(codec, rng):
    """Yields blocks of all kinds of values, some with a wrong bit or count."""
    for _, values in kinds(codec.width, 300, seed=rng.random()):
        blocks = compress(codec, values)
        # The last block is left out: it may be raw and not full, which the block does not show.
        for block in rng.sample(blocks[:-1], min(3, len(blocks) - 1)):
            yield block
            if is_coded(block):
                count = rng.choice((0, 1, 54, 55, 511))  # of 64 bits 54 deltas of 8 bits fit
                yield block ^ 1 << rng.randrange(BLOCK_BITS - 16)
                yield block & ~(511 << BLOCK_BITS - 16) | count << BLOCK_BITS - 16


def expected(codec, block):
    try:
        return decompress(codec, block)
    except BrokenBlockError:
        return None


@pytest.mark.in_turn
@pytest.mark.parametrize(("width", "delta_bits"), SIZES)
@pytest.mark.parametrize(("stall_in", "stall_out"), [(0, 0), (0.3, 0.4)])
def test_values_are_those_of_the_model(width, delta_bits, stall_in, stall_out):
    golden, rng = model.BaseDelta(width, delta_bits), random.Random(f"{width} {stall_in}")
    dut = BaseDeltaDecoder(BaseDelta(width, delta_bits), 8)
    inputs, expected_values = [], []
    for block in blocks_of(golden, rng):
        values = expected(golden, block)
        if values is None and not _is_reported(golden, block):
            continue  # the model refuses a 1 between the parts of a block; the hardware ignores it
        count = (block >> BLOCK_BITS - 16) % 512 if is_coded(block) else BLOCK_BITS // width
        skip = rng.choice((0, 0, rng.randrange(count + 1) if count else 0))
        info = {"last": rng.randrange(2), "passenger": rng.randrange(256)}
        inputs.append(
            {"block": block, "coded": is_coded(block), "count": count, "skip": skip, **info}
        )
        expected_values.append((info, skip, values))
    run = run_streams(
        dut, {"i": inputs}, {"o": len(inputs)}, stall_in=stall_in, stall_out=stall_out, seed=2
    )
    for received, (info, skip, values) in zip(run["o"].payloads, expected_values, strict=True):
        assert received["last"] == info["last"]
        assert received["passenger"]["passenger"] == info["passenger"]
        assert received["passenger"]["error"] == (values is None)
        if values is not None:
            lanes = [k for k in range(dut.o.p.valid.shape().width) if received["valid"] >> k & 1]
            assert lanes == list(range(skip, len(values)))
            assert [received["tuples"][k] for k in lanes] == values[skip:]
    assert sum(values is None for *_, values in expected_values) > 5
    if not (stall_in or stall_out):
        assert run["o"].cycles == [cycle + dut.latency for cycle in run["i"].cycles]
        assert run["i"].cycles == list(range(len(inputs)))


def _is_reported(codec, block):
    """Returns True if a block has no values by its count, or symbols longer than the block."""
    count = (block >> BLOCK_BITS - 16) % 512
    bits, room = codec.delta_bits, BLOCK_BITS - 16 - codec.width
    if not count or count * bits > room:
        return True
    deltas = [block >> k * bits & ((1 << bits) - 1) for k in range(count)]
    return count * bits + deltas.count(codec.demarcation) * codec.width > room
