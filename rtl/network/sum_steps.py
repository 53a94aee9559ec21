"""Number of items that :class:`~rtl.network.run_sums.RunSums` works on, in plain numbers."""

from itertools import groupby
from math import log2

#: Cycles of a block's nodes on their way out, besides a cycle for each level from 0 to ``top``.
LEAVING = 2


def sum_steps(values, top, begin=0):
    """Returns in how many cycles a block's items occupy the adder, a cycle for each level.

    ``begin`` is the number of the first value, ``top`` the greatest level. For instance 5 for
    tuples 3 to 9 with the values 5 5 5 7 7 7 7: the 5s take the levels 0 and 1, and the 7s the
    levels 0 to 2, because on level 1 a sum goes up.
    """
    count, place, full = 0, begin, set()
    for _, equal in groupby(values):
        first, end, has = place, place + len(list(equal)), False
        place = end
        for level in range(top + 1):
            count += 1
            odd, inside, goes_up = first % 2 and level < top, first < end, False
            if level < top:
                goes_up = (inside and (has or level in full)) if odd else (has and level in full)
            if goes_up and not (odd and has):
                full.discard(level)
            if (inside and (end % 2 or level == top)) or (has and odd and not inside):
                full.add(level)
            first, end, has = (first + 1) // 2, end // 2, goes_up
            if not (goes_up or first < end):
                break
    return count


def cycles_of_block(steps, levels, top):
    """Returns half the cycles for which a block occupies a slot of a decoder that adds floats.

    ``steps`` of the decoder and ``levels`` of the items pass at the same time, and the nodes of
    the block before leave level by level meanwhile. For instance with ``top`` 8 a block of three
    different values takes 3 steps and 4 levels, so its 10 cycles are those of the nodes.
    """
    return max(steps, levels, top + LEAVING)


def usual_sum_steps(values, steps):
    """Returns the average of :func:`sum_steps` for blocks of so many values and decoder steps.

    The steps tell the number of runs: with r runs of L values on average, L - 1 of which come in
    parts of up to 16, a decoder takes r (1 + q / (1 - q^16)) steps, where q = (L - 1) / L is the
    share of values that are followed by an equal one. A run of L values takes some
    0.9 (1 + log2(L + 1)) levels. For instance 49.4 values in 14.8 steps are 7.8 runs of 6.3 values:
    27 levels.
    """
    low, high = 1.0, max(1.0, values)
    for _ in range(40):
        runs = (low + high) / 2
        stays = 1 - runs / max(1.0, values)
        if runs * (1 + stays / (1 - stays**16)) < steps:
            low = runs
        else:
            high = runs
    return 0.9 * low * (1 + log2(values / low + 1))
