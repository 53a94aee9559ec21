"""Describes the fields of tuples and rows: their types in the query, and their fraction bits."""

from dataclasses import dataclass

from query.types import String, Type
from query.window import Range
from rtl.contract.buses import StreamBus
from rtl.contract.design import Design
from rtl.contract.rows import Role

#: Order of the bytes of a text, and of the bytes of a number, in a field.
TEXT, NUMBER = "first byte highest", "lowest byte first"


@dataclass(frozen=True)
class Column:
    """Describes the type of a field of a tuple or row.

    For instance a key of ``fixed(9,7)`` has 7 fraction bits, so the raw value 192 is 1.5.

    Attributes
    ----------
    type : Type or None
        The query's type of the field; None for a plain number, such as a count or a window's end.
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
    return [Column(type_, type_.fraction) for type_ in types]


def row_columns(design: Design) -> list[Column]:
    """Returns the :class:`Column` of each field of a row, in order.

    The value fields are the items of the query, in order. With ``results=select`` one value field
    serves all items: its column is a plain number, and :func:`item_columns` has the columns of the
    items.
    """
    query, functions = design.query, design.settings.functions
    items = iter([] if functions else item_columns(design))
    columns = []
    for field in design.rows.fields:
        column = Column()
        if field.role is Role.KEY:
            column = Column(query.key.type, query.key.type.fraction)
        elif field.role is Role.WINDOW_END and isinstance(query.window, Range):
            column = Column(None, query.window.attribute.type.fraction)
        elif field.role is Role.VALUE and not functions:
            column = next(items)
        columns.append(column)
    return columns


def stream_columns(design: Design, bus: StreamBus) -> list[Column]:
    """Returns the :class:`Column` of each field of a stream, in order.

    ``bus`` is the stream of tuples or of rows, or another one, in which only a field ``key`` has a
    type: the evicted keys.
    """
    if bus.name == "s_axis":
        return tuple_columns(design)
    if bus.name == "m_axis":
        return row_columns(design)
    key = design.query.key
    typed = {} if key is None else {"key": Column(key.type, key.type.fraction)}
    return [typed.get(field.name, Column()) for field in bus.packing.fields]


def item_columns(design: Design) -> list[Column]:
    """Returns the :class:`Column` of each item of the query, in order."""
    aggregates = [item.aggregate for item in design.query.items]
    return [Column(aggregate.result.type, aggregate.fraction_bits) for aggregate in aggregates]
