"""Checks the grid's symbols by hand, and against a version that divides numbers."""

import pytest

from golden.codecs.blocks import compress, decompress
from golden.codecs.grid import Grid
from golden.codecs.symbols import BrokenBlockError
from tb.golden.codecs.kinds import doubles, kinds
from tb.golden.codecs.multiples import encode


def symbols(codec, patterns):
    """Returns the symbols after the first value, as texts of bits."""
    (state, _), texts = codec.step(codec.initial, patterns[0]), []
    for pattern in patterns[1:]:
        state, symbol = codec.step(state, pattern)
        assert not symbol.small.length
        texts.append(str(symbol.large))
    return texts


def test_by_hand():
    """The differences on a grid of 49 are -1, 2, -3 and 5; then the grids are 44 and 0."""
    values = doubles([10.5, 10.5, 9.5, 11.5, 8.5, 13.5])
    values += [values[-1] + (1 << 44), values[-1] + (1 << 44) - 1]
    assert symbols(Grid(), values) == [
        "0",
        "111" + "110001" + "000001" + "1",
        "10" + "010",
        "10" + "101",
        "110" + "000101",
        "111" + "101100" + "000010" + "01",
        "111" + "000000" + "000001" + "1",
    ]


def test_by_hand_in_a_block():
    """Checks the head, the seed with a grid of 0, and the symbols, one after the other."""
    head = "1010010" + "000000100" + format(0x4025000000000000, "064b") + "000000"
    text = head + "0" + "111" + "110001" + "000001" + "1" + "10" + "010"
    assert compress(Grid(), doubles([10.5, 10.5, 9.5, 11.5])) == [int(text.ljust(512, "0"), 2)]


@pytest.mark.parametrize(
    ("difference", "text"),
    [
        (3, "10" + "011"),
        (-4, "10" + "100"),
        (4, "110" + "000100"),
        (31, "110" + "011111"),
        (-32, "110" + "100000"),
        (32, "111" + "000101" + "000010" + "01"),
        (-33, "111" + "000000" + "000111" + "1011111"),
        (1 << 63, "111" + "111010" + "000110" + "100000"),
        ((1 << 63) - 1, "111" + "000000" + "000000" + "0" + "1" * 63),
    ],
)
def test_the_ends_of_a_length(difference, text):
    values = [5, 5 + difference & (1 << 64) - 1]
    assert symbols(Grid(), values) == [text]
    block = "1010010" + "000000010" + format(5, "064b") + "000000" + text
    assert decompress(Grid(), int(block.ljust(512, "0"), 2)) == values


@pytest.mark.parametrize("width", [64, 32])
def test_symbols_equal_those_of_division(width):
    for name, values in kinds(width, 3000, seed=9):
        values = list(values)
        assert symbols(Grid(width), values) == encode(width, values), name


@pytest.mark.parametrize(
    ("seed", "symbol"),
    [("000000", "111" + "011110" + "000011" + "001"), ("011110", "10" + "001")],
)
def test_a_difference_that_is_longer_than_a_value(seed, symbol):
    """The symbol or the seed has a grid of 30; the length is 3, which exceeds 32 bits."""
    head = "1010010" + "000000010" + format(77, "032b")
    text = head + seed + symbol
    with pytest.raises(BrokenBlockError, match="longer than a value"):
        decompress(Grid(32), int(text.ljust(512, "0"), 2))
