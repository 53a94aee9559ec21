"""Describes an item that the cache stores: a value, or a value with the stamp of its slide."""

from dataclasses import dataclass

from amaranth.hdl import Shape, ShapeLike


@dataclass(frozen=True, kw_only=True)
class CachedItem:
    """Describes the items of the cache, and which items belong to a window.

    Attributes
    ----------
    shape : ShapeLike
        Shape of a stored item: a value, or with a ``membership`` a value with its stamp above it.
    includes_closing_value : bool
        Whether the value that closes a window belongs to the window. If False, a window has only
        the values before, and may close without a value.
    membership : KeyTimes or None
        Object whose ``belongs(stamp, window)`` says whether a value is in a window of time. None if
        all values from a window's first to its last are in the window.
    """

    shape: ShapeLike
    includes_closing_value: bool = True
    membership: object = None

    @property
    def width(self):
        """Width of a stored item, in bits."""
        return Shape.cast(self.shape).width

    @property
    def stamp_bits(self):
        """Width of a stamp, and of a window's number beside it, in bits; 0 without stamps."""
        return 0 if self.membership is None else self.membership.stamp_bits

    def value_of(self, stored):
        """Returns the bits of a value, given the bits of a stored item."""
        return stored[: self.width - self.stamp_bits]

    def stamp_of(self, stored):
        """Returns the stamp of a value, given the bits of a stored item."""
        return stored[self.width - self.stamp_bits : self.width]

    def belongs(self, stored, window):
        """Returns whether a stored item between the ends of a window is in the window."""
        if self.membership is None:
            return 1
        return self.membership.belongs(self.stamp_of(stored), window)
