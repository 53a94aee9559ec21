"""Checks formats of floating point against NumPy."""

import numpy as np
import pytest

from rtl.float.format import DOUBLE, FORMATS, Format
from tb.rtl.float.adding import NUMPY


@pytest.mark.parametrize(("format_", "kinds"), NUMPY.items(), ids=str)
def test_as_numpy_has_them(format_, kinds):
    number, bits = kinds
    infinity, nan = np.array([np.inf, np.nan], number).view(bits).tolist()
    assert (format_.infinity, format_.nan) == (infinity, nan)
    assert format_.minus_zero == np.array(-0.0, number).view(bits)
    assert FORMATS[8 * number().itemsize] is format_


def test_by_hand():
    assert (DOUBLE.width, DOUBLE.nan) == (64, 0x7FF8_0000_0000_0000)


@pytest.mark.parametrize("bits", [1, 0, -1, 2.0])
def test_refuses(bits):
    with pytest.raises(
        ValueError, match=rf"^exponent must be an integer of at least 2, not {bits}$"
    ):
        Format(bits, 2)
    with pytest.raises(
        ValueError, match=rf"^mantissa must be an integer of at least 2, not {bits}$"
    ):
        Format(2, bits)
