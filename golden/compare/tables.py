"""Compares two tables of rows, which hold raw values (`golden.answer.row_types`).

`golden.compare.values` compares rows of files, whose types may differ.
"""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from golden.rows import parts_of


def mismatches(expected: pa.Table, actual: pa.Table) -> int:
    """Returns the number of rows that differ from the row at the same index in the other table.

    Floats compare by their bits, and null equals only null. A row beyond the end of the other table
    is a mismatch.

    Raises
    ------
    ValueError
        When the names of the columns, or their order, differ.
    """
    _check_names(expected, actual)
    rows = min(expected.num_rows, actual.num_rows)
    unequal = 0
    for a, b in zip(parts_of(expected[:rows]), parts_of(actual[:rows]), strict=True):
        unequal += pc.sum(_different(a, b)).as_py() or 0
    return unequal + abs(expected.num_rows - actual.num_rows)


def without_values(table: pa.Table, marked: pa.Array, names: list[str]) -> pa.Table:
    """Returns the table with NULL in the columns ``names`` of all marked rows.

    ``marked`` has a bool for each of the first rows, never NULL. Rows after the end of ``marked``
    stay as they are. For instance with ``[True]`` only row 0 loses its values.
    """
    rows = min(table.num_rows, len(marked))
    marked = pa.concat_arrays(
        [marked[:rows], pa.array([False] * (table.num_rows - rows), pa.bool_())]
    )
    for at, name in enumerate(table.column_names):
        if name in names:
            column = table[name].combine_chunks()
            nulls = pa.nulls(len(column), column.type)
            table = table.set_column(at, table.schema.field(at), pc.if_else(marked, nulls, column))
    return table


def first_difference(
    expected: pa.Table, actual: pa.Table
) -> tuple[int, dict | None, dict | None] | None:
    """Returns (index, expected row, actual row) of the first difference; None for equal tables.

    A row is a dict, or None beyond the end of its table.

    Raises
    ------
    ValueError
        When the names of the columns, or their order, differ.
    """
    _check_names(expected, actual)
    rows = min(expected.num_rows, actual.num_rows)
    begin = 0
    for a, b in zip(parts_of(expected[:rows]), parts_of(actual[:rows]), strict=True):
        index = pc.index(_different(a, b), True).as_py()
        if index >= 0:
            return begin + index, _row(a, index), _row(b, index)
        begin += a.num_rows
    if expected.num_rows == actual.num_rows:
        return None
    return rows, _row(expected, rows), _row(actual, rows)


def missing_rows(expected: pa.Table, actual: pa.Table) -> int:
    """Returns the number of rows of ``expected`` that ``actual`` does not have at any index.

    Rows are equal as in `mismatches`. A row that occurs twice in ``expected`` must occur twice in
    ``actual``: if ``expected`` is ``a a b`` and ``actual`` is ``c a``, one ``a`` and the ``b`` are
    missing.

    Raises
    ------
    ValueError
        When the names of the columns, or their order, differ.
    """
    _check_names(expected, actual)
    rows = expected.num_rows
    # Two rows have equal numbers if and only if they are equal in all columns up to here. Numbers
    # are below the count of rows, so the products stay within 64 bits.
    numbers = np.zeros(rows + actual.num_rows, np.int64)
    for name in expected.column_names:
        column = pa.concat_arrays([_comparable(table[name]) for table in (expected, actual)])
        values = column.dictionary_encode(null_encoding="encode")
        numbers = numbers * len(values.dictionary) + values.indices.to_numpy()
        _, numbers = np.unique(numbers, return_inverse=True)
    number_count = int(numbers.max(initial=0)) + 1
    counts = np.bincount(numbers[:rows], minlength=number_count)
    counts -= np.bincount(numbers[rows:], minlength=number_count)
    return int(counts.clip(min=0).sum())


def _check_names(expected, actual):
    names, actual_names = expected.column_names, actual.column_names
    if names != actual_names:
        raise ValueError(f"columns must be {', '.join(names)}, not {', '.join(actual_names)}")


def _different(expected, actual):
    """Returns for each row True if the two tables differ in it; both have equally many rows."""
    different = pa.chunked_array([[False] * expected.num_rows], pa.bool_())
    for name in expected.column_names:
        a, b = (_comparable(table[name]) for table in (expected, actual))
        unequal = pc.fill_null(pc.not_equal(a, b), False)
        nulls = pc.xor(pc.is_null(a), pc.is_null(b))
        different = pc.or_(different, pc.or_(unequal, nulls))
    return different


def _comparable(column):
    """Returns a column in a type that compares exactly: floats by their bits."""
    column = column.combine_chunks()
    if pa.types.is_float32(column.type):
        return column.view(pa.int32())
    if pa.types.is_float64(column.type):
        return column.view(pa.int64())
    return column if pa.types.is_string(column.type) else column.cast(pa.decimal128(38, 0))


def _row(table, index):
    return table.slice(index, 1).to_pylist()[0] if index < table.num_rows else None
