"""The plan of windows of keys: a window kind, a store of values, and the rings of the keys."""

from dataclasses import dataclass

from amaranth.hdl import ShapeLike
from amaranth.lib import data

from rtl.keyed.dram.lines import LineMap
from rtl.keyed.pivot.pivot_plan import PivotPlan


@dataclass(frozen=True, kw_only=True)
class KeyedPlan:
    """Describes windows of each key: a window kind and a store. Nothing is built here.

    The window kind determines which windows a tuple closes, the store how the values of a key are
    stored. Both describe a tuple by its step (:mod:`rtl.keyed.step`). So every window kind can be
    combined with every store: for instance windows of time with values in compressed blocks.

    Attributes
    ----------
    key : ShapeLike
    window : RowKind or TimeKind
        The window kind.
    store : LineStore, CachedLineStore or BlockStore
        The store: lines in three levels of memory, without or with a cache, or compressed blocks.
    lines : LineMap
        A ring of lines for each entry of the table.
    ways : int
        Places of the table that a key may take.
    pivots : PivotPlan or None
        Search for percentiles by pivots, which repeats windows; None without.
    m3_kind : str
        Where the rings are, see :class:`~rtl.keyed.dram.line_memory.LineMemory`.
    """

    key: ShapeLike
    window: object
    store: object
    lines: LineMap
    ways: int = 1
    pivots: PivotPlan | None = None
    m3_kind: str = "external"

    def __post_init__(self):
        self.store.check(self.window, self.lines)
        self.window.check(self.line.item, self.store.ring_items)

    @property
    def entries(self):
        """Number of entries of the table: the greatest number of keys at a time."""
        return self.lines.rings

    @property
    def masters(self):
        """Names of the memory masters of the rings, by number; none with rings on the chip."""
        return tuple(map(str, range(self.lines.ports))) if self.m3_kind == "external" else ()

    @property
    def line(self):
        """LinePlan of the store."""
        return self.store.line

    @property
    def memory(self):
        """Name of the memory of growing lines, an entry of the store's ``MEMORIES``."""
        return self.store.memory

    @property
    def m2(self):
        """SecondLevel of the store."""
        return self.store.m2

    @property
    def item(self):
        """Shape of a value of a window: a stored item without its stamp."""
        return self.window.value_of(self.line.item)

    @property
    def line_format(self):
        """Format of the lines of a window."""
        return self.store.line_format(self.window, self.lines)

    @property
    def window_line(self):
        """Layout of a line of a window, with its description, and with pivots if there are any."""
        layout = self.line_format.line(self.window_info)
        return layout if self.pivots is None else self.pivots.passing(layout)

    @property
    def position_layout(self):
        """Layout of the members of a step with the places of the tuple and of its window."""
        return self.store.position_layout(self.window, self.lines)

    @property
    def settings(self):
        """Layout of the host's settings of a stream."""
        return data.StructLayout({**self.window.settings.members, **self.store.settings})

    @property
    def arriving(self):
        """Layout of an arriving tuple.

        ``key``, ``item``, ``valid`` (there is a tuple), ``last`` (the end of a stream), the
        ``settings`` of the stream, and the members that the window kind adds.
        """
        arriving = {"key": self.key, "item": self.item, "valid": 1, "last": 1}
        members = {**self.window.arriving, **arriving, "settings": self.settings}
        return data.StructLayout(members)

    @property
    def window_info(self):
        """Layout of the description that accompanies a window.

        ``key`` and ``entry`` of the window's key; ``window``, the number of the window; ``bound``,
        the largest number of values that the window may have; ``end``, high for the end of a
        stream, which is no window. With pivots ``ahead`` is the number of windows of the same key
        whose answers may be unknown when the window starts its pass. A store may add members.
        """
        return data.StructLayout(
            {
                "key": self.key,
                "entry": range(self.entries),
                "window": self.window.number_bits,
                "bound": range(self.window.window_values_max + 1),
                "end": 1,
                **({} if self.pivots is None else {"ahead": range(self.pivots.neighbours)}),
                **self.store.info_members(self.lines),
            }
        )

    @property
    def outer_m2(self):
        """WordMap of lines or LineMap of copied blocks if M2 is outside of the chip, else None."""
        return self.store.outer_m2(self.lines)
