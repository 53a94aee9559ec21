"""Computes the punctuations of a stream for an engine with punctuations in the input stream."""

import numpy as np

from host.punctuations import punctuations_of_slack
from query.window import Range


def punctuations(window: Range, times: np.ndarray, start: int) -> tuple[np.ndarray, np.ndarray]:
    """Returns the punctuations of a source that knows its slack, and their positions.

    See :func:`host.punctuations.punctuations_of_slack` for the rule.

    Parameters
    ----------
    window : query.window.Range
    times : numpy.ndarray of int64 or uint64
        Raw times of the tuples that reach the windows, in order of arrival.
    start : int

    Returns
    -------
    positions : numpy.ndarray of int64
        Indices into ``times``, ascending. Each punctuation is sent before the tuple of its index.
    values : numpy.ndarray
        Punctuations, of the type of ``times``.
    """
    least = window.attribute.type.raw_min
    return punctuations_of_slack(times, start, window.slide, window.slack, least)
