"""Runs one of four algorithms for sliding windows, with the results of the query language.

Each algorithm computes the aggregates that it can; subtract-on-evict has no min and max. Min, max,
count, and sums and averages of integers are equal to PySpark's to the bit. Sums and averages of
floats depend on the order of the additions: only the non-incremental algorithm adds in PySpark's
order, and docs/cpu.md bounds the differences of the others.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

import numpy as np

from golden.cpu import (
    arguments,
    bulk_two_stacks,
    non_incremental,
    subtract_on_evict,
    two_stacks,
    wide,
    windows,
)
from golden.cpu.operators import operator
from golden.cpu.windows import Windows
from golden.values.carry import invert_negatives
from query.aggregate import Function


class Algorithm(StrEnum):
    """Names the algorithms of seed 004, sections 2.2 and 3.2."""

    NON_INCREMENTAL = "non-incremental"
    SUBTRACT_ON_EVICT = "subtract-on-evict"
    TWO_STACKS = "two-stacks"
    BULK_TWO_STACKS = "bulk-two-stacks"


_RESULTS = {
    Algorithm.NON_INCREMENTAL: non_incremental.results,
    Algorithm.SUBTRACT_ON_EVICT: subtract_on_evict.results,
    Algorithm.TWO_STACKS: two_stacks.results,
    Algorithm.BULK_TWO_STACKS: bulk_two_stacks.results,
}


@dataclass(frozen=True, eq=False)
class Answer:
    """Holds the results of all windows, in order of the windows.

    Attributes
    ----------
    columns : dict of str to np.ndarray
        One array for each aggregate, in the order of the call: ``count`` int64; ``min``, ``max``
        and ``avg`` in the type of the values; ``sum`` of floats in their type, ``sum`` of int32 as
        int64, and ``sum`` of int64 as int64, unless a window could overflow it: then Python's
        integers in an array of objects.
    valid : np.ndarray
        True for each window that holds a tuple. In an empty window count and sum are 0, and the 0
        of the others represents NULL.
    end : np.ndarray or None
        Time windows: end of each window, in units of time; None for windows of tuples.
    nan : int
        Tuples with a NaN, which are dropped before all other steps and are not in ``late``.
    late : int
        Time windows: tuples before the start of window 0, which are dropped; else 0.
    """

    columns: dict[str, np.ndarray]
    valid: np.ndarray
    end: np.ndarray | None
    nan: int
    late: int

    def masked(self, name: str) -> np.ma.MaskedArray:
        """Returns a column with NULL where a window is empty; count and sum are never NULL."""
        never_null = name in (Function.COUNT, Function.SUM)
        return np.ma.array(self.columns[name], mask=False if never_null else ~self.valid)


def run(
    algorithm: str,
    aggregates: str | Iterable[str],
    values: np.ndarray,
    size: int,
    slide: int,
    times: np.ndarray | None = None,
    start: int | None = None,
) -> Answer:
    """Returns the aggregates of each sliding window of a stream that is in order.

    The algorithm runs once for each aggregate but ``count``, and twice for sums of int64 that may
    exceed 64 bits. For ``min`` and ``max`` floats are first converted to places
    (`golden.values.carry`), integers that compare as the floats do. For instance the sums of 1, 2,
    3, 4, 5 with size 4 and slide 1 are 10 and 14.

    Parameters
    ----------
    algorithm : Algorithm or str
        ``non-incremental``, ``subtract-on-evict``, ``two-stacks`` or ``bulk-two-stacks``.
    aggregates : str or iterable of str
        Any of ``count``, ``sum``, ``min``, ``max``, ``avg``. ``subtract-on-evict`` has no ``min``
        and ``max``: they cannot be subtracted.
    values : np.ndarray
        One dimension, in order of arrival; int32, int64, float32 or float64. A tuple whose value
        is NaN is dropped, unless ``count``, which reads no value, is the only aggregate.
    size, slide : int
        ``[ROWS size SLIDE slide]`` in tuples or ``[RANGE size SLIDE slide WATTR t]`` in units of
        time; 1 <= slide <= size.
    times : np.ndarray or None
        Time of each tuple, of any integer type, never descending, since these engines are for
        streams in order. None for windows of a number of tuples.
    start : int or None
        Time windows: start of window 0. None selects the time of the first tuple that is not
        dropped, rounded down to a multiple of the slide. The end of the data closes every window
        that starts at or before the last time.

    Returns
    -------
    Answer

    Raises
    ------
    TypeError
        For an argument of another type.
    ValueError
        For a name, size, slide or shape that is out of range; for times that descend, with the
        index and both times; for an infinity, or a sum beyond binary64, under subtract-on-evict.
    """
    algorithm = arguments.chosen("algorithm", algorithm, Algorithm)
    functions = arguments.functions(aggregates)
    values = arguments.stream(values)
    size, slide = arguments.geometry(size, slide)
    start = None if start is None else arguments.integer("start", start)
    times = None if times is None else arguments.clock(times, len(values))
    if start is not None and times is None:
        raise ValueError(f"start must be None without times, not {start}")
    if algorithm == Algorithm.SUBTRACT_ON_EVICT:
        _check_invertible(functions, values)

    nan = 0
    if values.dtype.kind == "f" and functions != [Function.COUNT]:
        is_number = ~np.isnan(values)
        nan = values.size - int(np.count_nonzero(is_number))
        if nan:
            values = values[is_number]
            times = None if times is None else times[is_number]
    if times is None:
        cut = windows.rows(len(values), size, slide)
        valid: np.ndarray = np.broadcast_to(np.True_, cut.number)
    else:
        cut = windows.range_(times, size, slide, start)
        valid = cut.counts > 0
    columns = {str(f): _column(algorithm, f, values, cut) for f in functions}
    if cut.timed:
        for function in {Function.MIN, Function.MAX, Function.AVG}.intersection(functions):
            columns[str(function)][~valid] = 0
    return Answer(columns, valid, cut.end_times, nan, cut.late)


def _check_invertible(functions, values):
    """Raises ValueError if subtract-on-evict cannot compute one of the functions of the values."""
    for function in functions:
        if function in (Function.MIN, Function.MAX):
            raise ValueError(
                f"aggregate must be a sum, a count or an average under "
                f"{Algorithm.SUBTRACT_ON_EVICT}, not {function}, which cannot be subtracted"
            )
    if values.dtype.kind == "f" and functions != [Function.COUNT]:
        arguments.finite(values)  # an infinity less itself is a NaN, which would never leave


def _column(algorithm, function, values, cut: Windows):
    """Returns the exact column of an aggregate, also if its sums need more than 64 bits."""
    if function == Function.COUNT:
        return cut.counts
    if values.dtype.kind == "f" and algorithm == Algorithm.SUBTRACT_ON_EVICT:
        return _checked(_results(algorithm, function, values, cut))
    adds = function in (Function.SUM, Function.AVG)
    if adds and values.dtype == np.int64 and not wide.fits(values, cut):
        sums = partial(_results, algorithm, Function.SUM, cut=cut)
        return wide.results(sums, function, values, cut)
    return _results(algorithm, function, values, cut)


def _results(algorithm, function, values, cut):
    """Returns the column of an aggregate that the algorithm's kernel computes."""
    if function in (Function.MIN, Function.MAX) and values.dtype.kind == "f":
        places = invert_negatives(values.view(f"i{values.itemsize}"))
        return invert_negatives(_results(algorithm, function, places, cut)).view(values.dtype)
    op = operator(function, values.dtype, in_order=algorithm == Algorithm.NON_INCREMENTAL)
    out = np.empty(cut.number, op.result)
    if cut.number:
        _RESULTS[algorithm](op, values, cut, out)
    return out


def _checked(sums):
    """Returns sums or averages of finite floats; raises ValueError if one overflows."""
    if sums.dtype == np.float64 and not np.isfinite(sums).all():  # binary32 is added in binary64
        raise ValueError(
            f"sums must keep within binary64 under {Algorithm.SUBTRACT_ON_EVICT}, not run over "
            f"it in window {int(np.argmax(~np.isfinite(sums)))}: that cannot be subtracted again"
        )
    return sums
