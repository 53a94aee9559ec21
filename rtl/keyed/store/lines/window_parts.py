"""The lines of a window out of M3, and behind them the one that M2 has kept."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.dram.line_stripes import marked_line
from rtl.stream.queue import StreamQueue


def kept_layout(plan):
    """Layout of a line that M2 has kept, for a window.

    Members: the ``line``; ``alone``, no line of the window comes from M3.
    """
    return data.StructLayout({"line": plan.line, "alone": 1})


class KeptLines(wiring.Component):
    """Gives the lines of each window: those out of M3, then the line that was kept for it.

    A line is kept for each window that begins before the line that is growing, and asked of M3 are
    only those before it. For instance three windows, of which the second is short::

        kept     3, 4 alone, 6
        lines    1 2 last           4 5 last
        o        1 2 3 last 4 last  4 5 6 last

    The first line of a window is marked as ``first``, also where that is the one that was kept.

    Order is kept. Latency 0 cycles from ``lines``, 1 cycle from ``kept``. Initiation interval 1
    cycle. A stall at ``o`` stalls ``lines`` in the same cycle, and ``kept`` when ``windows`` wait.

    Parameters
    ----------
    plan : LinePlan
    windows : int
        Of which the line may wait for those out of M3, at least 2.

    Members
    -------
    kept : In(stream.Signature(kept_layout(plan)))
    lines : In(stream.Signature(marked_line()))
        Of the windows whose line is not ``alone``, in order.
    o : Out(stream.Signature(marked_line()))

    Source: ours.
    """

    latency = 0
    initiation_interval = 1

    def __init__(self, plan, windows=32):
        self._plan = plan
        self._waiting = StreamQueue(kept_layout(plan), windows)
        super().__init__(
            {
                "kept": In(stream.Signature(kept_layout(plan))),
                "lines": In(stream.Signature(marked_line())),
                "o": Out(stream.Signature(marked_line())),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.waiting = waiting = self._waiting
        wiring.connect(m, wiring.flipped(self.kept), waiting.i)
        read = Signal()  # all lines from M3 have been given
        ends = Signal()
        kept, given = waiting.o, self.lines
        line = self._plan.packed(kept.p.line)
        m.d.comb += [
            ends.eq(kept.p.alone | read),
            self.o.valid.eq(kept.valid & (ends | given.valid)),
            self.o.p.data.eq(Mux(ends, line, given.p.data)),
            self.o.p.error.eq(~ends & given.p.error),
            self.o.p.first.eq(Mux(ends, kept.p.alone, given.p.first)),
            self.o.p.last.eq(ends),
            kept.ready.eq(ends & self.o.ready),
            given.ready.eq(kept.valid & ~ends & self.o.ready),
        ]
        with m.If(self.o.valid & self.o.ready):
            m.d.sync += read.eq(~ends & given.p.last)
        return m
