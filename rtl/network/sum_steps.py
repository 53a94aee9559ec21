"""Computes how long :class:`~rtl.network.run_sums.RunSums` works on blocks, in plain numbers."""

from itertools import groupby
from math import log2

from rtl.network.run_sums import ROUND
from rtl.network.slot_reduction import SLOTS

#: Greatest number of equal values after the first one that come in one step of a decoder.
PART = 16
#: Numbers of a block's first value that :func:`usual_sum_tail` tries, from 0 on.
BEGINS = 32
#: Cycles of a block's nodes on their way out, besides a cycle for each level from 0 to ``top``.
LEAVING = 2


def sum_steps(values, top, begin=0):
    """Returns in how many cycles a block's items occupy the adder, a cycle for each level.

    ``begin`` is the number of the first value, ``top`` the greatest level. For instance 5 for
    tuples 3 to 9 with the values 5 5 5 7 7 7 7: the 5s take the levels 0 and 1, and the 7s the
    levels 0 to 2, because on level 1 a sum goes up.
    """
    return sum(levels for _, levels in _items(values, top, begin))


def sum_tail(values, top, begin=0):
    """Returns the cycles from the last step of a block's decoder to the end of its items.

    The item of a run comes with the last step of the run. It takes its first level at once, which
    does not count, and each further level :data:`~rtl.network.run_sums.ROUND` cycles later. For
    instance the values 5 5 5 5 7 from 0 on: the 5s take 3 levels, so they end 12 cycles after their
    last step. The 7 takes one level, and comes one step of 2 cycles later. So 10 cycles.
    """
    cycle = end = 0
    for length, levels in _items(values, top, begin):
        cycle += SLOTS * (1 + -(-(length - 1) // PART))
        end = max(end, cycle + ROUND * (levels - 1))
    return end - cycle


def _items(values, top, begin):
    """Yields the length and the number of levels of each run of equal values."""
    place = begin
    full = set()
    for _, equal in groupby(values):
        count = 0
        length = len(list(equal))
        first = place
        end = place + length
        has = False
        place = end
        for level in range(top + 1):
            count += 1
            odd = first % 2 and level < top
            inside = first < end
            goes_up = False
            if level < top:
                goes_up = (inside and (has or level in full)) if odd else (has and level in full)
            if goes_up and not (odd and has):
                full.discard(level)
            if (inside and (end % 2 or level == top)) or (has and odd and not inside):
                full.add(level)
            first = (first + 1) // 2
            end = end // 2
            has = goes_up
            if not (goes_up or first < end):
                break
        yield length, count


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
    runs = _usual_runs(values, steps)
    return 0.9 * runs * (1 + log2(values / runs + 1))


def usual_sum_tail(values, steps, top):
    """Returns the average of :func:`sum_tail` for blocks of so many values and decoder steps.

    The runs count as if they had equal lengths. For instance 47 different values in 47 steps have
    a tail of 16 cycles, because one of the last items goes up some levels; 184 values in 14.8 steps
    have 35 cycles.
    """
    length = max(1, round(values / _usual_runs(values, steps)))
    numbers = [number // length for number in range(max(1, round(values)))]
    tails = [sum_tail(numbers, top, begin) for begin in range(BEGINS)]
    return sum(tails) / BEGINS


def _usual_runs(values, steps):
    """Returns the number of runs of equal values; see :func:`usual_sum_steps`."""
    low = 1.0
    high = max(1.0, values)
    for _ in range(40):
        runs = (low + high) / 2
        stays = 1 - runs / max(1.0, values)
        if runs * (1 + stays / (1 - stays**PART)) < steps:
            low = runs
        else:
            high = runs
    return low
