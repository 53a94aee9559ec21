"""No more values of a window than were told: what a damaged block may not do to a sorter."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import bits_for

from rtl.keyed.store.lines.window_lines import collected_line
from rtl.stream.register import StreamRegister


class BoundedLines(wiring.Component):
    """Gives the lines of windows, and of those with more values than their ``bound`` fewer.

    Who sorts a window is told with its first line how large it can become, and relies on it. A
    damaged block may have another count, or the stamp of another slide, and so bring values that
    nobody has counted. **Always: of a window come at most as many values as its bound.** A line
    with which there would be more comes without any, and the window's last line has ``error``. For
    instance lines of 4 and 4 and 2 values with a bound of 6: 4, none, 2, and an error.

    Order is kept. Latency 1 cycle, initiation interval 1 cycle. A stall at ``o`` stalls ``i`` when
    the register is full.

    Parameters
    ----------
    shape : ShapeLike
        A value.
    lanes : int
    told : data.StructLayout
        What goes with a window: has its ``bound``.

    Members
    -------
    i : In(stream.Signature(collected_line(shape, lanes, told)))
    o : Out(stream.Signature(collected_line(shape, lanes, told)))

    Source: ours.
    """

    latency = StreamRegister.latency
    initiation_interval = 1

    def __init__(self, shape, lanes, told):
        line = collected_line(shape, lanes, told)
        self._count, self._bound = bits_for(lanes), told["bound"].shape
        self._counted = data.StructLayout({"line": line, "count": self._count})
        super().__init__({"i": In(stream.Signature(line)), "o": Out(stream.Signature(line))})

    def elaborate(self, platform):
        m = Module()
        m.submodules.counted = counted = StreamRegister(self._counted)
        line = counted.o.p.line
        seen, cut = Signal(self._bound), Signal()  # of the window, by the lines before
        total, beyond = Signal(len(seen) + 1), Signal()
        m.d.comb += [
            counted.i.valid.eq(self.i.valid),
            self.i.ready.eq(counted.i.ready),
            counted.i.p.line.eq(self.i.p),
            counted.i.p.count.eq(sum(self.i.p.valid)),
            self.o.valid.eq(counted.o.valid),
            counted.o.ready.eq(self.o.ready),
            total.eq(seen + counted.o.p.count),
            beyond.eq(total > line.passenger.passenger.bound),
            self.o.p.eq(line),
            self.o.p.valid.eq(Mux(beyond, 0, line.valid)),
            self.o.p.passenger.error.eq(line.last & (line.passenger.error | cut | beyond)),
        ]
        with m.If(self.o.valid & self.o.ready):
            m.d.sync += [
                seen.eq(Mux(line.last, 0, Mux(beyond, seen, total))),
                cut.eq((cut | beyond) & ~line.last),
            ]
        return m
