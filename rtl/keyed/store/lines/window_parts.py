"""Appends the last full line, from M2, to the lines of a window from M3."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.dram.line_stripes import marked_line
from rtl.stream.queue import StreamQueue


def kept_layout(plan):
    """Returns the layout of a window's line from M2.

    Members: the ``line``; ``alone``, the window has no line in M3.
    """
    return data.StructLayout({"line": plan.line, "alone": 1})


class KeptLines(wiring.Component):
    """Outputs the lines of each window: lines from M3, then the line from M2.

    M2, on the chip, has a copy of the line of each key that became full last. M3, off the chip, has
    all full lines. So a window that begins before the line that is being filled takes its last full
    line from M2, and the full lines before that line from M3. For instance three windows: of lines
    1 to 3, of line 4, and of lines 4 to 6. The line marked with * is the last one of its window::

        kept     3        4 alone  6
        lines    1  2*             4  5*
        o        1  2  3* 4*       4  5  6*

    The first line of a window is marked as ``first``, also if it is the line from M2.

    Order is kept. Latency 0 cycles from ``lines``, 1 cycle from ``kept``. Initiation interval 1
    cycle. A stall at ``o`` stalls ``lines`` in the same cycle, and ``kept`` when ``windows`` wait.

    Parameters
    ----------
    plan : LinePlan
    windows : int
        Number of lines from M2 that may wait for lines from M3, at least 2.

    Members
    -------
    kept : In(stream.Signature(kept_layout(plan)))
    lines : In(stream.Signature(marked_line()))
        Lines of the windows whose line from M2 is not ``alone``, in order.
    o : Out(stream.Signature(marked_line()))

    Source: ours.
    """

    latency = 0
    initiation_interval = 1

    def __init__(self, plan, windows=32):
        self._plan = plan
        self._queue = StreamQueue(kept_layout(plan), windows)
        super().__init__(
            {
                "kept": In(stream.Signature(kept_layout(plan))),
                "lines": In(stream.Signature(marked_line())),
                "o": Out(stream.Signature(marked_line())),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.queue = queue = self._queue
        wiring.connect(m, wiring.flipped(self.kept), queue.i)
        is_kept = Signal()  # ``o`` offers the line from M2, not a line from M3
        queued, from_m3 = queue.o, self.lines
        line, o_fires = self._plan.packed(queued.p.line), self.o.valid & self.o.ready
        with m.FSM():
            with m.State("LINES"):
                m.d.comb += is_kept.eq(queued.p.alone)
                with m.If(o_fires & ~queued.p.alone & from_m3.p.last):
                    m.next = "KEPT"
            with m.State("KEPT"):
                m.d.comb += is_kept.eq(1)
                with m.If(o_fires):
                    m.next = "LINES"
        m.d.comb += [
            self.o.valid.eq(queued.valid & (is_kept | from_m3.valid)),
            self.o.p.data.eq(Mux(is_kept, line, from_m3.p.data)),
            self.o.p.error.eq(~is_kept & from_m3.p.error),
            self.o.p.first.eq(Mux(is_kept, queued.p.alone, from_m3.p.first)),
            self.o.p.last.eq(is_kept),
            queued.ready.eq(is_kept & self.o.ready),
            from_m3.ready.eq(queued.valid & ~is_kept & self.o.ready),
        ]
        return m
