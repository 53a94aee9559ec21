"""The plan of how windows of keys are kept: in the table, and in the three levels of memory."""

from dataclasses import dataclass, field, replace

from amaranth.hdl import ShapeLike
from amaranth.lib import data

from rtl.contract.counters import LATE, OVERRUN
from rtl.keyed.dram.lines import LineMap
from rtl.keyed.dram.word_map import WordMap
from rtl.keyed.store.lines.line_format import Given
from rtl.keyed.store.lines.line_plan import LinePlan
from rtl.keyed.store.lines.second_level import SecondLevel
from rtl.keyed.windows.key_rows import KeyRows
from rtl.keyed.windows.key_times import KeyTimes

LATE_IN_KEY = replace(
    LATE,
    doc="tuples dropped because they are older than the start, or than the end of a window that "
    "their key has closed",
)
FULL_RING = replace(
    OVERRUN,
    doc="tuples dropped because their key has too many that its windows need, there is no number "
    "for their windows, or the settings of their stream are not allowed",
)

#: Where the line is that a key is filling.
MEMORIES = ("mlq", "dram-only")


@dataclass(frozen=True, kw_only=True)
class KeyedPlan:
    """Where the tuples of a key are, from the one that comes back to the oldest of its window.

    What kind of windows there are, a subclass says: it has the ``state`` of a key, their
    ``numbers`` (bits) and ``bound_max``, the most values of one that may be told, the ``settings``
    and ``arriving`` tuples, how a tuple is ``placed``, what its data collector is made from
    (``collected``), ``closer``, whether the tuple that closes a window belongs to it, 1 or 0, the
    counters of what it ``drops``, and ``ended``: the settings say where a window ends, so rows need
    those of their stream.

    Attributes
    ----------
    key : ShapeLike
    line : LinePlan
        What is kept of a tuple, and how it lies in lines.
    lines : LineMap
        A ring for each entry of the table.
    ways : int
        Of the table.
    memory : str
        ``"mlq"``: the line that a key is filling grows in M1 and M2, and goes to M3 when it is
        full. ``"dram-only"``: it lies in M3, too, and is read and written with each tuple.
    m2 : SecondLevel
        With ``"dram-only"`` there is none: then it is as without.
    ordered : bool
        A window is told where in its ring it begins, as the order of its additions depends on it.
    """

    key: ShapeLike
    line: LinePlan
    lines: LineMap
    ways: int = 1
    memory: str = "mlq"
    m2: SecondLevel = field(default_factory=SecondLevel)
    ordered: bool = False

    def _check(self, places):
        """Raises ValueError unless a ring has so many places, and there is such a memory."""
        if self.memory not in MEMORIES:
            raise ValueError(f"memory must be one of {', '.join(MEMORIES)}, not {self.memory!r}")
        if self.memory != "mlq" and self.m2 != SecondLevel():
            raise ValueError(f"m2 must be as without with {self.memory}, not {self.m2}")
        ring = self.lines.ring_lines * self.line.items
        if places != ring:
            raise ValueError(f"places must be those of a ring, {ring}, not {places}")

    @property
    def entries(self):
        """Keys that the table has place for."""
        return self.lines.rings

    @property
    def item(self):
        """Shape of what is kept of a tuple."""
        return self.line.item

    @property
    def given(self):
        """What windows are given in."""
        return Given(shape=self.item, lanes=self.line.items, lines=self._lines_max + 1)

    @property
    def placed(self):
        """Layout of where a tuple lies, and what its window needs of M3.

        ``line`` of the ring of its key's entry and ``place`` in it; a window that it closes has so
        many ``lines`` before that line, and begins at place ``first`` of the first.
        """
        lines, place = self._lines_max + 1, range(self.line.items)
        where = {"line": range(self.lines.ring_lines), "place": place}
        return data.StructLayout({**where, "lines": range(lines), "first": place})

    @property
    def arriving(self):
        """Layout of what comes in.

        ``key``, ``item``, ``valid`` (there is a tuple), ``last`` (the end of a stream),
        ``settings``: those of the stream.
        """
        arriving = {"key": self.key, "item": self.item, "valid": 1, "last": 1}
        return data.StructLayout(arriving | {"settings": self.settings})

    @property
    def told(self):
        """Layout of what goes with a window.

        Its ``key`` and ``entry``, its number ``window``, and ``bound``, which it has no more
        values than. With ``end`` it is no window, but the end of a stream. If ``ordered``, also the
        ``line`` of the ring that it begins in.
        """
        line = {"line": range(self.lines.ring_lines)} if self.ordered else {}
        return data.StructLayout(
            {
                "key": self.key,
                "entry": range(self.entries),
                "window": self.numbers,
                "bound": range(self.bound_max + 1),
                "end": 1,
                **line,
            }
        )

    @property
    def outside(self):
        """Where the words of M2 lie, if it is outside of the chip; else None."""
        if not self.m2.external:
            return None
        bits = self.lines.address_width
        return WordMap(entries=self.entries, lines=self.m2.lines, address_width=bits)


