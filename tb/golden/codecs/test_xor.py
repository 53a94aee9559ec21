"""Checks XOR's symbols against the paper's, and the seed's worked example."""

import random
import struct

import pytest

from golden.codecs.blocks import compress
from golden.codecs.xor import Xor
from tb.golden.codecs.gorilla import encode
from tb.golden.codecs.kinds import EXTREMES, doubles


def floats(patterns):
    return [struct.unpack("<d", struct.pack("<Q", pattern))[0] for pattern in patterns]


def symbols(patterns):
    """Returns the symbols after the first value, as texts of bits."""
    codec = Xor()
    (state, _), texts = codec.step(codec.initial, patterns[0]), []
    for pattern in patterns[1:]:
        state, symbol = codec.step(state, pattern)
        assert not symbol.small.length
        texts.append(str(symbol.large))
    return texts


def test_the_seeds_example():
    """Figure 4 has the values 10.5 twice, then 9.5, then 11.5."""
    values = doubles([10.5, 10.5, 9.5, 11.5])
    assert symbols(values) == ["0", "11" + "01101" + "000010" + "11", "10" + "10"]


def test_the_seeds_example_in_a_block():
    """Checks the head, the seed with no window, and the symbols, one after the other."""
    head = "1010010" + "000000100" + format(0x4025000000000000, "064b") + "11111" + "000000"
    text = head + "0" + "11" + "01101" + "000010" + "11" + "10" + "10"
    assert compress(Xor(), doubles([10.5, 10.5, 9.5, 11.5])) == [int(text.ljust(512, "0"), 2)]


@pytest.mark.parametrize("step", [0.0, 0.125, 0.3, 1e-9, 1e300])
def test_symbols_are_gorillas(step):
    rng = random.Random(step)
    value, values = 1.5, []
    for _ in range(3000):
        value += rng.choice((0, 0, step, -step)) * rng.randrange(3)
        values.append(value)
    assert symbols(doubles(values)) == encode(values)[1:]


def test_symbols_of_extremes_are_gorillas():
    rng = random.Random(8)
    patterns = [rng.choice(EXTREMES) for _ in range(3000)]
    assert symbols(patterns) == encode(floats(patterns))[1:]
