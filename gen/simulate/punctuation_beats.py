"""Computes the punctuations of a stream for an engine with punctuations in the input stream."""

import numpy as np

from query.window import Range

_LONGEST = (1 << 63) - 1


def punctuations(window: Range, times: np.ndarray, start: int) -> tuple[np.ndarray, np.ndarray]:
    """Returns the punctuations of a source that knows its slack, and their positions.

    After each tuple the punctuation is start + slide*floor((max(t) - slack - start)/slide). Before
    the first tuple it is ``start``. A punctuation is sent each time it grows, directly before the
    tuple that makes it grow. This tuple is never older than the punctuation, so the promise holds,
    and windows close before the tuple arrives.

    Parameters
    ----------
    window : query.window.Range
    times : numpy.ndarray of int64 or uint64
        Raw times of the tuples that reach the windows, in order of arrival; none is 2**63 or more
        away from ``start``.
    start : int

    Returns
    -------
    positions : numpy.ndarray of int64
        Indices into ``times``, ascending. Each punctuation is sent before the tuple of its index.
    values : numpy.ndarray
        Punctuations, of the type of ``times``. A punctuation below the limits of the type is
        dropped: it is below all times, so it promises nothing.
    """
    slack, slide = min(window.slack, _LONGEST), min(window.slide, _LONGEST)
    elapsed = (times.astype(np.uint64) - np.uint64(start % (1 << 64))).view(np.int64)
    greatest = np.maximum.accumulate(np.maximum(elapsed, 0))
    steps = np.maximum(greatest - slack, 0) // slide
    positions = np.flatnonzero(np.diff(steps, prepend=0) > 0)
    values = [start + slide * int(step) for step in steps[positions]]
    least = window.attribute.type.raw_min
    fits = np.array([value >= least for value in values], bool)
    return positions[fits], np.array([v for v in values if v >= least], times.dtype)
