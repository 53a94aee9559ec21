"""Checks the values that ScaledSzDecoder decodes by the plain model."""

import random
from dataclasses import replace

import pytest

from golden.codecs import scaled_sz as model
from golden.codecs.blocks import compress
from golden.codecs.symbols import BLOCK_BITS
from rtl.keyed.codec.sz.scaled import ScaledSz
from rtl.keyed.codec.sz.scaled_decoder import ScaledSzDecoder
from tb.golden.codecs.scaled_values import streams
from tb.rtl.keyed.codec.serial import check, damaged_blocks
from tb.rtl.keyed.codec.sz.steps import steps

#: Bits of a value, and stalls on both sides.
POINTS = [(64, 0, 0), (32, 0.3, 0.4), (64, 0.3, 0.4), (32, 0, 0)]


def blocks_of(codec, rng, most):
    """Yields blocks of hard values, some with a wrong bit or count."""
    narrow = replace(codec, relative=2)
    for values in streams(codec, 700, rng.random()).values():
        for blocks in (compress(codec, values), compress(narrow, values)):
            if len(blocks) > 1:
                yield from damaged_blocks(blocks, rng, most)


def one_value(scale, working, small, large=0):
    """Returns a block of one value: seed's scale and last working value, small and large part."""
    seed = scale << 72 | working % 2**24 << 48
    return 0b1010010 << 505 | 1 << 496 | seed << BLOCK_BITS - 96 | large << 320 | small


def ends_of_scales(width):
    """Yields blocks at the ends of scales and working values, existing ones and others."""
    top = 255 if width == 64 else 31
    for scale in (0, 2, 3, 4, top, top + 1 & 255, 255):
        for working in (0, 1, -1, (1 << 23) - 1, -(1 << 23), 1 - (1 << 23)):
            yield one_value(scale, working, 0)
            yield one_value(128 if width == 64 else 16, 5, 3, (scale << 24 | working % 2**24) << 64)


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("width", "stall_in", "stall_out"),
    [pytest.param(*p, marks=() if k < 1 else pytest.mark.regress) for k, p in enumerate(POINTS)],
)
def test_values_are_those_of_the_model(width, stall_in, stall_out):
    rng, codec = random.Random(f"{width} {stall_in}"), model.ScaledSz(width)
    dut = ScaledSzDecoder(ScaledSz(width), 8)
    blocks = blocks_of(codec, rng, 3 if stall_in else 1)
    check(dut, codec, blocks, lambda block, _: steps(codec, block), rng, stall_in, stall_out)


@pytest.mark.parametrize("width", [64, 32])
def test_ends_of_scales(width):
    rng, codec, dut = (
        random.Random(width),
        model.ScaledSz(width),
        ScaledSzDecoder(ScaledSz(width), 8),
    )
    check(dut, codec, ends_of_scales(width), lambda block, _: 1, rng, 0, 0)
