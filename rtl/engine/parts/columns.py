"""Layouts of the query's columns in hardware."""

from amaranth.hdl import Shape
from amaranth.lib import data

from query.types import Type


def shape_of(type_: Type) -> Shape:
    """Returns the shape of a column's raw value."""
    return Shape(type_.width, type_.signed)


def tuple_layout(columns) -> data.StructLayout:
    """Returns the layout of a tuple of ``columns``, in their order."""
    return data.StructLayout({column.name: shape_of(column.type) for column in columns})


def value_layout(query) -> data.StructLayout:
    """Returns the layout of the columns that the aggregates read.

    Only WHERE and the windows read the remaining columns, and both come first in every engine.
    """
    names = {item.aggregate.column.name for item in query.items if item.aggregate.column}
    return tuple_layout([column for column in query.columns if column.name in names])
