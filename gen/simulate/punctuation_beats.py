"""Punctuations for an engine that takes them from its stream (DESIGN section 2)."""

import numpy as np

_LONGEST = (1 << 63) - 1


def punctuations(window, times, start):
    """What a source that knows its slack says about a stream, and where in it.

    After each tuple the punctuation is start + slide*floor((max(t) - slack - start)/slide); before
    the first it is at ``start``. It is said when it has grown, and before the tuple that makes it
    grow: that one is never older, so the promise is the same, and windows are closed for it.

    Parameters
    ----------
    window : query.window.Range
    times : numpy.ndarray of int64 or uint64
        Raw times of the tuples that reach the windows, in order of arrival; none is 2**63 or more
        away from ``start``.
    start : int

    Returns
    -------
    before : numpy.ndarray of int64
        Indices into ``times`` of the tuples that a punctuation goes before, ascending.
    values : numpy.ndarray
        The punctuations, of the type of ``times``. One that the time's type does not hold is left
        out: it is below all times, and promises nothing.
    """
    slack, slide = min(window.slack, _LONGEST), min(window.slide, _LONGEST)
    elapsed = (times.astype(np.uint64) - np.uint64(start % (1 << 64))).view(np.int64)
    greatest = np.maximum.accumulate(np.maximum(elapsed, 0))
    steps = np.maximum(greatest - slack, 0) // slide
    before = np.flatnonzero(np.diff(steps, prepend=0) > 0)
    values = [start + slide * int(step) for step in steps[before]]
    least = window.attribute.type.raw_min
    held = np.array([value >= least for value in values], bool)
    return before[held], np.array([v for v in values if v >= least], times.dtype)
