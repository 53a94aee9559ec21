"""Columns of the query as fields in hardware."""

from amaranth.hdl import Shape
from amaranth.lib import data

from query.types import Type


def shape_of(type_: Type) -> Shape:
    """Shape of a column's raw value."""
    return Shape(type_.width, type_.signed)


def tuple_layout(columns) -> data.StructLayout:
    """Layout of a tuple of ``columns``, in their order."""
    return data.StructLayout({column.name: shape_of(column.type) for column in columns})


def value_layout(query) -> data.StructLayout:
    """Layout of what is left of a tuple behind WHERE and windows: the aggregated columns."""
    asked = {item.aggregate.column.name for item in query.items if item.aggregate.column}
    return tuple_layout([column for column in query.columns if column.name in asked])
