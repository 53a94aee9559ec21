"""Converts tables to tuples, and computes the rows of a query by PySpark."""

from decimal import Decimal
from os import PathLike
from os.path import isfile
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from gen.jobs.expected_rows import expect
from golden import readers
from golden.frames.answer import answer as frame_answer
from golden.frames.collected import collected
from golden.frames.errors import clear_errors
from golden.frames.results import user_schema
from golden.readers import delimited
from golden.readers.google import refuse_numbers
from golden.rows import fraction_bits, in_schema, parts_of
from golden.tuples import Tuples
from query.errors import UserError
from query.query import Query
from query.types import BLANKS
from sluice.arguments import begin_of, cache_of, check_master, check_names, path_of
from sluice.queries import AnyQuery, query_of
from sluice.tables import is_spark, like, to_arrow

MASTER = "local[*]"


def tuples(query: AnyQuery, table: Any, *, order: str | None = None) -> Tuples:
    """Returns the tuples of a table: the columns that the query uses, as raw values.

    Parameters
    ----------
    query : Query, DesignPoint or path
    table : table or path
        Any table of `sluice.tables`, with every column of the query's schema; or tuples that this
        function returned for a query with the same schema. A path must be one
        file of CSV or Parquet, gzipped or not. Numbers are converted exactly; fixed point is
        rounded to nearest, ties to even.
    order : str or None
        Column by which the tuples arrive in ascending order, such as a running number; no two
        values may be equal. None takes the order of the table's rows; for a Spark DataFrame, the
        order of the files and their rows, as in `golden.frames.answer.answer`.

    Raises
    ------
    UserError
        For a missing column, for the first value that does not fit its column's type, for a column
        ``order`` with two equal values or a missing value, and for a Spark DataFrame whose order is
        unknown.
    """
    parsed = query_of(query)
    check_names(order=order)
    if isinstance(table, Tuples):
        if table.schema.columns != parsed.schema.columns:
            raise UserError(f"the tuples are of {table.schema.name} with other columns")
        if missing := [c.name for c in parsed.columns if c.name not in table.table.column_names]:
            raise UserError(f"the tuples of another query have no column {missing[0]}")
        for name, originals in table.mappings.items():
            refuse_numbers(None, parsed, name, originals)
        if order is not None:
            raise UserError("order is for tables, and tuples have their order")
        return table
    if isinstance(table, str | PathLike):
        if order is not None:
            raise UserError("order is for tables, and a file's tuples arrive in its order")
        return _file_tuples(path_of(table), parsed)
    place = Path(f"the {type(table).__name__}")  # errors begin with this text, as with a file
    names = [column.name for column in parsed.columns] or list(parsed.schema.names[:1])
    if is_spark(table):
        with clear_errors(place):
            arrow = collected(parsed, table, names, order)
    else:
        arrow = to_arrow(table, [*parsed.schema.names, *([] if order is None else [order])])
        delimited.require(place, arrow.column_names, parsed.schema.names)
        if order is not None:
            arrow = _sorted(arrow, names, order)
    columns = {name: arrow[name] for name in names}
    return delimited.tuples(place, parsed, columns, lambda row: {"line": row + 1})


def answer(
    query: AnyQuery,
    table: Any,
    *,
    order: str | None = None,
    start: str | int | None = None,
    master: str = MASTER,
    cache: str | PathLike[str] | None = None,
) -> Any:
    """Returns the rows of a query over a table, computed by PySpark, as a table of the same kind.

    Parameters
    ----------
    query, table, order
        As in `tuples`; rows over a path are an Arrow table.
    start : str, int or None
        Start of the first window of RANGE, as in ``--start``; None takes the first tuple's.
    master : str
        Spark master of the session that computes the rows; the session stays for further calls. No
        effect for a Spark DataFrame, nor if the program has started Spark itself: golden then uses
        the program's Spark, in a session of its own, and does not change the program's sessions.
    cache : path-like or None
        Folder that keeps the rows for later calls; None is the user's cache folder. No effect for a
        Spark DataFrame.

    Returns
    -------
    table
        The columns of the query's rows in their order: fixed point as exact decimals, NULL for
        aggregates of nothing. Rows over a Spark DataFrame are a Spark DataFrame, which Spark
        computes in its own session when it is used; nothing is collected
        (`golden.frames.answer.answer`).

    Raises
    ------
    UserError
    """
    parsed = query_of(query)
    check_names(order=order)
    begin = begin_of(parsed, start)
    if is_spark(table):
        return frame_answer(parsed, table, order, begin)
    check_master(master)
    folder = cache_of(cache)
    arrivals = tuples(parsed, table, order=order)
    expected = expect(parsed, arrivals, master, folder, begin)
    return like(table, user_rows(parsed, expected.rows))


