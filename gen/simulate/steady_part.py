"""The part of a stream over which its rate is measured, and what the data do in it."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from gen.prediction.selected_tuples import passing, raw_columns
from gen.simulate.punctuation_beats import punctuations
from query.window import Range, Rows
from rtl.contract.shape import Shape


@dataclass(frozen=True, kw_only=True)
class Stretch:
    """From one window to another; the begin and the end of the stream have no part in it.

    Attributes
    ----------
    first, last : int
        The windows, by number: the last one that the first end of windows gives, and the last one
        that a tuple ends, and not the end of the stream.
    shape : Shape
        What the data do from the tuple that ends the one to that which ends the other: every
        tuple of the input counts, those that WHERE leaves out, too.
    """

    first: int
    last: int
    shape: Shape

    @property
    def tuples(self):
        """That are taken in it."""
        return sum(count for count, _ in self.shape.window_ends)


def stretch_of(query, tuples, start):
    """The stretch, or None where windows do not end twice, or are those of keys, or there are none.

    Parameters
    ----------
    query : Query
    tuples : golden.tuples.Tuples
    start : int or None
        RANGE: where window 0 begins.
    """
    window = query.window
    if not isinstance(window, Rows | Range) or window.partition is not None:
        return None
    raws = raw_columns(query, tuples)
    seen = np.flatnonzero(passing(query, raws))
    if isinstance(window, Rows):
        places = seen[window.size - 1 :: window.slide]
        return _stretch(places.tolist(), range(1, len(places) + 1))
    times = raws[window.attribute.name][seen]
    if start is None or not len(times) or int(times.max()) - start >= 1 << 63:
        return None
    before, values = punctuations(window, times, start)
    slides = [(int(value) - start) // window.slide for value in values]
    closed = [gone + 1 - -(-window.size // window.slide) for gone in slides]
    open_ = sum(count <= 0 for count in closed)
    return _stretch(seen[before].tolist()[open_:], closed[open_:])


def _stretch(places, closed):
    """Of the places of the tuples that end windows, and the windows that have ended by then."""
    if len(places) < 2:
        return None
    ends = zip(pairwise(places), pairwise(closed), strict=True)
    seen = tuple((b - a, after - before) for (a, b), (before, after) in ends)
    return Stretch(first=closed[0] - 1, last=closed[-1] - 1, shape=Shape(window_ends=seen))
