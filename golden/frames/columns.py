"""Converts the columns of a user's frame to the columns that golden's plans read.

A value of a usual type becomes a raw value by a Spark expression: whole numbers, decimals without a
fraction, binary floating point to fixed point (a product with a power of two is exact, and ``rint``
rounds ties to even), and strings. Texts of numbers, decimals with a fraction and all columns of
floating point, which need their places (`golden.values.carry`), pass through Arrow in Spark's
Python workers, by the same functions as the columns of golden's own readers. In both cases a value
that does not fit is an error, which names the column and the value.
"""

from collections.abc import Iterable, Iterator

import pyarrow as pa
from pyspark.sql import Column as Expression
from pyspark.sql import DataFrame
from pyspark.sql import functions as fn
from pyspark.sql.pandas.types import from_arrow_type
from pyspark.sql.types import (
    BooleanType,
    ByteType,
    DataType,
    DateType,
    DecimalType,
    DoubleType,
    FloatType,
    IntegerType,
    LongType,
    NumericType,
    ShortType,
    StringType,
    TimestampNTZType,
    TimestampType,
)

from golden.order.arrival import ORDER
from golden.readers import delimited
from golden.spark.arrow_maps import map_batches
from golden.tuples import arrow_type
from golden.values.carry import addends, carried_column
from golden.values.convert import BadValue, raw_column
from query.errors import UserError, nearest
from query.query import Query
from query.schema import Column
from query.types import BLANKS, Double, Fixed, Float, String

_WHOLE_NUMBERS = (BooleanType, ByteType, ShortType, IntegerType, LongType)
_BINARY = (FloatType, DoubleType)


def carried_frame(query: Query, frame: DataFrame, *others: str) -> DataFrame:
    """Returns the query's columns in the form of `golden.values.carry`, and the columns ``others``.

    Raises UserError if ``frame`` lacks a column of the schema, or if a column in use has a type
    that cannot hold values of the schema's type. A value that does not fit is an error of the Spark
    job that finds it.
    """
    own_names = [name for name in frame.columns if name not in others]
    delimited.require(None, own_names, query.schema.names)
    check_case(frame, [column.name for column in query.columns])
    types = {field.name: field.dataType for field in frame.schema}
    summed = {i.aggregate.operand.name for i in query.items if i.aggregate.adds_floats}
    direct, by_arrow = {}, []
    for column in query.columns:
        check_type(column, types[column.name])
        expression = _expression(column, types[column.name])
        if expression is None:
            by_arrow.append(column)
        direct[column.name] = fn.col(f"`{column.name}`") if expression is None else expression
    other_columns = [fn.col(f"`{name}`") for name in others]
    selected = frame.select(*(e.alias(name) for name, e in direct.items()), *other_columns)
    if not by_arrow:
        return selected
    added = [column for column in by_arrow if column.name in summed]
    return _through_arrow(selected, by_arrow, added)


def check_case(frame: DataFrame, names: list[str]) -> None:
    """Raises UserError for a name that the session cannot tell from another column's."""
    if frame.sparkSession.conf.get("spark.sql.caseSensitive") == "true":
        return
    for name in names:
        same = [other for other in frame.columns if other.lower() == name.lower()]
        if len(same) > 1:
            raise UserError(
                f"columns {' and '.join(same)} differ in the case of letters, which this Spark "
                "session ignores: set spark.sql.caseSensitive to true, or rename a column"
            )


def order_column(frame: DataFrame, name: str) -> Expression:
    """Returns the column of the arrival order, under the name `ORDER`: a number of three types.

    A column of texts must hold whole numbers of up to 38 digits; another text is an error of the
    Spark job that finds it. Raises UserError for a column that is missing, or is no number, text,
    date or time.
    """
    if name not in frame.columns:
        hint = nearest(name, frame.columns, else_list=False)
        names = ", ".join(frame.columns)
        raise UserError(f"order: there is no column {name}, only: {names}{hint}")
    if frame.columns.count(name) > 1:
        raise UserError(f"order: there is more than one column {name}; rename one")
    check_case(frame, [name])
    kind, column = frame.schema[name].dataType, column_named(name)
    if isinstance(kind, TimestampType):
        number = fn.unix_micros(column)
    elif isinstance(kind, TimestampNTZType):
        number = _microseconds(column)
    elif isinstance(kind, DateType):
        number = fn.unix_date(column).cast("long")
    elif isinstance(kind, _BINARY):
        number = column.cast("double")
    elif isinstance(kind, StringType):
        number = _whole_number_of_text(name, column)
    elif isinstance(kind, DecimalType) or not isinstance(kind, NumericType):
        if not isinstance(kind, DecimalType):
            text = kind.simpleString()
            raise UserError(f"order: {name} must be a number, a date or a time, and is a {text}")
        number = column
    else:
        number = column.cast("long")
    return number.alias(ORDER)


def column_named(name: str) -> Expression:
    """Returns the column of a name. The name may have dots and backticks."""
    quoted = name.replace("`", "``")
    return fn.col(f"`{quoted}`")


def _microseconds(time):
    """Returns the microseconds of a time without a zone, in which no hour is missing or doubled."""
    minutes = (fn.unix_date(time.cast("date")).cast("long") * 24 + fn.hour(time)) * 60
    seconds = (minutes + fn.minute(time)) * 60
    return seconds * 1_000_000 + (fn.extract(fn.lit("second"), time) * 1_000_000).cast("long")


