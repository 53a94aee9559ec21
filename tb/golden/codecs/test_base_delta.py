"""Checks deltas against the seed's worked example, and at the ends of their width."""

import pytest

from golden.codecs.base_delta import BaseDelta
from golden.codecs.blocks import compress, decompress

#: Figure 10: value and next base (S_C) of tuples 1 to 15.
FIGURE_10 = [(50 + k, 50) for k in range(6)]
FIGURE_10 += [(value, 320) for value in (320, 330, 331, 332, 333)]
FIGURE_10 += [(value, 580) for value in (580, 600, 601, 602)]
#: Deltas in the figure's text and memories: 1 to 5, D, 10 to 13, D, 20 to 22. The first value is a
#: base.
DELTAS = ["D", 1, 2, 3, 4, 5, "D", 10, 11, 12, 13, "D", 20, 21, 22]


def test_the_seeds_example_row_by_row():
    codec = BaseDelta(width=16)
    base = codec.initial
    for (value, expected), delta in zip(FIGURE_10, DELTAS, strict=True):
        base, symbol = codec.step(base, value)
        assert base == expected
        is_base = delta == "D"
        assert (symbol.large.value, symbol.large.length) == ((value, 16) if is_base else (0, 0))
        assert (symbol.small.value, symbol.small.length) == (127 if is_base else delta, 8)


def test_the_seeds_example_in_a_block():
    """Checks bases from the top and deltas from the bottom, byte by byte."""
    values = [value for value, _ in FIGURE_10]
    (block,) = compress(BaseDelta(width=16), values)
    top = [0b10100100, 15, *(50).to_bytes(2), *(320).to_bytes(2), *(580).to_bytes(2)]
    deltas = [0, 1, 2, 3, 4, 5, 127, 10, 11, 12, 13, 127, 20, 21, 22]
    unused = 64 - len(top) - len(deltas)
    assert list(block.to_bytes(64)) == [*top, *([0] * unused), *reversed(deltas)]
    assert decompress(BaseDelta(width=16), block) == values


@pytest.mark.parametrize(
    ("difference", "code"),
    [(126, 126), (127, "D"), (-128, 0x80), (-129, "D"), (-1, 0xFF), (0, 0), ((1 << 64) - 5, 0xFB)],
)
def test_the_ends_of_a_delta(difference, code):
    codec, base = BaseDelta(), 1 << 20
    value = base + difference & (1 << 64) - 1
    new_base, symbol = codec.step(base, value)
    if code == "D":
        assert (new_base, symbol.large.length, symbol.small.value) == (value, 64, 127)
    else:
        assert (new_base, symbol.large.length, symbol.small.value) == (base, 0, code)


def test_a_difference_beyond_the_ends_of_the_type_is_a_small_one():
    codec = BaseDelta()
    new_base, symbol = codec.step((1 << 64) - 3, 4)
    assert (new_base, symbol.small.value) == ((1 << 64) - 3, 7)
    values = [(1 << 64) - 3, 4, (1 << 64) - 3] * 3
    (block,) = compress(codec, values)
    assert decompress(codec, block) == values
