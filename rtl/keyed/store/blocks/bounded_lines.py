"""Limits the number of values of a window, to protect a sorter from damaged blocks."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import bits_for

from rtl.keyed.store.lines.window_lines import collected_line
from rtl.stream.register import StreamRegister


class BoundedLines(wiring.Component):
    """Passes the lines of windows; a line with which a window would exceed its ``bound`` is empty.

    A sorter gets the bound with a window, and sorts correctly only if the bound holds. A damaged
    block may have a wrong count, or the stamp of another slide, and so add values to a window.
    Invariant: **a window has at most as many values as its bound.** A line that would exceed the
    bound loses all its values, and the window's last line has ``error``; other lines never have it.
    For instance lines of 4, 4 and 2 values with a bound of 6 become lines of 4, 0 and 2 values, and
    an error.

    Order is kept. Latency 1 cycle, initiation interval 1 cycle. A stall at ``o`` stalls ``i`` when
    the register is full.

    Parameters
    ----------
    shape : ShapeLike
        Shape of a value.
    lanes : int
    window_info : data.StructLayout
        Description of a window with the member ``bound``; all lines of the window carry the same.

    Members
    -------
    i : In(stream.Signature(collected_line(shape, lanes, window_info)))
    o : Out(stream.Signature(collected_line(shape, lanes, window_info)))

    Source: ours.
    """

    latency = StreamRegister.latency
    initiation_interval = 1

    def __init__(self, shape, lanes, window_info):
        line = collected_line(shape, lanes, window_info)
        self._bound_shape = window_info["bound"].shape
        self._counted_line = data.StructLayout({"line": line, "count": bits_for(lanes)})
        super().__init__({"i": In(stream.Signature(line)), "o": Out(stream.Signature(line))})

    def elaborate(self, platform):
        m = Module()
        m.submodules.counted = counted = StreamRegister(self._counted_line)
        line = counted.o.p.line
        # Number of values in the window's lines before this line.
        passed = Signal(self._bound_shape)
        has_dropped = Signal()  # values of the window's lines before this line were dropped
        # A window may be smaller than a line, so that a line's count is wider than the bound.
        total = Signal(max(len(passed), len(counted.o.p.count)) + 1)
        exceeds = Signal()
        m.d.comb += [
            counted.i.valid.eq(self.i.valid),
            self.i.ready.eq(counted.i.ready),
            counted.i.p.line.eq(self.i.p),
            counted.i.p.count.eq(sum(self.i.p.valid)),
            self.o.valid.eq(counted.o.valid),
            counted.o.ready.eq(self.o.ready),
            total.eq(passed + counted.o.p.count),
            exceeds.eq(total > line.passenger.passenger.bound),
            self.o.p.eq(line),
            self.o.p.valid.eq(Mux(exceeds, 0, line.valid)),
            self.o.p.passenger.error.eq(line.last & (line.passenger.error | has_dropped | exceeds)),
        ]
        with m.If(self.o.valid & self.o.ready):
            m.d.sync += [
                passed.eq(Mux(line.last, 0, Mux(exceeds, passed, total))),
                has_dropped.eq((has_dropped | exceeds) & ~line.last),
            ]
        return m
