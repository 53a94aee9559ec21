"""Lists unanswered bursts, and finds whether a new burst has a line in common with one of them."""

from amaranth.hdl import Cat, Module, Signal
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out

from rtl.stream.order import descends, equal


def span(unit_bits, place_bits):
    """Layout of the lines from ``first`` to ``last`` of a ``unit``."""
    return data.StructLayout({"unit": unit_bits, "first": place_bits, "last": place_bits})


class Outstanding(wiring.Component):
    """Lists spans of lines, of which the oldest leaves first.

    ``meets`` is high if the span at ``i`` shares a line with a span in the list: both are in one
    unit, and neither ends before the other begins. For instance with lines 2 to 5 of unit 7 in the
    list, lines 5 to 6 of unit 7 meet the list; line 6 of unit 7 and lines 2 to 5 of unit 8 do not.

    ``meets`` depends combinationally on ``i`` and on the list at the beginning of the cycle: a span
    that enters counts from the next cycle on, a span that leaves until the end of the cycle.
    ``full``, from a register, counts spans in the same way. A span may enter and another may leave
    in each cycle.

    Parameters
    ----------
    unit_bits : int
        Width of the number of a unit: of the lines that a burst does not leave, 64 (4 KiB) or
        fewer.
    place_bits : int
        Width of a line's place in its unit.
    entries : int
        At least 1.

    Members
    -------
    i : In(span(unit_bits, place_bits))
    enter : In(1)
        ``i`` enters the list. Must be low when ``full``.
    leave : In(1)
        The oldest span leaves the list. Must be low when ``empty``.
    meets : Out(1)
    full : Out(1)
    empty : Out(1)

    Source: ours.
    """

    def __init__(self, unit_bits, place_bits, entries):
        if not isinstance(entries, int) or entries < 1:
            raise ValueError(f"entries must be an integer of at least 1, not {entries!r}")
        self._span = span(unit_bits, place_bits)
        self._entries = entries
        super().__init__(
            {
                "i": In(self._span),
                "enter": In(1),
                "leave": In(1),
                "meets": Out(1),
                "full": Out(1),
                "empty": Out(1),
            }
        )

    def elaborate(self, platform):
        m = Module()
        used = Signal(self._entries)
        enters = Signal(self._entries, init=1)
        leaves = Signal(self._entries, init=1)
        with m.If(self.enter):
            m.d.sync += enters.eq(enters.rotate_left(1))
        with m.If(self.leave):
            m.d.sync += leaves.eq(leaves.rotate_left(1))
        m.d.sync += used.eq(
            (used | (enters & self.enter.replicate(self._entries)))
            & ~(leaves & self.leave.replicate(self._entries))
        )
        # ``enter`` arrives late in the cycle, so it selects between results that are ready.
        length = Signal(range(self._entries + 1))
        full = Signal()
        with m.If(self.enter & ~self.leave):
            m.d.sync += [length.eq(length + 1), full.eq(length == self._entries - 1)]
        with m.Elif(self.leave & ~self.enter):
            m.d.sync += [length.eq(length - 1), full.eq(0)]
        meets = []
        for k in range(self._entries):
            listed = Signal(self._span, name=f"listed{k}", reset_less=True)
            with m.If(self.enter & enters[k]):
                m.d.sync += listed.eq(self.i)
            apart = _before(listed.last, self.i.first) | _before(self.i.last, listed.first)
            meets.append(equal(listed.unit, self.i.unit, used[k]) & ~apart)
        m.d.comb += [
            self.meets.eq(Cat(meets).any()),
            self.full.eq(full),
            self.empty.eq(length == 0),
        ]
        return m


def _before(place, other):
    """Returns ``place < other``, computed by a carry chain."""
    return descends({"place": other}, {"place": place}, {"place": False})
