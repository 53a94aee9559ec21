"""Computes the number of values of a line from the width of a value."""

from rtl.keyed.dram.lines import LINE_BITS

#: Greatest default of the option ``line_values``. Values narrower than 32 bits leave bits unused.
VALUES = 16


def most_values(bits):
    """Returns the greatest power of two of values that fit a line: 8 of 64 bits, 8 of 40 bits."""
    return 1 << (LINE_BITS // bits).bit_length() - 1


def usual_values(bits):
    """Returns the default number of values of a line."""
    return min(VALUES, most_values(bits))
