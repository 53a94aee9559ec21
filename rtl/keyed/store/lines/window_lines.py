"""Collects the lines of a window from three levels of memory."""

from types import MappingProxyType

from amaranth.hdl import Module, Mux, Signal, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.dram.line_stripes import marked_line
from rtl.stream.line import line


def window_layout(plan, passenger):
    """Returns the layout of a window that is to be collected.

    Members: ``tail``, the window's last line, from M2 and M1; ``alone``, the tail is the only line;
    ``first``, the place of the window's first item in its first line; ``until``, the place after
    its last item in the tail, 0 if the tail has no item of the window; ``empty``, the window has no
    item: then the members before are undefined, but ``alone`` is high; ``passenger``.
    """
    return data.StructLayout(
        {
            "tail": plan.line,
            "alone": 1,
            "first": range(plan.items),
            "until": range(plan.items + 1),
            "empty": 1,
            "passenger": passenger,
        }
    )


def collected_line(item, items, passenger, counts=MappingProxyType({})):
    """Returns the layout of a line of a window, with ``items`` items.

    The line's passenger has ``error`` (the read of this line, or of a line before it in the window,
    failed), ``m3`` (the line comes from M3), the members ``counts``, and the window's
    ``passenger``. :class:`~rtl.keyed.store.lines.line_format.LineFormat` describes ``counts``.
    """
    carried = data.StructLayout({"error": 1, "m3": 1, **counts, "passenger": passenger})
    return line(item, items, passenger=carried)


class WindowLines(wiring.Component):
    """Collects windows, one after the other: lines from M3, then the growing line.

    All levels are read when a window closes. The line from M2 and M1 waits in ``windows`` for the
    lines from M3, so no level waits for another before it is read, and data may move on from level
    to level in the meantime. Items come in the order of their arrival. Lanes that belong to the
    window are ``valid``. For instance with 4 items in a line, a window of the items 6 to 13, and
    item 13 the newest::

        from M3   4 5 6 7, 8 9 10 11      first 2
        tail      12 13 . .               until 2
        o         . . 6 7    8 9 10 11    12 13 . .  last

    ``passenger.error`` is high from the line on whose read failed, up to the window's last line. So
    the last line tells if the read of any line failed.

    An ``empty`` window is one line without items. Order is kept. Latency 0 cycles from a line, or
    from a window without lines. Initiation interval 1 cycle. A stall at ``o`` stalls both inputs. A
    line waits for its window, and a window that is not ``alone`` waits for its lines.

    Parameters
    ----------
    plan : LinePlan
    passenger : ShapeLike
        Data that go along with each window.
    last_from_m2 : bool
        True if M2 keeps the last full line of each key. Then the last line before a window's tail,
        8 9 10 11 above, comes from M2, and has no ``m3``.

    Members
    -------
    windows : In(stream.Signature(window_layout(plan, passenger)))
        Transferred with the window's last line.
    lines : In(stream.Signature(marked_line()))
        Lines of the windows that are not ``alone``, in order.
    o : Out(stream.Signature(collected_line(plan.item, plan.items, passenger)))

    Source: seed 000, section 3.4.5.
    """

    latency = 0
    initiation_interval = 1

    def __init__(self, plan, passenger=0, *, last_from_m2=False):
        self._plan = plan
        self._last_from_m2 = last_from_m2
        super().__init__(
            {
                "windows": In(stream.Signature(window_layout(plan, passenger))),
                "lines": In(stream.Signature(marked_line())),
                "o": Out(stream.Signature(collected_line(plan.item, plan.items, passenger))),
            }
        )

    def elaborate(self, platform):
        m = Module()
        window = self.windows.p
        line_in = self.lines.p
        is_tail = Signal()  # ``o`` offers the tail, not a line from M3
        is_first = Signal()  # ``o`` offers the window's first line
        has_error = Signal()  # a line from M3 before this line had an error
        error = Signal()
        o_fires = self.o.valid & self.o.ready
        with m.FSM():
            with m.State("LINES"):
                m.d.comb += [
                    is_tail.eq(window.alone),
                    is_first.eq(window.alone | line_in.first),
                ]
                with m.If(o_fires & ~window.alone & line_in.last):
                    m.next = "TAIL"
            with m.State("TAIL"):
                m.d.comb += is_tail.eq(1)
                with m.If(o_fires):
                    m.next = "LINES"
        with m.If(o_fires):
            m.d.sync += has_error.eq(error & ~is_tail)
        m.d.comb += [
            error.eq(has_error | (~is_tail & line_in.error)),
            self.o.valid.eq(self.windows.valid & (is_tail | self.lines.valid)),
            self.lines.ready.eq(self.windows.valid & ~is_tail & self.o.ready),
            self.windows.ready.eq(is_tail & self.o.ready),
            self.o.p.last.eq(is_tail),
            self.o.p.passenger.error.eq(error),
            self.o.p.passenger.m3.eq(~is_tail & ~line_in.last if self._last_from_m2 else ~is_tail),
            self.o.p.passenger.passenger.eq(window.passenger),
        ]
        for lane, item in enumerate(self._plan.unpacked(line_in.data)):
            # ``first`` is a place of the line, so the last lane is never before the window.
            precedes = is_first & (window.first > lane) if lane + 1 < self._plan.items else 0
            follows = is_tail & (window.until <= lane)
            m.d.comb += [
                self.o.p.valid[lane].eq(~precedes & ~follows & ~window.empty),
                Value.cast(self.o.p.tuples[lane]).eq(
                    Mux(is_tail, Value.cast(window.tail[lane]), item)
                ),
            ]
        return m
