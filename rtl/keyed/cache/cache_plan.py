"""The cache of windows that are not compressed, described; nothing is built here."""

from dataclasses import dataclass

from amaranth.hdl import ShapeLike
from amaranth.lib import data
from amaranth.utils import ceil_log2

from rtl.keyed.codec.fold import Fold
from rtl.stream.line import line


@dataclass(frozen=True, kw_only=True)
class CachePlan:
    """Places for the values of some keys, the last ones of each in a ring.

    A ring has twice the values of the largest window: so a window may be read while values behind
    it come. They lie in lines, which a window is read in, from any lane on: of 4 lanes one of 6
    values from number 3 on is ``4 5 6 3``, then ``8 . . 7``.

    Attributes
    ----------
    keys : int
        Places, at least 1.
    lanes : int
        Values of a line, a power of two.
    values : int
        Of the largest window, a power of two of at least ``lanes``.
    item : ShapeLike
        A value.
    fold : Fold
        What a line becomes.
    """

    keys: int
    lanes: int
    values: int
    item: ShapeLike
    fold: Fold

    def __post_init__(self):
        for name in ("lanes", "values"):
            if (number := getattr(self, name)) < 1 or number & (number - 1):
                raise ValueError(f"{name} must be a power of two, not {number}")
        if self.values < self.lanes:
            raise ValueError(f"values must be at least lanes, {self.lanes}, not {self.values}")
        if self.keys < 1:
            raise ValueError(f"keys must be at least 1, not {self.keys}")

    @property
    def lines(self):
        """Of a ring."""
        return 2 * self.values // self.lanes

    @property
    def depth(self):
        """Lines of all rings, or more, so that it is a power of two."""
        return self.lines << ceil_log2(self.keys)

    def asked(self, entries, number_bits):
        """Layout of a value that comes.

        ``entry`` of its key, ``number`` among the key's; ``fresh``: the key begins anew; ``valid``:
        there is a value; ``closes``: it is the last one of a window of so many, ``size``; ``item``,
        the value itself.
        """
        told = {"fresh": 1, "valid": 1, "closes": 1, "size": range(self.values + 1)}
        key = {"entry": range(entries), "number": number_bits}
        return data.StructLayout({**key, **told, "item": self.item})

    @property
    def told(self):
        """Layout of what becomes of a value.

        ``kept``: it goes to ``place``, as all that come of its key until another one gets that.
        ``hit``: the window that it closes is read there; ``takes``: its key has got the place with
        it.
        """
        return data.StructLayout({"hit": 1, "takes": 1, "kept": 1, "place": range(self.keys)})

    @property
    def given(self):
        """Layout of the state of a line of a window; ``last``: of its last one."""
        return line(self.fold.states, 1)

    @property
    def memory_bits(self):
        """Bits of the memories."""
        return self.depth * self.lanes * self.fold.row.size