def _file_tuples(path, query):
    """Returns the tuples of a file; raises UserError for a suffix of another format."""
    if isfile(path) and not readers.has_format(path):
        raise UserError("must be CSV or Parquet; give other data as a table", file=path)
    return readers.read(path, query)


def user_rows(query: Query, rows: pa.Table) -> pa.Table:
    """Returns rows of raw values with the values that a user reads.

    The types depend only on the query, and are those of `golden.frames.answer.answer`: fixed point
    is an exact decimal, or a text where a column may need more than 38 digits.
    """
    schema, bits = user_schema(query), fraction_bits(query)
    return pa.concat_tables([in_schema(part, schema, bits) for part in parts_of(rows)])


def _sorted(table, chosen, order):
    """Returns the ``chosen`` columns, with the rows in ascending order of the column ``order``.

    The other columns are left out before the rows are sorted: Arrow cannot reorder some kinds of
    columns, such as lists of text views, and a query uses none of these kinds.

    Raises UserError if the column ``order`` is missing or there are two, if it has equal values,
    NULL or NaN, and if its type has no order in Spark either.
    """
    names = table.column_names
    if order not in names:
        raise UserError(f"order: there is no column {order}, only: {', '.join(names)}")
    if names.count(order) > 1:
        raise UserError(f"order: there is more than one column {order}")
    numbers = _order_numbers(table[order], order)
    if len(pc.unique(numbers)) < len(numbers):
        raise UserError(f"order: {order} has equal values, so the order of their rows is unknown")
    return table.select(chosen).take(pc.array_sort_indices(numbers))


def _order_numbers(column, name):
    """Returns the numbers by which tuples are sorted; a text must be a whole number.

    The rules are those of `golden.frames.columns.order_column` for the columns of Spark.
    """
    values = column.combine_chunks()
    if pa.types.is_dictionary(values.type):
        values = values.dictionary_decode()
    is_nan = pc.is_nan(values) if pa.types.is_floating(values.type) else None
    if missing := values.null_count + (pc.sum(is_nan).as_py() or 0 if is_nan is not None else 0):
        raise UserError(f"order: {name} has {missing:,} rows without a value")
    if pa.types.is_float16(values.type):  # Arrow does not sort them
        values = values.cast(pa.float32())
    if pa.types.is_decimal32(values.type) or pa.types.is_decimal64(values.type):  # nor these
        values = values.cast(pa.decimal128(values.type.precision, values.type.scale))
    kind = values.type
    if pa.types.is_floating(kind):
        values = pc.add(values, pa.scalar(0.0, kind))  # -0 and +0 are equal in Spark's order
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return _whole_numbers(values, name)
    tests = (pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal, pa.types.is_temporal)
    is_sortable = any(test(kind) for test in tests) and not pa.types.is_interval(kind)
    if not is_sortable and (len(values) or pa.types.is_interval(kind)):
        raise UserError(f"order: {name} must be a number, a date or a time, and is a {kind}")
    return values


def _whole_numbers(texts, name):
    """Returns the whole numbers that texts spell, as decimals of 38 digits.

    Raises UserError for the first text that is no whole number of up to 38 digits.
    """
    trimmed = pc.ascii_trim(texts, characters=BLANKS)
    is_number = pc.match_substring_regex(trimmed, r"^[+-]?[0-9]{1,38}$")
    if not pc.all(is_number).as_py() and len(texts):
        text = texts[pc.index(is_number, False).as_py()].as_py()
        raise UserError(f"order: {name}: '{text:.40}' is no whole number")
    return pa.array([Decimal(text) for text in trimmed.to_pylist()], pa.decimal128(38, 0))
