"""What the fields of tuples and rows are of: types of the query, or plain numbers with a scale."""

from dataclasses import dataclass

from query.aggregate import Function
from query.types import Fixed, String, Type
from query.window import Range
from rtl.contract.rows import Role

#: Order of the bytes in a field: that of a text, and that of a number.
TEXT, NUMBER = "first byte highest", "lowest byte first"


@dataclass(frozen=True)
class Column:
    """A field's type, where the query has one, and the fraction bits of its raw value."""

    type: Type | None = None
    fraction: int = 0

    @property
    def byte_order(self):
        """Order of the field's bytes on the bus: `TEXT` or `NUMBER`.

        ``"ab"`` in a field of a ``string(4)`` is the bytes 00 00 62 61, lowest address first.
        """
        return TEXT if isinstance(self.type, String) else NUMBER


def tuple_columns(design):
    """The :class:`Column` of each field of a tuple, in order."""
    types = [design.query.schema[field.name].type for field in design.input.packing.fields]
    return [Column(type_, _fraction(type_)) for type_ in types]


def row_columns(design):
    """The :class:`Column` of each field of a row, in order.

    The items of the query are the values, in order; with a choice there is one for all, and what
    it is of is told by :func:`chosen_columns`.
    """
    query, functions = design.query, design.settings.functions
    items = iter([] if functions else chosen_columns(design))
    columns = []
    for field in design.rows.fields:
        column = Column()
        if field.role is Role.KEY:
            column = Column(query.key.type, _fraction(query.key.type))
        elif field.role is Role.WINDOW_END and isinstance(query.window, Range):
            column = Column(None, _fraction(query.window.attribute.type))
        elif field.role is Role.VALUE and not functions:
            column = next(items)
        columns.append(column)
    return columns


def stream_columns(design, bus):
    """The :class:`Column` of each field of a stream's tuple or row, in order."""
    if bus.name == "s_axis":
        return tuple_columns(design)
    if bus.name == "m_axis":
        return row_columns(design)
    key = design.query.key
    known = {} if key is None else {"key": Column(key.type, _fraction(key.type))}
    return [known.get(field.name, Column()) for field in bus.packing.fields]


def chosen_columns(design):
    """The :class:`Column` of each item of the query."""
    return [_result(item.aggregate) for item in design.query.items]


def _result(aggregate):
    """Sums are as wide as they must be; only those of floating point are of their column's type."""
    if aggregate.function is Function.SUM and aggregate.column.type.floating:
        return Column(aggregate.column.type)
    return Column(aggregate.exact_type, aggregate.fraction_bits)


def _fraction(type_):
    return type_.frac if isinstance(type_, Fixed) else 0
