"""Converts tuples to the columns that Spark gets, and Spark's rows back to floats.

Spark's optimiser treats -0 and +0 as one number in some places and as two in others. So golden
never lets Spark compare, group or count floats. Spark gets the *place* of a float instead: an
integer whose order is IEEE-754's totalOrder, with -0 below +0. Read as signed integers, the bits of
positive floats ascend with the value, and the bits of negative floats descend. Inverting all bits
but the sign of the negative floats makes both ascend; a second inversion restores the bits:

    float32  -1 : bits 0xBF800000 -> place -1065353217
    float32  -0 : bits 0x80000000 -> place -1
    float32  +0 : bits 0x00000000 -> place 0
    float32  +1 : bits 0x3F800000 -> place 1065353216

Only sums and averages read the floats themselves, in a second column.
"""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from golden.tuples import Tuples, arrow_type
from query.query import Query
from query.types import String, Type

ARRIVAL = "#"  # column of arrival numbers; no column of a schema can have this name
_BITS = {4: np.int32, 8: np.int64}  # type of a float's bits, by the bytes of the float


def carried(query: Query, tuples: Tuples) -> pa.Table:
    """Returns the query's columns as Spark gets them, after `ARRIVAL`, in order of arrival.

    `ARRIVAL` keeps the number of tuples if the query uses no column. A float column holds places as
    int64. If the query sums or averages the column, a second column with the name `addends` holds
    the floats. Strings lose zero bytes at their end, which the hardware cannot tell from padding.
    All other columns are the same as in ``tuples``.
    """
    columns = {ARRIVAL: pa.array(np.arange(len(tuples)))}
    for column in query.columns:
        columns[column.name] = carried_column(tuples.table[column.name], column.type)
    for item in query.items:
        if item.aggregate.adds_floats:
            name = item.aggregate.operand.name
            columns[addends(name)] = tuples.table[name]
    return pa.table(columns)


def addends(name: str) -> str:
    """Returns the name of the column that holds the floats of the column ``name``."""
    return f"{name}#"


def place(raw: int, type_: Type) -> int:
    """Returns the place of the float whose bits are ``raw``."""
    sign = 1 << (type_.width - 1)
    return raw if raw < sign else sign - 1 - raw


def extremes(type_: Type) -> tuple[int, int]:
    """Returns the places of -inf and +inf; NaNs lie below the one or above the other."""
    low, high = (place(type_.parse(text), type_) for text in ("-inf", "inf"))
    return low, high


def plain_rows(query: Query, rows: pa.Table) -> pa.Table:
    """Returns the rows of Spark, with each place of a float replaced by the float.

    Sums and averages are floats already. If they add infinities of both signs, they are a NaN,
    whose bits depend on the machine; the result has one NaN instead, with sign 0 and only the first
    bit of the fraction set: 0x7FC00000 as float32.
    """
    types: dict[str, Type | None] = {query.key.name: query.key.type} if query.key else {}
    types |= {item.name: item.aggregate.result.type for item in query.items}
    summed = {item.name for item in query.items if item.aggregate.adds_floats}
    for name, type_ in types.items():
        if type_ is not None and type_.floating:
            index, column = rows.schema.get_field_index(name), rows[name]
            floats = _with_one_nan(column) if name in summed else _floats(column, type_)
            rows = rows.set_column(index, name, floats)
    return rows


def carried_column(column: pa.ChunkedArray, type_: Type) -> pa.Array | pa.ChunkedArray:
    """Returns a column of ``type_`` as Spark compares it: see `carried`."""
    if isinstance(type_, String):
        return pc.ascii_rtrim(column, characters="\0")
    if not type_.floating:
        return column
    bits = column.combine_chunks().to_numpy(zero_copy_only=False)
    return pa.array(invert_negatives(bits.view(_BITS[bits.itemsize])).astype(np.int64))


def plain_column(column: pa.ChunkedArray, type_: Type) -> pa.ChunkedArray:
    """Returns a column of `carried_column` with floats for places; other columns are unchanged."""
    if not type_.floating:
        return column
    return pa.chunked_array([_floats(column, type_)])


def array_of(column: pa.Array) -> np.ndarray:
    """Returns a column without NULL as an array; decimals, raws of uint(64), become uint64."""
    numbers = column.cast(pa.uint64()) if pa.types.is_decimal(column.type) else column
    return numbers.to_numpy(zero_copy_only=False)


def _floats(places, type_):
    """Returns an array of the floats of places; null stays null."""
    kind = arrow_type(type_)
    places = places.combine_chunks()
    filled = pc.fill_null(places, 0).to_numpy(zero_copy_only=False)
    bits = invert_negatives(filled.astype(_BITS[type_.width // 8]))
    floats = pa.array(bits.view(kind.to_pandas_dtype()), kind)
    return pc.if_else(pc.is_valid(places), floats, pa.scalar(None, kind))


def _with_one_nan(sums):
    """Returns the sums with every NaN replaced by the same NaN; null stays null."""
    return pc.if_else(pc.is_nan(sums), pa.scalar(np.nan, sums.type), sums)


def invert_negatives(bits: np.ndarray) -> np.ndarray:
    """Inverts all bits but the sign if the sign is 1: bits become places, places become bits."""
    sign = 8 * bits.itemsize - 1
    return bits ^ ((bits >> sign) & np.iinfo(bits.dtype).max)
