"""Schemas of the tuples and the rows of an engine, field by field."""

from dataclasses import dataclass
from enum import StrEnum

from amaranth.hdl import Shape, ShapeLike
from amaranth.lib import data

from rtl.contract.packing import Packing


@dataclass(frozen=True, kw_only=True)
class InputSchema:
    """The tuples that an engine takes.

    Attributes
    ----------
    layout : data.StructLayout
        A tuple: a member for each column of the query, in the order of the schema.
    lanes : int
        Tuples of a beat.
    gaps : bool
        Any beat may be short and may have gaps between its tuples.
    sorted_by : tuple of str
        Columns by which a stream must ascend, the most significant first; empty for tuples in the
        order of their arrival.
    punctuations : bool
        A beat may carry a punctuation in the place of a tuple, flagged by ``tuser``.
    """

    layout: data.StructLayout
    lanes: int
    gaps: bool = False
    sorted_by: tuple[str, ...] = ()
    punctuations: bool = False

    @property
    def packing(self):
        """Positions of the columns on the bus."""
        return Packing((name, field.shape) for name, field in self.layout)


class Role(StrEnum):
    """Meaning of a field of a row."""

    WINDOW = "window"  # number of the row's window, where the packet's number is not the window's
    WINDOW_END = "window end"
    KEY = "key"  # the group or the key
    VALUE = "value"  # an item of the query, or the item that the function register selects
    VALID = "valid"  # 1: another field, or each VALUE of the row, is not NULL


@dataclass(frozen=True, kw_only=True)
class RowField:
    """A field of a row on the bus.

    Attributes
    ----------
    name : str
    shape : ShapeLike
    role : Role
    of : str or None
        VALID fields only: name of the field to which the valid bit belongs. The field comes later
        in the row. If ``of`` is None, the bit belongs to every VALUE, and every VALUE comes later
        in the row: a 0 makes each VALUE NULL, while window and key keep their meaning. A VALUE
        with a VALID of its own is NULL unless both valid bits are 1.
    """

    name: str
    shape: ShapeLike
    role: Role
    of: str | None = None


class Packet(StrEnum):
    """Group of rows that a ``tlast`` ends."""

    STREAM = "stream"  # all rows of a stream
    WINDOW = "window"  # rows of one window: the packet's number in its stream is the window's


class Order(StrEnum):
    """Order of the rows."""

    WINDOWS = "windows"  # ascending by window, within a window by group
    TRIGGERS = "triggers"  # order of the tuples that completed the windows


@dataclass(frozen=True, kw_only=True)
class RowSchema:
    """The rows that an engine offers. Beats are full, except the last beat of a packet, which may
    be short.

    Attributes
    ----------
    layout : data.StructLayout
        A row of the core, possibly nested. Its leaves, in order, are the ``fields``.
    fields : tuple of RowField
    lanes : int
        Rows of a beat.
    packet : Packet
    order : Order
    selected : tuple of Shape
        Engines with a function register only: the shape of each item's result. It may be narrower
        than the result column, which shows the selected item.
    """

    layout: data.StructLayout
    fields: tuple[RowField, ...]
    lanes: int
    packet: Packet = Packet.WINDOW
    order: Order = Order.WINDOWS
    selected: tuple[Shape, ...] = ()

    @property
    def packing(self):
        """Positions of the fields on the bus."""
        return Packing((field.name, field.shape) for field in self.fields)

    def with_role(self, role):
        """Returns the fields of a role, in order."""
        return tuple(field for field in self.fields if field.role is role)

    def valid_fields_of(self, field):
        """Returns the VALID fields on which the VALUE ``field`` depends: if any of them is 0,
        ``field`` is NULL."""
        return tuple(v for v in self.with_role(Role.VALID) if v.of in (field.name, None))
