"""Describes the store of values in lines, in three levels of memory, and builds its components."""

from dataclasses import dataclass, field
from types import MappingProxyType

from amaranth.hdl import Cat, Signal
from amaranth.lib import data

from rtl.keyed.dram.word_map import WordMap
from rtl.keyed.pivot.passing_collector import PassingCollector
from rtl.keyed.store.lines.dram_levels import DramLevels
from rtl.keyed.store.lines.levels import Levels
from rtl.keyed.store.lines.line_format import LineFormat
from rtl.keyed.store.lines.line_plan import LinePlan
from rtl.keyed.store.lines.second_level import SecondLevel
from rtl.keyed.store.lines.tails import Tails
from rtl.keyed.store.lines.time_lines import TimeLines
from rtl.keyed.store.lines.window_lines import WindowLines

#: Components for the line that a key is filling, by the name of the memory.
LEVELS = {"mlq": Levels, "dram-only": DramLevels}
#: Names of the memories.
MEMORIES = tuple(LEVELS)


@dataclass(frozen=True, kw_only=True)
class LineStore:
    """Values of a key lie in lines of a fixed number of values, so value n has a fixed place.

    Value n of a key, modulo the places of a ring, is item ``n % items`` of line ``n // items``.
    Each store has the methods of this class, and the attributes below ``ordered``, so a plan, a
    window kind and KeyWindows never ask for the class of a store. The other stores are
    :class:`~rtl.keyed.store.lines.cached_line_store.CachedLineStore` and
    :class:`~rtl.keyed.store.blocks.block_store.BlockStore`.

    Attributes
    ----------
    line : LinePlan
        Stored items, and their places in lines.
    memory : str
        ``"mlq"``: the line that a key is filling grows in M1 and M2, and is written to M3 when
        full. ``"dram-only"``: this line lies in M3, too, and each tuple reads and writes the line.
    m2 : SecondLevel
        Must be the default with ``"dram-only"``, which has no M2.
    ordered : bool
        True if ``window_info`` has the line of the ring at which a window begins, because the order
        of the window's additions depends on this line.
    """

    line: LinePlan
    memory: str = "mlq"
    m2: SecondLevel = field(default_factory=SecondLevel)
    ordered: bool = False

    #: RingPlan of compressed blocks: None for this store.
    ring = None
    #: Members of the host's settings that the store adds.
    settings = MappingProxyType({})
    #: Counters of KeyWindows that the store adds.
    counters = ()

    def check(self, window, lines):
        """Raises ValueError if ring, memory and M2 contradict the window kind, or each other."""
        if self.memory not in MEMORIES:
            raise ValueError(f"memory must be one of {', '.join(MEMORIES)}, not {self.memory!r}")
        if self.memory != "mlq" and self.m2 != SecondLevel():
            raise ValueError(
                f"m2 must have its default with memory={self.memory}, which has no M2, "
                f"not {self.m2}"
            )
        if self.m2.blocks:
            raise ValueError(f"m2 must have no blocks without a codec, not {self.m2}")
        ring = lines.ring_lines * self.line.items
        if window.places != ring:
            raise ValueError(f"places must be those of a ring, {ring}, not {window.places}")

    @property
    def ring_items(self):
        """Number of places of a ring that become free together: the places of a line."""
        return self.line.items

    def outer_m2(self, lines):
        """Returns the WordMap of M2 if M2 is outside of the chip, else None."""
        if not self.m2.external:
            return None
        bits = lines.address_width
        return WordMap(entries=lines.rings, lines=self.m2.lines, address_width=bits)

    def line_format(self, window, lines):
        """Returns the format of the lines of a window."""
        lines_max = window.lines_max(self.line.items, lines.ring_lines) + 1
        return LineFormat(
            shape=window.value_of(self.line.item), lanes=self.line.items, lines=lines_max
        )

    def info_members(self, lines):
        """Returns the members that the store adds to the description of a window."""
        return {"number": range(lines.ring_lines)} if self.ordered else {}

    def position_layout(self, window, lines):
        """Returns the layout of the place of a tuple, and of the lines of the tuple's window.

        The tuple lies at ``place`` of ``line``, in the ring of its key's entry. The window that the
        tuple closes has ``lines`` lines before this line, and begins at place ``first`` of the
        first line. With windows of rows each tuple has them, as if it closed a window.
        """
        lines_max = window.lines_max(self.line.items, lines.ring_lines) + 1
        place = range(self.line.items)
        position = {"line": range(lines.ring_lines), "place": place}
        return data.StructLayout({**position, "lines": range(lines_max), "first": place})

    @property
    def _place_bits(self):
        """Width of a place in a line, in bits."""
        return self.line.items.bit_length() - 1

    def _split(self, number):
        """Returns the place in a line, and the line, of a sequence number."""
        return number[: self._place_bits], number[self._place_bits :]

    def locate(self, step, number, begin, before):
        """Returns statements that place a value, and a window that ends with this value.

        The value has the sequence ``number``, and the window's first value the number ``begin``;
        ``before`` is the difference, the number of the window's values before the value. Counted
        from the begin of the window's first line the value is at place ``first + before``, so
        ``(first + before) // items`` lines lie before the value's line. For instance with 8 items
        in a line, value 29, 19 before, and so begin 10::

            place 2 of line 1;  2 + 19 = 21;  21 // 8 = 2 lines, 1 and 2, before line 3
        """
        first, line = self._split(begin)
        statements = [
            Cat(step.place, step.line).eq(number),
            step.first.eq(first),
            step.lines.eq((first + before) >> self._place_bits),
        ]
        return [*statements, step.window_info.number.eq(line)] if self.ordered else statements

    def locate_after(self, step, number, head):
        """Returns statements that place a value, and a window from ``head`` to before this value.

        The window is not empty. So if the value begins the line of the head, the window has all
        lines of the ring. ``window_info.bound`` is the number of places from the head to before the
        value.
        """
        first, line = self._split(head)
        place, line_number = self._split(number)
        lines = (line_number - line)[: len(line_number)]
        statements = [
            Cat(step.place, step.line).eq(number),
            step.lines.eq(Cat(lines, (lines == 0) & (place == 0))),
            step.first.eq(first),
            step.window_info.bound.eq(Cat(place, step.lines) - step.first),
        ]
        return [*statements, step.window_info.number.eq(line)] if self.ordered else statements

    def room(self, m, state, holds, empties):
        """Returns two flags of a value for which the ring of the key may have no room.

        ``full``: the value begins the line of the head, so the windows that the tuple closes must
        be read before the value is written. ``lost``: even when these windows have been read, an
        open window still needs this line, so the tuple is dropped.

        Parameters
        ----------
        state : View
            The key's ``used``, ``place`` and ``head``.
        holds : callable
            Function of a line that returns a value, high if the line has the head after the tuple.
        empties : Value
            No open window needs a value before the tuple.
        """
        place, line = self._split(state.place)
        is_first = Signal()
        full = Signal()
        lost = Signal()
        m.d.comb += [
            is_first.eq(state.used & (place == 0)),
            full.eq(is_first & (state.head[self._place_bits :] == line)),
            lost.eq(is_first & holds(line) & ~empties),
        ]
        return full, lost

    def members_to_steps(self, places):
        """Returns the members that the store adds to a tuple between the table and the steps."""
        return {"place": range(places)}

    def levels(self, plan):
        """Builds the component that stores the items of steps, and requests windows."""
        return LEVELS[self.memory](plan)

    def levels_latency(self, plan):
        """Returns the latency of :meth:`levels`, in cycles, if nothing is read."""
        return LEVELS[self.memory].latency_of(plan)

    def collector(self, plan):
        """Builds the component that collects the lines of windows."""
        parts = self.line, plan.window_info
        if (membership := plan.window.membership) is None:
            collector = WindowLines(*parts, last_from_m2=self.m2.has_previous_line)
        else:
            collector = TimeLines(membership, *parts, last_from_m2=self.m2.has_previous_line)
        return collector if plan.pivots is None else PassingCollector(plan.pivots, collector)

    def collector_latencies(self, plan):
        """Returns two parts of the latency of :meth:`collector`, in cycles.

        The passes of windows with pivots are between them.
        """
        return (WindowLines if plan.window.membership is None else TimeLines).latency, 0

    def connect(self, m, levels, collector):
        """Connects the feedback from collector to levels: this store has no feedback."""

    def events_of(self, levels):
        """Returns the values of the :attr:`counters` by name."""
        return {}

    def memory_bits(self, entries):
        """Returns the size of the memories on the chip, in bits."""
        if self.memory != "mlq":
            return 0
        m1, m2 = Tails.memory_bits_of(self.line, entries, self.m2.lines)
        return m1 if self.m2.external else m1 + m2
