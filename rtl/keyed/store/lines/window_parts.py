"""Appends the last full line, from M2, to the lines of a window from M3."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.dram.line_stripes import marked_line
from rtl.stream.queue import StreamQueue


def m2_line_layout(plan):
    """Returns the layout of a window's line from M2.

    Members: ``line``, the last full line of the window's key; ``alone``, the window needs no line
    from M3.
    """
    return data.StructLayout({"line": plan.line, "alone": 1})


class LineAppender(wiring.Component):
    """Outputs the full lines of each window: lines from M3, then the line from M2.

    M2 has a copy of the last full line of each key. M3 has all full lines. So a window takes its
    last full line from M2, and earlier lines from M3. A window without a full line passes neither
    input. For instance three windows: of lines 1 to 3, of line 4, and of lines 4 to 6. A * stands
    for ``last``: in ``lines`` it marks the end of a window's read, in ``o`` the end of a window::

        m2_lines  3        4 alone  6
        lines     1  2*             4  5*
        o         1  2  3* 4*       4  5  6*

    The first line of a window is marked as ``first``, also if it is the line from M2. A line from
    M2 has no ``error``.

    Windows stay in order. Latency 0 cycles from ``lines``, 1 cycle from ``m2_lines``.
    Initiation interval 1 cycle. A stall at ``o`` stalls ``lines`` in the same cycle, and
    ``m2_lines`` when ``windows`` lines wait.

    Parameters
    ----------
    plan : LinePlan
    windows : int
        Greatest number of lines from M2, one for each window, that wait for lines from M3; at least
        2.

    Members
    -------
    m2_lines : In(stream.Signature(m2_line_layout(plan)))
        One line for each window, in order.
    lines : In(stream.Signature(marked_line()))
        Lines from M3 of the windows whose line from M2 is not ``alone``, in order.
    o : Out(stream.Signature(marked_line()))

    Source: ours.
    """

    latency = 0
    initiation_interval = 1

    def __init__(self, plan, windows=32):
        self._plan = plan
        self._queue = StreamQueue(m2_line_layout(plan), windows)
        super().__init__(
            {
                "m2_lines": In(stream.Signature(m2_line_layout(plan))),
                "lines": In(stream.Signature(marked_line())),
                "o": Out(stream.Signature(marked_line())),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.queue = queue = self._queue
        wiring.connect(m, wiring.flipped(self.m2_lines), queue.i)
        is_m2_line = Signal()  # ``o`` offers the line from M2, not a line from M3
        queued = queue.o
        from_m3 = self.lines
        line = self._plan.packed(queued.p.line)
        o_fires = self.o.valid & self.o.ready
        with m.FSM():
            with m.State("M3_LINES"):
                m.d.comb += is_m2_line.eq(queued.p.alone)
                with m.If(o_fires & ~queued.p.alone & from_m3.p.last):
                    m.next = "M2_LINE"
            with m.State("M2_LINE"):
                m.d.comb += is_m2_line.eq(1)
                with m.If(o_fires):
                    m.next = "M3_LINES"
        m.d.comb += [
            self.o.valid.eq(queued.valid & (is_m2_line | from_m3.valid)),
            self.o.p.data.eq(Mux(is_m2_line, line, from_m3.p.data)),
            self.o.p.error.eq(~is_m2_line & from_m3.p.error),
            self.o.p.first.eq(Mux(is_m2_line, queued.p.alone, from_m3.p.first)),
            self.o.p.last.eq(is_m2_line),
            queued.ready.eq(is_m2_line & self.o.ready),
            from_m3.ready.eq(queued.valid & ~is_m2_line & self.o.ready),
        ]
        return m
