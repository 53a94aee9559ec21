"""How many cycles a block takes in a serial decoder, in plain numbers."""

from itertools import pairwise

from rtl.keyed.codec.block_format import BLOCK_BITS
from rtl.keyed.codec.change_decoder import RUN

#: Of a symbol that changes the value so many bits less than the value has, where nothing is known
#: of it. Of XOR 2 say so, and a window is nearly as long, as in the project's own trace; of a grid
#: 15, and the number is the shorter.
LESS = 6


def change_steps(values, raw=False):
    """Those of a block of these values: one for the first, and for each that changes.

    And one for each 16, or part of them, that stay the same; in a ``raw`` block one for each.
    """
    if raw:
        return len(values)
    steps, same = 1, 0
    for before, value in pairwise(values):
        if value == before:
            same += 1
        else:
            steps, same = steps + 1 + -(-same // RUN), 0
    return steps + -(-same // RUN)


def usual_change_steps(codec, ratio):
    """Those of a block on average, where values get so many times smaller by changing seldom.

    A block has room for its first value, and for one bit for each that stays the same and
    ``codec.width - LESS`` for each that changes: so how many there are of both follows from the
    ratio. Changes come at random: so q of the values are followed by others that are the same, and
    stretches of these have 1 + q^16 + q^32 + ... parts of up to 16.

    For instance a ratio of 5.9 of doubles: 47.2 values in a block, of which 6.6 change, and 39.6
    do not. That are 7.6 places for a stretch, q is 0.84, so 6.4 stretches of 6.8 parts: 14.3 steps.
    With 52.75 all 422 values are the same: 1 and 27 steps at least, and 27.8 by this rule.
    """
    held = max(1.0, ratio * codec.format.raw_values)
    room = BLOCK_BITS - codec.format.head_bits - codec.format.seed_bits
    changes = min(max(0.0, (room - held + 1) / (codec.width - LESS - 1)), held - 1)
    same = (held - 1 - changes) / (changes + 1)
    stays = same / (1 + same)
    return 1 + changes + (changes + 1) * stays / (1 - stays**RUN)
