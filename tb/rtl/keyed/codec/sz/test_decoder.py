"""Checks the values that SzDecoder decodes against those of the plain model."""

import random
from dataclasses import replace

import pytest

from golden.codecs import sz as model
from golden.codecs.blocks import compress
from rtl.keyed.codec.sz.decoder import SzDecoder
from rtl.keyed.codec.sz.sz import Sz
from tb.golden.codecs.kinds import kinds
from tb.rtl.keyed.codec.serial import check, damaged_blocks
from tb.rtl.keyed.codec.sz.steps import steps

CODECS = [
    model.Sz(64, "float", -20),
    model.Sz(32, "signed", 2),
    *(
        pytest.param(codec, marks=pytest.mark.regress)
        for codec in (model.Sz(64, "unsigned", 13), model.Sz(32, "float", -9), model.Sz(64))
    ),
]


def walks(codec, rng):
    """Yields values that SZ predicts well: slow changes, lines and curves, with jumps between."""
    for bend in (0, 1, 9):
        place, step, values = 1 << 20, 3, []
        for _ in range(600):
            step += rng.randint(-bend, bend)
            place += step
            if rng.random() < 0.01 or not 0 < place < 1 << 23:
                place, step = rng.randrange(1 << 10, 1 << 22), rng.randint(-999, 999)
            values.append(codec.pattern(min(place, codec.working_max)))
        yield values


def blocks_of(codec, rng, most):
    """Yields blocks of all kinds of values, some with a wrong bit or count."""
    narrow = replace(codec, relative=2)
    for values in (*walks(codec, rng), *(v for _, v in kinds(codec.width, 700, seed=rng.random()))):
        for blocks in (compress(codec, values), compress(narrow, values)):
            yield from damaged_blocks(blocks, rng, most)


@pytest.mark.in_turn
@pytest.mark.parametrize("codec", CODECS, ids=str)
@pytest.mark.parametrize(
    ("stall_in", "stall_out"), [(0, 0), pytest.param(0.3, 0.4, marks=pytest.mark.regress)]
)
def test_values_are_those_of_the_model(codec, stall_in, stall_out):
    rng = random.Random(f"{codec} {stall_in}")
    dut = SzDecoder(Sz(codec.width, codec.kind, codec.exponent), 8)
    blocks = blocks_of(codec, rng, 3 if stall_in else 1)
    check(dut, codec, blocks, lambda block, _: steps(codec, block), rng, stall_in, stall_out)
