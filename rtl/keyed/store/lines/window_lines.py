"""The data collector: the parts of a window, out of three levels, become its lines."""

from amaranth.hdl import Module, Mux, Signal, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.dram.line_stripes import marked_line
from rtl.stream.line import line


def window_layout(plan, passenger):
    """Layout of a window that is to be collected.

    Members: ``tail``, its last line, out of M2 and M1; ``alone``, no line comes before that;
    ``first``, the place of the window's first item in its first line, and ``until``, that behind
    its last item in the tail, 0 if it has none there; ``empty``, there is no item, so nothing of
    these counts, and ``alone`` is high; ``passenger``.
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


def collected_line(item, items, passenger):
    """Layout of a line of a window, of ``items``.

    With it go ``error``, ``m3`` (it comes out of M3), and the window's ``passenger``.
    """
    carried = data.StructLayout({"error": 1, "m3": 1, "passenger": passenger})
    return line(item, items, passenger=carried)


class WindowLines(wiring.Component):
    """Collects windows, one after the other: lines from M3, then the line that is growing.

    All levels are asked at once, when a window closes; what M2 and M1 have waits in ``windows``
    for what M3 gives, so no level waits for another before it is read, and data may move on from
    level to level in the meantime. Items come in the order of their arrival. Lanes that belong to
    the window are ``valid``. For instance, 4 items in a line, the window 6 to 13 of a ring, and
    item 13 the newest::

        from M3   4 5 6 7, 8 9 10 11      first 2
        tail      12 13 . .               until 2
        o         . . 6 7    8 9 10 11    12 13 . .  last

    ``passenger.error`` is high in a window's last line if any of its lines was answered with an
    error.

    An ``empty`` window is one line without any item. Order is kept. Latency 0 cycles from a line,
    or from a window without lines. Initiation interval
    1 cycle. A stall at ``o`` stalls both inputs.

    Parameters
    ----------
    plan : LinePlan
    passenger : ShapeLike
        What goes along with each window.
    kept : bool
        The last of the lines of a window before its tail is one that M2 has kept.

    Members
    -------
    windows : In(stream.Signature(window_layout(plan, passenger)))
        Taken with the window's last line.
    lines : In(stream.Signature(marked_line()))
        Of the windows that are not ``alone``, in order.
    o : Out(stream.Signature(collected_line(plan.item, plan.items, passenger)))

    Source: seed 000, section 3.4.5.
    """

    latency = 0
    initiation_interval = 1

    def __init__(self, plan, passenger=0, *, kept=False):
        self._plan, self._kept = plan, kept
        super().__init__(
            {
                "windows": In(stream.Signature(window_layout(plan, passenger))),
                "lines": In(stream.Signature(marked_line())),
                "o": Out(stream.Signature(collected_line(plan.item, plan.items, passenger))),
            }
        )

    def elaborate(self, platform):
        m = Module()
        window, given = self.windows.p, self.lines.p
        read = Signal()  # all lines from M3 have been given
        wrong = Signal()  # one of them with an error
        ends, begins, error = Signal(), Signal(), Signal()
        m.d.comb += [
            ends.eq(read | window.alone),
            begins.eq(Mux(ends, ~read, given.first)),
            error.eq(wrong | (~ends & given.error)),
            self.o.valid.eq(self.windows.valid & (ends | self.lines.valid)),
            self.lines.ready.eq(self.windows.valid & ~ends & self.o.ready),
            self.windows.ready.eq(ends & self.o.ready),
            self.o.p.last.eq(ends),
            self.o.p.passenger.error.eq(error),
            self.o.p.passenger.m3.eq(~ends & ~given.last if self._kept else ~ends),
            self.o.p.passenger.passenger.eq(window.passenger),
        ]
        for lane, item in enumerate(self._plan.unpacked(given.data)):
            behind = begins & (window.first > lane) if lane + 1 < self._plan.items else 0
            above = ends & (window.until <= lane)
            m.d.comb += [
                self.o.p.valid[lane].eq(~behind & ~above & ~window.empty),
                Value.cast(self.o.p.tuples[lane]).eq(
                    Mux(ends, Value.cast(window.tail[lane]), item)
                ),
            ]
        with m.If(self.o.valid & self.o.ready):
            m.d.sync += [
                read.eq(~ends & given.last),
                wrong.eq(error & ~ends),
            ]
        return m