@dataclass(frozen=True, kw_only=True)
class KeyPlan(KeyedPlan):
    """Windows of the last tuples of each key.

    Attributes
    ----------
    rows : KeyRows
        Its ``places`` are those of a ring.
    """

    rows: KeyRows

    closer = 1
    drops = ()
    ended = False

    def __post_init__(self):
        self._check(self.rows.places)

    @property
    def state(self):
        return self.rows.state

    @property
    def numbers(self):
        """Bits of a window's number."""
        return self.rows.numbers

    @property
    def bound_max(self):
        return self.rows.window_max

    @property
    def collected(self):
        return {"plan": self.line, "passenger": self.told, "kept": self.m2.keeps}

    @property
    def _lines_max(self):
        """Lines from M3 of the largest window: its first item may be the last one of a line."""
        return (self.line.items - 1 + self.rows.window_max - 1) // self.line.items

    @property
    def settings(self):
        """Layout of what the host sets, ``size`` and ``slide``."""
        number = range(self.rows.window_max + 1)
        return data.StructLayout({"size": number, "slide": number})


@dataclass(frozen=True, kw_only=True)
class KeyTimePlan(KeyedPlan):
    """Windows of time of each key.

    Attributes
    ----------
    times : KeyTimes
        Its ``places`` are those of a ring, and an item of a line is a ``stamped`` one.
    """

    times: KeyTimes

    closer = 0
    drops = (LATE_IN_KEY, FULL_RING)
    ended = True

    def __post_init__(self):
        self._check(self.times.places)
        self._check_items(self.line.items)
        members = getattr(self.line.item, "members", {})
        if self.line.item != self.times.stamped(members.get("item", 0)):
            raise ValueError(f"item of a line must be a stamped one, not {self.line.item!r}")

    def _check_items(self, items):
        if self.times.items != items:
            raise ValueError(f"items must be those of a line, {items}, not {self.times.items}")

    @property
    def state(self):
        return self.times.state

    @property
    def numbers(self):
        """Bits of a window's number."""
        return self.times.numbers

    @property
    def bound_max(self):
        return self.times.places

    @property
    def item(self):
        """Shape of what windows give of a tuple: what a line keeps of it has a stamp too."""
        return self.line.item.members["item"]

    @property
    def collected(self):
        plan, told = self.line, self.told
        return {"times": self.times, "plan": plan, "passenger": told, "kept": self.m2.keeps}

    @property
    def _lines_max(self):
        """Lines from M3 of the largest window: a ring that is full, and nothing behind it."""
        return self.lines.ring_lines

    @property
    def settings(self):
        """Layout of what the host sets, ``range``, ``slide`` and ``start``."""
        return self.times.settings

    @property
    def arriving(self):
        """Layout of what comes in: also the ``time`` of a tuple."""
        members = super().arriving.members
        return data.StructLayout({"time": self.times.time} | members)
