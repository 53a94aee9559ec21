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

    ``top`` is the greatest possible value, ``2**width - 1``. ``low`` is 0 as long as no lower bound
    is known, and ``high`` is ``top`` as long as no upper bound is known.
    """

    pivot: int
    low: int
    high: int
    top: int
    tries: int = 0
    found: bool = False


@dataclass(frozen=True)
class Pass:
    """Counts of the values of a window, and the nearest values on both sides of the pivot.

    Attributes
    ----------
    count : int
        Number of values of the window.
    less, upto : int
        Numbers of values below the pivot, and of values below the pivot or equal to it.
    below, above : tuple of int
        The nearest values on either side, at most ``neighbours``, nearest first.
    """

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

    A window without values counts as found. The answer always lies between ``low`` and ``high``. If
    the pass does not have the answer, its farthest value, number K = ``neighbours``, becomes the
    bound on the side of the pivot. If the other bound is known, the next pivot is the middle.
    Otherwise the next pivot lies beyond the farthest value by a power of two: about the distance
    from the pivot to this value, times missing // K, and twice as far after each earlier pass. Here
    ``missing`` is the answer's number among the values on this side, counted from 0.

    For instance K = 2, pivot 100, nearest values below 98 and 96, and number 5 missing: the
    distance is 4, and missing // K is 2. Their 3 and 2 bits make the step 2**(3 + 2 - 1) = 16, so
    the next pivot is 96 - 16 = 80.
    """
    tried = replace(search, tries=min(search.tries + 1, TRIES))
    if not passed.count or passed.less < rank <= passed.upto:
        return replace(tried, found=True)
    falls = rank <= passed.less
    missing = passed.less - rank if falls else rank - passed.upto - 1
    nearest = passed.below if falls else passed.above
    if missing < neighbours:
        return replace(tried, pivot=nearest[missing], found=True)
    last = nearest[neighbours - 1]
    exponents = abs(search.pivot - last).bit_length() + (missing // neighbours).bit_length()
    step = 2 ** (exponents - 1 + search.tries)
    if falls:
        pivot = (search.low + last) // 2 if search.low else max(0, last - step)
        return replace(tried, pivot=pivot, high=last)
    if search.high == search.top:
        return replace(tried, pivot=min(search.top, last + step), low=last)
    return replace(tried, pivot=-(-(last + search.high) // 2), low=last)


def percentile(values, fraction, pivot, neighbours, width):
    """Returns the percentile of a window of at least one value, and the number of its passes.

    Asserts that the search ends after 2 * ``width`` + 2 passes at the latest.
    """
    rank, search = ceil(fraction * len(values)), new_search(pivot, width)
    passes = 0
    while not search.found:
        assert passes < 2 * width + 2
        search = select(one_pass(values, search.pivot, neighbours), rank, search, neighbours)
        passes += 1
    return search.pivot, passes


def state_of(keys, pivot, neighbours, width):
    """Returns the state that the hardware has after a pass over keys of ``width`` bits.

    Each entry has one more bit above its key, which is 1; an entry without a value is 0. Keys above
    the pivot are inverted.
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
