"""Handles the rows that hardware marks, because their windows did not fit into a key's ring."""

from collections.abc import Mapping
from functools import reduce

import pyarrow as pa
import pyarrow.compute as pc

from golden.compare.tables import without_values
from query.query import Query

#: Counter of the windows whose rows are marked because blocks gave way in a ring.
OVERFLOWED = "overflowed_windows"


def without_marked_values(query: Query, expected: pa.Table, rows: pa.Table) -> pa.Table:
    """Returns golden's rows; where the hardware marked a row, golden's values become NULL.

    So a marked row is compared by its window and key only. A row is marked if all its values are
    NULL. Golden has no row without a value, because a window of a key has at least one tuple.
    """
    names = expected.column_names[-len(query.items) :]
    return without_values(expected, _marked(query, rows), names)


def overflow_problems(
    query: Query, rows: pa.Table | None, counters: Mapping[str, int], streams: int
) -> list[str]:
    """Returns a line if windows did not fit, and a line if their counter is wrong."""
    count = counters.get(OVERFLOWED, 0)
    if not count:
        return []
    problems = [
        f"{count:,} windows did not fit into the rings of their keys, and their rows are marked: "
        "give a smaller expected_ratio"
    ]
    if rows is not None:
        marked = pc.sum(_marked(query, rows)).as_py() or 0
        wrong = counters.get("wrong_windows", 0)
        overflowed = streams * marked - wrong
        if count != overflowed:
            reduction = f" less {wrong} wrong windows" if wrong else ""
            problems.append(
                f"counter {OVERFLOWED} must be {overflowed}, the number of marked rows{reduction}, "
                f"not {count}"
            )
    return problems


def _marked(query, rows):
    """Returns whether all values of each row are NULL."""
    columns = [rows[name].combine_chunks() for name in rows.column_names[-len(query.items) :]]
    return reduce(pc.and_, (column.is_null() for column in columns))
