"""XOR's blocks, value by value, against the plain model."""

import random

import pytest

from golden.codecs import xor as model
from golden.codecs.blocks import compress, is_coded
from rtl.codec.block_steps import xor_steps
from rtl.codec.xor import Xor
from rtl.codec.xor_decoder import XorDecoder
from tb.golden.codecs.kinds import kinds
from tb.rtl.codec.serial import check, some_of


def blocks_of(codec, rng):
    """Of all kinds of values, some with a bit, or a count, that is wrong."""
    for _, values in kinds(codec.width, 1200, seed=rng.random()):
        yield from some_of(compress(codec, values), rng)


def steps(block, values):
    """Cycles of the decoder for a block, or no more than these if it is none."""
    return xor_steps(values, not is_coded(block)) if values else 512


@pytest.mark.parametrize("width", [64, 32])
@pytest.mark.parametrize(("stall_in", "stall_out"), [(0, 0), (0.3, 0.4)])
def test_values_are_those_of_the_model(width, stall_in, stall_out):
    golden, rng = model.Xor(width), random.Random(f"{width} {stall_in}")
    dut = XorDecoder(Xor(width), 8)
    check(dut, golden, blocks_of(golden, rng), steps, rng, stall_in, stall_out)
