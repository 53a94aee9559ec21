"""What goes into an engine and what comes out: tuples and rows, field by field."""

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
        Beats may be short anywhere, and have gaps between their tuples.
    sorted_by : tuple of str
        The columns by which a stream must ascend, the first before the second; none for tuples in
        the order of their arrival.
    punctuations : bool
        Beats may bring a punctuation in the place of a tuple, flagged by ``tuser``.
    """

    layout: data.StructLayout
    lanes: int
    gaps: bool = False
    sorted_by: tuple[str, ...] = ()
    punctuations: bool = False

    @property
    def packing(self):
        """Where the columns lie on the bus."""
        return Packing((name, field.shape) for name, field in self.layout)


class Role(StrEnum):
    """What a field of a row says."""

    WINDOW = "window"  # number of the row's window, where the packet's does not tell it
    WINDOW_END = "window end"
    KEY = "key"  # the group or the key
    VALUE = "value"  # an item of the query, or the one of them that the function selects
    VALID = "valid"  # another field's value is one, not NULL; or all values of the row are


@dataclass(frozen=True, kw_only=True)
class RowField:
    """A field of a row on the bus.

    Attributes
    ----------
    name : str
    shape : ShapeLike
    role : Role
    of : str or None
        For VALID: the name of the field that it is about, which comes behind it. None is the
        whole row: when it is 0, every VALUE is NULL, all of which come behind it; window and key
        are what they say. A value with a VALID of its own is one only when both are 1.
    """

    name: str
    shape: ShapeLike
    role: Role
    of: str | None = None


class Packet(StrEnum):
    """What the rows between two ``tlast`` are."""

    STREAM = "stream"  # all rows of a stream
    WINDOW = "window"  # those of one window: the packet's number in its stream is the window's


class Order(StrEnum):
    """In which order rows come."""

    WINDOWS = "windows"  # ascending by window, within one by group
    TRIGGERS = "triggers"  # as the tuples came that made them due


@dataclass(frozen=True, kw_only=True)
class RowSchema:
    """The rows that an engine gives: in full beats, of which only a packet's last one may be short.

    Attributes
    ----------
    layout : data.StructLayout
        A row as the core gives it; may be nested. Its leaves, in order, are the ``fields``.
    fields : tuple of RowField
    lanes : int
        Rows of a beat.
    packet : Packet
    order : Order
    selected : tuple of Shape
        Of engines with a function register: the shape of each item's result, which may be narrower
        than the one column that shows it.
    """

    layout: data.StructLayout
    fields: tuple[RowField, ...]
    lanes: int
    packet: Packet = Packet.WINDOW
    order: Order = Order.WINDOWS
    selected: tuple[Shape, ...] = ()

    @property
    def packing(self):
        """Where the fields lie on the bus."""
        return Packing((field.name, field.shape) for field in self.fields)

    def of_role(self, role):
        """The fields of a role, in order."""
        return tuple(field for field in self.fields if field.role is role)

    def valid_by(self, field):
        """The VALID fields on which the VALUE ``field`` depends: one that is 0 makes it NULL."""
        return tuple(v for v in self.of_role(Role.VALID) if v.of in (field.name, None))
