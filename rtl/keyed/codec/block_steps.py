"""Computes the number of steps of a serial decoder for a block, in plain numbers."""

from itertools import pairwise

from rtl.keyed.codec.block_format import BLOCK_BITS
from rtl.keyed.codec.change_decoder import RUN

#: Assumed difference between the bits of a value and the bits of a symbol that changes the value.
#: A symbol of XOR has 2 bits and a window that is nearly as long as a value in the project's own
#: trace. A symbol of the grid has 15 bits and a shorter number.
SAVED_BITS = 6


def change_steps(values, raw=False):
    """Returns the steps of a block with the given values.

    The first value and each value that differs from the value before take one step. A stretch of
    equal values after them takes one step for each 16 values, or part of 16. For instance 5 5 5 7
    takes three steps: 5, twice 5, and 7. In a ``raw`` block each value takes one step.
    """
    if raw:
        return len(values)
    steps = 1
    unchanged = 0
    for previous, value in pairwise(values):
        if value == previous:
            unchanged += 1
        else:
            steps = steps + 1 + -(-unchanged // RUN)
            unchanged = 0
    return steps + -(-unchanged // RUN)


def usual_change_steps(codec, ratio):
    """Returns the average steps of a block whose values are compressed ``ratio`` times.

    A block has room for its first value, for one bit for each value that equals the value before,
    and for ``codec.width - SAVED_BITS`` bits for each other value. So the ratio determines the
    number of equal values and of changes. Changes are assumed to come at random. Then a share q of
    the values is followed by an equal value, and a stretch of equal values has 1 + q^16 + q^32 +
    ... parts of up to 16 values.

    For instance a ratio of 5.9 of doubles: 47.2 values in a block, of which 6.6 change and 39.6 do
    not. A stretch has 7.6 places, q is 0.84, so there are 6.4 stretches of 6.8 parts: 14.3 steps.
    With a ratio of 52.75 all 422 values are equal: at least 1 + 27 steps, and 27.8 by the formula.
    """
    value_count = max(1.0, ratio * codec.format.raw_values)
    room = BLOCK_BITS - codec.format.head_bits - codec.format.seed_bits
    changes = min(
        max(0.0, (room - value_count + 1) / (codec.width - SAVED_BITS - 1)), value_count - 1
    )
    unchanged = (value_count - 1 - changes) / (changes + 1)
    stays = unchanged / (1 + unchanged)
    return 1 + changes + (changes + 1) * stays / (1 - stays**RUN)
