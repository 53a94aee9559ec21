"""Holds tuples in arrival order, as Arrow columns of raw values."""

from dataclasses import dataclass, field

import pyarrow as pa

from query.schema import Schema
from query.types import Double, Float, String, Type


def arrow_type(type_: Type) -> pa.DataType:
    """Returns the Arrow type of a column of ``type_`` in golden, simulation and comparison.

    Integers and fixed point are carried as their raw number: int64, or decimal128(20, 0) for
    ``uint(64)``. Floating point is carried as float32 or float64, and a string as a string without
    padding.
    """
    if isinstance(type_, Double):
        return pa.float64()
    if isinstance(type_, Float):
        return pa.float32()
    if isinstance(type_, String):
        return pa.string()
    return pa.int64() if type_.raw_max < 1 << 63 else pa.decimal128(20, 0)


@dataclass(frozen=True, eq=False)
class Tuples:
    """Holds the columns that a query uses, in arrival order.

    Attributes
    ----------
    schema : Schema
        Schema of the input stream; ``table`` may hold only some of its columns.
    table : pa.Table
        Raw values, each column of `arrow_type`, without nulls.
    mappings : dict of str to pa.Array
        Originals of each key column whose values do not fit its type: position i holds the
        original of dense id i, ascending.
    """

    schema: Schema
    table: pa.Table
    mappings: dict[str, pa.Array] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, kind in zip(self.table.column_names, self.table.schema.types, strict=True):
            expected = arrow_type(self.schema[name].type)
            if kind != expected:
                raise TypeError(f"column {name} must be {expected}, not {kind}")

    def __len__(self) -> int:
        return self.table.num_rows
