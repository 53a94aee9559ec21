"""How Spark carries tuples and rows: what it compares is an integer, a decimal or a plain string.

Spark's optimiser takes -0 and +0 for one number in some places and for two in others, so no float
is ever compared, grouped or counted there. A float goes as its *place*: the integer that is ordered
as IEEE-754's totalOrder orders the floats, -0 below +0. With the sign in front, the bits of floats
above zero ascend with the value and those below descend; turning all bits but the sign of the
negative ones round makes one order of both, and doing it twice gives the bits again:

    float32  -1 : bits 0xBF800000 -> place -1065353217
    float32  -0 : bits 0x80000000 -> place -1
    float32  +0 : bits 0x00000000 -> place 0
    float32  +1 : bits 0x3F800000 -> place 1065353216

Only sums see floats themselves, in a second column.
"""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from golden.tuples import Tuples, arrow_type
from query.aggregate import Aggregate, Function
from query.query import Query
from query.types import String, Type

ARRIVAL = "#"  # counts arrivals; no schema can name a column so
_BITS = {4: np.int32, 8: np.int64}


def carried(query: Query, tuples: Tuples) -> pa.Table:
    """The query's columns as Spark gets them, behind `ARRIVAL`, in order of arrival.

    Floats are places, under the column's name, and floats again under `addends` where the query
    sums them; strings have lost their padding; all else is as in ``tuples``.
    """
    columns = {ARRIVAL: pa.array(np.arange(len(tuples)))}
    for column in query.columns:
        columns[column.name] = carried_column(tuples.table[column.name], column.type)
    for item in query.items:
        if sums_floats(item.aggregate):
            name = item.aggregate.column.name
            columns[addends(name)] = tuples.table[name]
    return pa.table(columns)


def addends(name: str) -> str:
    """The column that holds the floats of the column ``name`` themselves."""
    return f"{name}#"


def sums_floats(aggregate: Aggregate) -> bool:
    """Whether ``aggregate`` adds floats, so that its result is a float and no place."""
    sums = aggregate.function in (Function.SUM, Function.AVG)
    return sums and aggregate.column.type.floating


def place(raw: int, type_: Type) -> int:
    """The place of the float whose bits are ``raw``."""
    sign = 1 << (type_.width - 1)
    return raw if raw < sign else sign - 1 - raw


def bits_of_places(places: list[int], width: int) -> list[int]:
    """The bits of floats of so many, unsigned, of their places."""
    sign = 1 << width - 1
    return [here if here >= 0 else sign - 1 - here for here in places]


def places_of_bits(bits: list[int], width: int) -> list[int]:
    """The reverse of `bits_of_places`."""
    sign = 1 << width - 1
    return [raw if raw < sign else sign - 1 - raw for raw in bits]


def extremes(type_: Type) -> tuple[int, int]:
    """The places of -inf and +inf: those of NaNs lie below and above."""
    low, high = (place(type_.parse(text), type_) for text in ("-inf", "inf"))
    return low, high


def plain_rows(query: Query, rows: pa.Table) -> pa.Table:
    """``rows`` as Spark gave them, with floats again where it had their places.

    A sum that is not a number, of infinities of both signs, is the NaN with no bit set but those of
    its exponent and the first behind them, whatever the machine makes of it.
    """
    places = [query.key] if query.key else []
    types = {column.name: column.type for column in places if column.type.floating}
    for item in query.items:
        aggregate = item.aggregate
        counts = aggregate.function in (Function.COUNT, Function.COUNT_DISTINCT)
        if not counts and aggregate.column.type.floating and not sums_floats(aggregate):
            types[item.name] = aggregate.column.type
    for name, type_ in types.items():
        at = rows.schema.get_field_index(name)
        rows = rows.set_column(at, name, _floats(rows[name], type_))
    for item in query.items:
        if sums_floats(item.aggregate):
            at = rows.schema.get_field_index(item.name)
            rows = rows.set_column(at, item.name, _with_one_nan(rows[item.name]))
    return rows


def carried_column(column: pa.ChunkedArray, type_: Type) -> pa.Array | pa.ChunkedArray:
    """Values of ``type_`` as Spark gets them to compare: see `carried`."""
    if isinstance(type_, String):
        return pc.ascii_rtrim(column, characters="\0")
    if not type_.floating:
        return column
    bits = column.combine_chunks().to_numpy(zero_copy_only=False)
    return pa.array(_turned(bits.view(_BITS[bits.itemsize])).astype(np.int64))


def _floats(places, type_):
    """Floats of places; what is null stays null."""
    kind = arrow_type(type_)
    places = places.combine_chunks()
    known = pc.fill_null(places, 0).to_numpy(zero_copy_only=False)
    bits = _turned(known.astype(_BITS[type_.width // 8]))
    floats = pa.array(bits.view(kind.to_pandas_dtype()), kind)
    return pc.if_else(pc.is_valid(places), floats, pa.scalar(None, kind))


def _with_one_nan(sums):
    return pc.if_else(pc.is_nan(sums), pa.scalar(np.nan, sums.type), sums)


def _turned(bits):
    sign = 8 * bits.itemsize - 1
    return bits ^ ((bits >> sign) & np.iinfo(bits.dtype).max)
