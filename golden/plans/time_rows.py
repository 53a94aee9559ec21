"""Completes Spark's rows of windows of time: adds the windows' ends, and rows of empty windows.

A gap in the times can hold many millions of windows, whose rows are all alike. So this module
builds their rows by whole columns, without Spark.
"""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from query.query import Query
from query.window import Range

_BATCH = 1 << 20  # windows whose rows are made at a time


def end_type(window: Range) -> pa.DataType:
    """Returns the type of ``window_end``: int64 if every end fits, else a decimal of 38 digits.

    A window can end after the greatest time of the column's type, and before the least time.
    """
    type_ = window.attribute.type
    # The default start is the first time less the slack, rounded down to a multiple of the slide.
    # So window 0 ends after `earliest`, as its size is at least the slide. The last window begins
    # at the greatest time or before.
    earliest = type_.raw_min - window.slack
    latest = type_.raw_max + window.size
    fits = earliest >= -(1 << 63) and latest < 1 << 63
    return pa.int64() if fits else pa.decimal128(38, 0)


def with_ends(rows: pa.Table, window: Range, start: int) -> pa.Table:
    """Returns ``rows`` with a column ``window_end`` after the column ``window``.

    Window n ends at start + n * slide + size, in raw units of the time column. For instance with
    start 100, RANGE 10 and SLIDE 5 window 2 ends at 120.
    """
    type_ = end_type(window)
    ends = [_ends(chunk, window, start, type_) for chunk in rows["window"].chunks]
    return rows.add_column(1, "window_end", pa.chunked_array(ends, type_))


def with_empty(rows: pa.Table, query: Query, count: int) -> pa.Table:
    """Adds rows of empty windows, so that each of the windows 0 to ``count`` - 1 has a row.

    The query has no groups, and ``rows`` have no column ``window_end`` yet; they ascend by their
    first column, ``window``, with at most one row for each window. A result of an empty window is 0
    or NULL, as its function declares. For instance with rows of the windows 1 and 3, and a count of
    5, the windows 0, 2 and 4 get a row.
    """
    if rows.num_rows == count:
        return rows
    zero_columns = {
        item.name for item in query.items if item.aggregate.function.declaration.zero_if_empty
    }
    rows = rows.combine_chunks()
    windows = rows["window"].to_numpy()
    batches = []
    for begin in range(0, count, _BATCH):
        numbers = np.arange(begin, min(begin + _BATCH, count))
        low, high = np.searchsorted(windows, (begin, begin + _BATCH))
        # The index of each window's row; NULL where the window is empty.
        indices = pc.index_in(pa.array(numbers), pa.array(windows[low:high]))
        columns = [pa.array(numbers)]
        for name in rows.column_names[1:]:
            column = rows[name].slice(low, high - low).combine_chunks().take(indices)
            columns.append(pc.fill_null(column, 0) if name in zero_columns else column)
        batches.append(pa.record_batch(columns, names=rows.column_names))
    return pa.Table.from_batches(batches)


def _ends(numbers, window, start, type_):
    """Returns the ends of the windows with these ``numbers``, as a column of ``type_``."""
    if type_ == pa.int64():  # an end fits; a product that does not wraps, and the sum wraps back
        return pa.array(numbers.to_numpy() * window.slide + (start + window.size))
    # A product of decimals of 19 and 38 digits, a window's number and the slide, has 58 digits.
    wide = pa.decimal256(58, 0)
    slides = pc.multiply(numbers.cast(pa.decimal256(19, 0)), _decimal(window.slide))
    return pc.add(slides, _decimal(start + window.size).cast(wide)).cast(type_)


def _decimal(number):
    """Returns a whole number as a decimal of 38 digits."""
    return pa.scalar(str(number)).cast(pa.decimal256(38, 0))
