"""Finds the measured part of a stream, from one end of a window to another, and its shape."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from gen.prediction.selected_tuples import passing, raw_columns
from gen.simulate.punctuation_beats import punctuations
from golden.tuples import Tuples
from query.query import Query
from query.window import Range, Rows
from rtl.contract.shape import Shape


@dataclass(frozen=True, kw_only=True)
class Stretch:
    """Part of a stream from the end of one window to the end of another.

    Attributes
    ----------
    first, last : int
        Numbers of the two windows. ``first`` is the last window that the first closing tuple
        closes. ``last`` is the last window that a tuple closes, and not the end of the stream.
    shape : Shape
        Shape of the data from the tuple that closes ``first`` to the tuple that closes ``last``.
        All tuples of the input count, those that WHERE drops included.
    """

    first: int
    last: int
    shape: Shape

    @property
    def tuples(self) -> int:
        """Number of tuples in the part."""
        return int(sum(count for count, _ in self.shape.window_ends or ()))


def stretch_of(query: Query, tuples: Tuples, start: int | None) -> Stretch | None:
    """Returns the stretch of a stream.

    None for a query without windows or with windows of keys, and if fewer than two tuples close
    windows.

    Parameters
    ----------
    query : Query
    tuples : golden.tuples.Tuples
    start : int or None
        Time at which window 0 of RANGE begins.
    """
    window = query.window
    if not isinstance(window, Rows | Range) or window.partition is not None:
        return None
    raws = raw_columns(query, tuples)
    passes = np.flatnonzero(passing(query, raws))
    if isinstance(window, Rows):
        places = passes[window.size - 1 :: window.slide]
        return _stretch(places.tolist(), range(1, len(places) + 1))
    times = raws[window.attribute.name][passes]
    if start is None or not len(times) or int(times.max()) - start >= 1 << 63:
        return None
    positions, values = punctuations(window, times, start)
    # A punctuation at the type's least value may stand for a lower one, which the column cannot
    # hold: its number of closed windows would be too high.
    is_exact = values > window.attribute.type.raw_min
    positions, values = positions[is_exact], values[is_exact]
    slides = [(int(value) - start) // window.slide for value in values]
    closed = [slide + 1 - -(-window.size // window.slide) for slide in slides]
    open_ = sum(count <= 0 for count in closed)
    return _stretch(passes[positions].tolist()[open_:], closed[open_:])


def _stretch(places: Sequence[int], closed: Sequence[int]) -> Stretch | None:
    """Returns the stretch between closing tuples.

    ``places`` are the positions of the tuples that close windows, and ``closed`` the number of
    windows that are closed after each of these tuples.
    """
    if len(places) < 2:
        return None
    steps = zip(pairwise(places), pairwise(closed), strict=True)
    ends = tuple((b - a, later - earlier) for (a, b), (earlier, later) in steps)
    return Stretch(first=closed[0] - 1, last=closed[-1] - 1, shape=Shape(window_ends=ends))