def _whole_number_of_text(name, column):
    kind = "decimal(38,0)"
    text = fn.btrim(column, fn.lit(BLANKS))
    message = fn.concat(
        fn.lit(f"order: {name}: '"), fn.substring(column, 1, 40), fn.lit("' is no whole number")
    )
    is_number = text.rlike(r"^[+-]?[0-9]{1,38}$") | text.isNull()
    return fn.when(is_number, text.cast(kind)).otherwise(fn.raise_error(message).cast(kind))


def check_type(column: Column, kind: DataType) -> None:
    """Raises UserError if values of Spark's type ``kind`` can never be values of the column."""
    text = isinstance(kind, StringType)
    if not text and (
        isinstance(column.type, String) or not isinstance(kind, NumericType | BooleanType)
    ):
        raise UserError(f"{column.name}: a {kind.simpleString()} is no value for {column.type}")


def _expression(column: Column, kind: DataType) -> Expression | None:
    """Returns the raw values as an expression; None if they need Arrow."""
    type_ = column.type
    value = fn.col(f"`{column.name}`")
    if isinstance(type_, String):
        if (
            isinstance(kind, StringType) and kind.collation != "UTF8_BINARY"
        ):  # others take different texts for equal
            value = fn.collate(value, "UTF8_BINARY")
        return _string(column, value)
    if isinstance(type_, Float):
        return None
    if isinstance(kind, _WHOLE_NUMBERS):
        return _from_whole_number(column, value.cast("long"), (1 << 63) - 1)
    if isinstance(kind, DecimalType) and kind.scale == 0:
        return _from_whole_number(column, value, 10**38)
    if isinstance(kind, _BINARY) and type_.raw_max < 1 << 63:
        return _from_binary(column, value.cast("double"))
    return None


def _string(column, value):
    fits = (fn.octet_length(value) <= column.type.length) & fn.is_valid_utf8(value)
    return _checked(column, value, fits, fn.rtrim(value, fn.lit("\0")))


def _from_whole_number(column, value, greatest):
    """Returns the raw values of whole numbers, which are at most ``greatest``."""
    type_ = column.type
    low, high = -(-type_.raw_min // (1 << type_.fraction)), type_.raw_max >> type_.fraction
    kind = "long" if greatest < 1 << 63 else "decimal(38,0)"
    fits = value.isNotNull()
    if low > -greatest - 1:
        fits = fits & (value >= fn.lit(str(low)).cast(kind))
    if high < greatest:
        fits = fits & (value <= fn.lit(str(high)).cast(kind))
    raw = value.cast(_raw_kind(type_))
    if type_.fraction:
        raw = fn.shiftleft(raw, type_.fraction)
    return _checked(column, value, fits, raw)


def _from_binary(column, value):
    """Returns the raw values of doubles: exact products, then rounded to nearest, ties to even."""
    type_ = column.type
    scaled = fn.rint(value * fn.lit(float(1 << type_.fraction)))
    fits = (scaled >= float(type_.raw_min)) & (scaled < float(type_.raw_max + 1))
    if not isinstance(type_, Fixed):
        fits = fits & (scaled == value)
    return _checked(column, value, fits, scaled.cast("long"))


def _checked(column, value, fits, raw):
    """Returns ``raw``, or raises an error where ``fits`` is false or the value is missing."""
    name, type_ = f"{column.name}: ", str(column.type)
    beginning = fn.substring(value.cast("string"), 1, 60)
    message = fn.when(value.isNull(), fn.lit(f"{name}there is no value")).otherwise(
        fn.concat(fn.lit(name), beginning, fn.lit(f" does not fit {type_}"))
    )
    return fn.when(fits, raw).otherwise(fn.raise_error(message).cast(_raw_kind(column.type)))


def _raw_kind(type_):
    """Returns Spark's type of a carried column: floats are carried as their places."""
    return "long" if type_.floating else from_arrow_type(arrow_type(type_)).simpleString()


def _through_arrow(frame, columns, added):
    """Returns the frame with the carried values of ``columns``, and the floats of ``added``."""
    names = frame.columns
    kinds = {field.name: field.dataType.simpleString() for field in frame.schema}
    kinds |= {column.name: _raw_kind(column.type) for column in columns}
    for column in added:
        kinds[addends(column.name)] = "double" if isinstance(column.type, Double) else "float"

    def convert(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            arrays = dict(zip(names, batch.columns, strict=True))
            for column in columns:
                raws = raw_column(arrays[column.name], column.type)
                if isinstance(raws, BadValue):
                    raise UserError(f"{column.name}: {raws.reason}")
                if column in added:
                    arrays[addends(column.name)] = raws
                arrays[column.name] = carried_column(pa.chunked_array([raws]), column.type)
            yield pa.record_batch(_plain(arrays.values()), names=list(kinds))

    schema = ", ".join(f"`{name}` {kind}" for name, kind in kinds.items())
    return map_batches(frame, convert, schema)


def _plain(columns):
    return [c.combine_chunks() if isinstance(c, pa.ChunkedArray) else c for c in columns]
