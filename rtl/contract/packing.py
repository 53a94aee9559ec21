"""Positions of the fields of a tuple on a bus."""

from dataclasses import dataclass

from amaranth.hdl import Shape


@dataclass(frozen=True)
class Field:
    """A field of a tuple or row: name, width and sign of its value, and its place on the bus.

    The value has ``width`` bits. On the bus the field takes whole bytes, which begin ``offset``
    bits after the tuple's start. A signed value is extended by its sign, an unsigned value by
    zeros.
    """

    name: str
    width: int
    signed: bool
    offset: int

    @property
    def bytes(self):
        """Number of bytes on the bus."""
        return -(-self.width // 8)


class Packing:
    """A tuple or row as bytes: fields in order, the first in the lowest bytes, little-endian.

    Fields of 12 and 8 bits take 2 bytes and 1 byte, with offsets 0 and 16.

    Parameters
    ----------
    fields : iterable of (str, ShapeLike)
        Name and shape of each field.
    """

    def __init__(self, fields):
        self.fields = ()
        offset = 0
        for name, shape in fields:
            shape = Shape.cast(shape)
            field = Field(name, shape.width, shape.signed, offset)
            self.fields += (field,)
            offset += 8 * field.bytes
        self.bytes = offset // 8

    @property
    def names(self):
        return tuple(field.name for field in self.fields)

    def __getitem__(self, name):
        for field in self.fields:
            if field.name == name:
                return field
        raise KeyError(name)

    def describe(self):
        """Returns the packing as plain data for a manifest."""
        return {
            "bytes": self.bytes,
            "fields": [
                {"name": f.name, "offset": f.offset, "width": f.width, "signed": f.signed}
                for f in self.fields
            ],
        }
