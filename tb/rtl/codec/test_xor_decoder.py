"""XOR's blocks, value by value, against the plain model."""

import random

import pytest

from golden.codecs import xor as model
from golden.codecs.blocks import BLOCK_BITS, BrokenBlockError, compress, decompress, is_coded
from rtl.codec.block_steps import xor_steps
from rtl.codec.xor import Xor
from rtl.codec.xor_decoder import XorDecoder
from tb.golden.codecs.kinds import kinds
from tb.harness.unit import run_streams

COUNT_AT = BLOCK_BITS - 16


def blocks_of(codec, rng):
    """Of all kinds of values, some with a bit, or a count, that is wrong."""
    for _, values in kinds(codec.width, 1200, seed=rng.random()):
        blocks = compress(codec, values)
        for block in rng.sample(blocks[:-1], min(2, len(blocks) - 1)):
            yield block
            if is_coded(block):
                count = (block >> COUNT_AT) % 512
                other = rng.choice((0, 1, count + 1, 511))
                yield block ^ 1 << rng.randrange(COUNT_AT)
                yield block & ~(511 << COUNT_AT) | other << COUNT_AT


@pytest.mark.parametrize("width", [64, 32])
@pytest.mark.parametrize(("stall_in", "stall_out"), [(0, 0), (0.3, 0.4)])
def test_values_are_those_of_the_model(width, stall_in, stall_out):
    golden, rng = model.Xor(width), random.Random(f"{width} {stall_in}")
    inputs, wanted = [], []
    for block in blocks_of(golden, rng):
        count = (block >> COUNT_AT) % 512 if is_coded(block) else BLOCK_BITS // width
        try:
            values = decompress(golden, block)
        except BrokenBlockError as error:
            if "between" in str(error):
                continue  # the hardware does not look there
            values = None
        skip = rng.choice((0, 0, rng.randrange(count + 1)))
        goes = {"last": rng.randrange(2), "passenger": rng.randrange(256)}
        inputs.append(
            {"block": block, "coded": is_coded(block), "count": count, "skip": skip, **goes}
        )
        wanted.append((goes, skip, values, is_coded(block)))
    least = [xor_steps(values, not coded) if values else 512 for *_, values, coded in wanted]
    dut = XorDecoder(Xor(width), 8)
    run = run_streams(
        dut,
        {"i": inputs},
        {"o": None},
        stall_in=stall_in,
        stall_out=stall_out,
        max_cycles=sum(least) * (2 if stall_out else 1) + 20,
        seed=2,
    )
    given = iter(run["o"].payloads)
    for goes, skip, values, _ in wanted:
        got, part = [], {"last": 0}
        while not part["last"]:
            part = next(given)
            got += [part["value"]] * part["times"]
            assert part["passenger"] == goes
        assert part["error"] == (values is None)
        if values is not None:
            assert got == values[skip:]
    assert next(given, None) is None
    assert sum(values is None for *_, values, _ in wanted) > 5
    if not (stall_in or stall_out):
        sound = [(k, n) for k, (n, (*_, v, _)) in enumerate(zip(least, wanted, strict=True)) if v]
        begins = run["i"].cycles
        assert run["o"].cycles[0] == begins[0] + dut.latency
        for k, cycles in sound[:-1]:
            assert begins[k + 1] - begins[k] == cycles
