"""Describes the fields of tuples and rows: a type of the query, or a number with fraction bits."""

from dataclasses import dataclass

from query.types import Fixed, String, Type
from query.window import Range
from rtl.contract.buses import StreamBus
from rtl.contract.design import Design
from rtl.contract.rows import Role

#: Order of the bytes in a field of a text, and in a field of a number.
TEXT, NUMBER = "first byte highest", "lowest byte first"


@dataclass(frozen=True)
class Column:
    """Describes a field.

    Attributes
    ----------
    type : Type or None
        The query's type of the field; None for a plain number, such as a count.
    fraction : int
        Number of fraction bits of the raw value.
    """

    type: Type | None = None
    fraction: int = 0

    @property
    def byte_order(self) -> str:
        """Order of the field's bytes on the bus: `TEXT` or `NUMBER`.

        ``"ab"`` in a field of a ``string(4)`` is the bytes 00 00 62 61, lowest address first.
        """
        return TEXT if isinstance(self.type, String) else NUMBER


def tuple_columns(design: Design) -> list[Column]:
    """Returns the :class:`Column` of each field of a tuple, in order."""
    types = [design.query.schema[field.name].type for field in design.input.packing.fields]
    return [Column(type_, _fraction(type_)) for type_ in types]


def row_columns(design: Design) -> list[Column]:
    """Returns the :class:`Column` of each field of a row, in order.

    The value fields are the items of the query, in order. With ``results=select`` one value field
    serves all items, and :func:`chosen_columns` has the column of each item.
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


def stream_columns(design: Design, bus: StreamBus) -> list[Column]:
    """Returns the :class:`Column` of each field of a stream's tuple or row, in order."""
    if bus.name == "s_axis":
        return tuple_columns(design)
    if bus.name == "m_axis":
        return row_columns(design)
    key = design.query.key
    typed = {} if key is None else {"key": Column(key.type, _fraction(key.type))}
    return [typed.get(field.name, Column()) for field in bus.packing.fields]


def chosen_columns(design: Design) -> list[Column]:
    """Returns the :class:`Column` of each item of the query."""
    aggregates = [item.aggregate for item in design.query.items]
    return [Column(aggregate.exact_type, aggregate.fraction_bits) for aggregate in aggregates]


def _fraction(type_):
    return type_.frac if isinstance(type_, Fixed) else 0
