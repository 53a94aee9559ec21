"""Tuples in arrival order, as Arrow columns of raw values."""

from dataclasses import dataclass, field

import pyarrow as pa

from query.schema import Schema
from query.types import Double, Float, String, Type


def arrow_type(type_: Type) -> pa.DataType:
    """How a column of ``type_`` is carried between golden, simulation and comparison.

    Integers and fixed point are their raw number: int64, or decimal128(20, 0) for ``uint(64)``.
    Floating point is itself (float32, float64), and a string is a string without padding.
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
    """The columns that were asked for, in arrival order.

    Attributes
    ----------
    schema : Schema
        The whole input stream, whose columns ``table`` may hold but some of.
    table : pa.Table
        Raw values, each column of `arrow_type`, without nulls.
    mappings : dict of str to pa.Array
        For a key column whose originals do not fit its type: position i holds the original of
        dense id i, ascending.
    """

    schema: Schema
    table: pa.Table
    mappings: dict[str, pa.Array] = field(default_factory=dict)

    def __post_init__(self):
        for name, kind in zip(self.table.column_names, self.table.schema.types, strict=True):
            expected = arrow_type(self.schema[name].type)
            if kind != expected:
                raise TypeError(f"column {name} must be {expected}, not {kind}")

    def __len__(self):
        return self.table.num_rows
