"""The length of a bit, by hand."""

import pytest

from rtl.serial.bit_time import BitTime


def test_three_megabaud_at_25_mhz():
    """8 1/3 cycles are 2133.33 parts of 1/256 cycle."""
    time = BitTime(25e6, 3e6)
    assert time.parts == 2133
    assert time.error == pytest.approx(0.33333 / 2133, rel=1e-3)


def test_parts_are_rounded_to_the_nearest():
    """A bit of 115,200 baud is 55,555.56 parts: with 55,556 parts the line is slow."""
    time = BitTime(25e6, 115_200)
    assert time.parts == 55_556
    assert time.error == pytest.approx(-0.44444 / 55_556, rel=1e-3)


@pytest.mark.parametrize("baud", [9_600, 115_200, 921_600, 3_000_000, 3_125_000])
def test_errors_are_small(baud):
    assert abs(BitTime(25e6, baud).error) < 0.00025


def test_too_fast():
    with pytest.raises(
        ValueError,
        match=r"^baud must be at most 3125000, which is a bit in 8 cycles of 25 MHz, not 3e\+07$",
    ):
        BitTime(25e6, 3e7)
