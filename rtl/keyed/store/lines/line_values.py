"""How many values of so many bits a line has."""

from rtl.keyed.dram.lines import LINE_BITS

#: Without the option: smaller values than that have room to spare.
VALUES = 16


def most_values(bits):
    """The greatest power of two that a line has room for: 8 of 64 bits, 8 of 40."""
    return 1 << (LINE_BITS // bits).bit_length() - 1


def usual_values(bits):
    """Those of a line, if nothing is said."""
    return min(VALUES, most_values(bits))
