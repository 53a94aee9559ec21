"""Plain model of the search for a percentile by passes with a pivot.

The model counts, and keeps the nearest values on both sides of the pivot, as docs/medians.md
describes it. Values are whole numbers from 0 to ``2**width - 1``.
"""

from dataclasses import dataclass, replace
from math import ceil

#: Greatest number of passes that a search counts.
TRIES = 127


@dataclass(frozen=True)
class Search:
    """Interval of the answer, from ``low`` to ``high``, and the pivot of the next pass.

    ``top`` is the greatest number of all.
    """

    pivot: int
    low: int
    high: int
    top: int
    tries: int = 0
    found: bool = False


@dataclass(frozen=True)
class Pass:
    """Counts of the values of a window, and the nearest values on both sides, nearest first."""

    count: int
    less: int
    upto: int
    below: tuple
    above: tuple


def new_search(pivot, width):
    """Returns the search among numbers of ``width`` bits when nothing is known of the answer."""
    top = (1 << width) - 1
    return Search(pivot, 0, top, top)


def one_pass(values, pivot, neighbours):
    """Returns the Pass of a window."""
    below = sorted((v for v in values if v < pivot), reverse=True)
    above = sorted(v for v in values if v > pivot)
    count = len(values)
    near = tuple(below[:neighbours]), tuple(above[:neighbours])
    return Pass(count, len(below), count - len(above), *near)


def select(passed, rank, search, neighbours):
    """Returns the search after a pass: with the answer as its pivot, or with the next pivot.

    While nothing is known beyond, the next pivot is so many spans of the K nearest values further
    as the missing ranks contain K, in powers of two, doubled with each try. Otherwise it is the
    middle of the interval.
    """
    tried = replace(search, tries=min(search.tries + 1, TRIES))
    if not passed.count or passed.less < rank <= passed.upto:
        return replace(tried, found=True)
    falls = rank <= passed.less
    index = passed.less - rank if falls else rank - passed.upto - 1
    nearest = passed.below if falls else passed.above
    if index < neighbours:
        return replace(tried, pivot=nearest[index], found=True)
    last = nearest[neighbours - 1]
    exponents = abs(search.pivot - last).bit_length() + (index // neighbours).bit_length()
    step = 2 ** (exponents - 1 + search.tries)
    if falls:
        pivot = (search.low + last) // 2 if search.low else max(0, last - step)
        return replace(tried, pivot=pivot, high=last)
    if search.high == search.top:
        return replace(tried, pivot=min(search.top, last + step), low=last)
    return replace(tried, pivot=-(-(last + search.high) // 2), low=last)


def percentile(values, fraction, pivot, neighbours, width):
    """Returns the percentile of a window of at least one value, and the number of its passes."""
    rank, search = ceil(fraction * len(values)), new_search(pivot, width)
    passes = 0
    while not search.found:
        search = select(one_pass(values, search.pivot, neighbours), rank, search, neighbours)
        passes += 1
    return search.pivot, passes


def state_of(keys, pivot, neighbours, width):
    """Returns the state that the hardware has after a pass over keys of ``width`` bits.

    An entry of a list has a bit above its key, and keys above the pivot are inverted.
    """
    passed = one_pass(keys, pivot, neighbours)
    below = [1 << width | key for key in passed.below]
    above = [1 << width | (1 << width) - 1 - key for key in passed.above]
    lists = {"below": below, "above": above}
    entries = {
        f"{side}{k}": (entries + [0] * neighbours)[k]
        for side, entries in lists.items()
        for k in range(neighbours)
    }
    return {"count": passed.count, "less": passed.less, "upto": passed.upto} | entries


def known(state, width):
    """Returns a state of the hardware with 0 for entries without a value, whose bits are any."""
    return {
        name: 0 if name.startswith(("below", "above")) and not bits >> width else bits
        for name, bits in state.items()
    }


def windows(stream, size, slide):
    """Yields the windows of a stream: ``size`` values after every ``slide``, once there are so
    many."""
    for end in range(size, len(stream) + 1, slide):
        yield stream[end - size : end]
