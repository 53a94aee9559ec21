"""Inserts punctuations into a table of tuples: the caller's, or punctuations made from SLACK.

A punctuation p promises that no tuple with a time before p follows. It closes the windows that end
at p or before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from .columns import is_nan, raw_of
from .description import Description
from .errors import SettingError, TableError
from .tables import columns_in


def punctuated(
    description: Description,
    columns: Mapping[str, np.ndarray],
    punctuations: Iterable[tuple[int, Any]] | None,
    times: Mapping[str, int],
    raw: bool = False,
) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Returns the columns with punctuations among the tuples, and a bool for each entry.

    The bool is true for a punctuation. The time column of a punctuation has its time, and the other
    columns have 0.

    Parameters
    ----------
    description : Description
        Of an engine with windows of time.
    columns : mapping of str to numpy.ndarray
        Raw columns of the tuples, in order of arrival.
    punctuations : iterable of (int, number), or None
        Positions, ascending, and times: each punctuation precedes the tuple of its position. A
        position equal to the number of tuples is behind the last one. None: the punctuations that
        `sluice golden` makes from SLACK.
    times : mapping of str to int
        Raw ``start``, ``slide`` and ``slack``; ``start`` is absent if no tuple reaches a window.
    raw : bool
        True if the times of ``punctuations`` are raw integers.

    Raises
    ------
    SettingError
        When ``punctuations`` must be given, because the query has a WHERE.
    TableError
        When a position or a time of ``punctuations`` is not allowed.

    Example: with a start of 0, a SLIDE of 10 and a SLACK of 5 the times 3, 27, 30 get a punctuation
    20 before the second tuple: 27 less 5 is 22, which is in the third slide.
    """
    time = description.host["window"]["time"]
    if punctuations is None:
        positions, values = _of_query(description, columns, time, times)
    else:
        positions, values = _of_caller(description, columns[time], time, punctuations, raw)
    entries = {
        name: np.insert(column, positions, values if name == time else np.zeros(1, column.dtype)[0])
        for name, column in columns.items()
    }
    return entries, np.insert(np.zeros(len(columns[time]), bool), positions, True)


def punctuations_of_slack(
    raw_times: np.ndarray, start: int, slide: int, slack: int, least: int
) -> tuple[np.ndarray, np.ndarray]:
    """Returns the punctuations of a source that knows its slack: their positions and times.

    After each tuple the punctuation is start + slide*floor((max(t) - slack - start)/slide). Before
    the first tuple it is ``start``. A punctuation is sent each time it grows, directly before the
    tuple that makes it grow. This tuple is never older than the punctuation, so the promise holds,
    and windows close before the tuple arrives.

    A punctuation below ``least`` cannot be sent. Instead of the first such punctuation
    ``least`` itself is sent, because no tuple is older. Without it the engine would keep windows
    open, and could have no room for the next tuples. For instance with unsigned times, start -30,
    SLIDE 10 and SLACK 25, the tuple at 5 makes the punctuation -20, and 0 is sent before it.

    Parameters
    ----------
    raw_times : numpy.ndarray of int64 or uint64
        Times of the tuples that reach the windows, in order of arrival.
    start, slide, slack, least : int
        Raw times; ``least`` is the least value of the column.

    Returns
    -------
    positions : numpy.ndarray of int64
        Indices into ``raw_times``, ascending. Each punctuation precedes the tuple of its index.
    values : numpy.ndarray
        Times of the punctuations, ascending, of the type of ``raw_times``.
    """
    if not len(raw_times):
        return np.zeros(0, np.int64), raw_times[:0]
    greatest = np.maximum.accumulate(raw_times)
    farthest = max(abs(int(time) - start) for time in (greatest[0], greatest[-1]))
    if farthest + slack + slide < 1 << 63:
        # The difference modulo 2^64 is exact, also where `start` is outside the type's limits.
        elapsed = (greatest.astype(np.uint64) - np.uint64(start % (1 << 64))).view(np.int64)
    else:
        elapsed = greatest.astype(object) - start  # Python's integers
    steps = np.maximum((elapsed - slack) // slide, 0)
    positions = np.flatnonzero(np.diff(steps, prepend=0) > 0)
    exact = [max(least, start + slide * int(step)) for step in steps[positions]]
    values = np.array(exact, raw_times.dtype)
    is_greater = np.append(True, values[1:] > values[:-1])[: len(values)]
    return positions[is_greater], values[is_greater]


def _of_query(description, columns, time, times):
    """Returns positions and raw times of the punctuations that follow from SLACK."""
    if description.host["filtered"]:
        raise SettingError(
            "punctuations must be given: they follow from the tuples that WHERE lets pass, which "
            "the host does not know"
        )
    types = {field.name: field.type for field in description.tuples.fields}
    nan = np.any([is_nan(columns[name], type_) for name, type_ in types.items()], axis=0)
    passing = np.flatnonzero(~nan)
    if "start" not in times or not len(passing):
        return passing[:0], columns[time][:0]
    field = next(field for field in description.tuples.fields if field.name == time)
    time_min = -(1 << field.width - 1) if field.signed else 0
    lengths = (times[name] for name in ("start", "slide", "slack"))
    positions, values = punctuations_of_slack(columns[time][passing], *lengths, time_min)
    return passing[positions], values


def _of_caller(description, column, time, punctuations, raw):
    """Returns positions and raw times of the given punctuations; raises TableError."""
    pairs = list(punctuations)
    if any(not isinstance(pair, (tuple, list)) or len(pair) != 2 for pair in pairs):
        raise TableError("punctuations must be pairs of a position and a time")
    positions = [position for position, _ in pairs]
    previous = 0
    for position in positions:
        if not isinstance(position, (int, np.integer)) or not previous <= position <= len(column):
            raise TableError(
                f"punctuations must have ascending positions from 0 to {len(column)}, not "
                f"{position!r} after {previous}"
            )
        previous = position
    type_ = next(field.type for field in description.tuples.fields if field.name == time)
    times = columns_in({"punctuations": [value for _, value in pairs]}, ["punctuations"])
    values = raw_of(times["punctuations"], "punctuations", type_, raw)
    return np.array(positions, np.int64), values.astype(column.dtype)
