"""Checks the values that ChangeDecoder decodes by the plain models."""

import random
from itertools import product

import pytest

from golden.codecs.blocks import compress, is_coded
from golden.codecs.registry import CODECS as MODELS
from rtl.keyed.codec.block_steps import change_steps
from rtl.keyed.codec.change_decoder import ChangeDecoder
from rtl.keyed.codec.codecs import CODEC_ENTRIES
from tb.golden.codecs.kinds import kinds
from tb.rtl.keyed.codec.serial import check, damaged_blocks

STALLS = ((0, 0), (0.3, 0.4))


def blocks_of(codec, rng, sound, most):
    """Yields blocks of all kinds of values, some with a wrong bit or count."""
    for _, values in kinds(codec.width, 800, seed=rng.random()):
        blocks = compress(codec, values)
        sound.update(blocks)
        yield from damaged_blocks(blocks, rng, most)


def steps(block, values):
    """Returns the steps for a block; the most possible ones for a broken block."""
    return change_steps(values, not is_coded(block)) if values else 512


CODECS = {
    name: (entry.codec, MODELS[name])
    for name, entry in CODEC_ENTRIES.items()
    if entry.decoder is ChangeDecoder
}
#: The codec, bits of a value, and stalls on both sides.
POINTS = [(*codec, *stalls) for codec in product(CODECS, (64, 32)) for stalls in STALLS]
DAILY = [("xor", 64, 0, 0)]


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("name", "width", "stall_in", "stall_out"),
    [pytest.param(*p, marks=() if p in DAILY else pytest.mark.regress) for p in POINTS],
)
def test_values_are_those_of_the_model(name, width, stall_in, stall_out):
    codec, model = CODECS[name]
    golden, rng = model(width), random.Random(f"{width} {stall_in}")
    dut = ChangeDecoder(codec(width), 8)
    sound = set()
    blocks = blocks_of(golden, rng, sound, 1 if (name, width, stall_in, stall_out) in DAILY else 3)
    check(dut, golden, blocks, steps, rng, stall_in, stall_out, sound)
