"""From the lines of windows to rows on their way to the bus, and to the ends of streams."""

from amaranth.hdl import Module, Mux, Signal, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.engine.parts.kernels import Kernels
from rtl.stream.beat import beat, wire
from rtl.stream.order import equal
from rtl.stream.queue import StreamQueue
from rtl.stream.skid import SkidBuffer

#: Bits of the number of a window on its way through the kernels, of which far fewer are there.
TURN = 16
#: Ends of streams that may wait for the windows before them.
ENDS = 4


def kernel_passenger(keys):
    """Layout of what goes through the kernels with a window, of a :class:`KeyedPlan`'s."""
    told = keys.told.members
    return data.StructLayout({"key": told["key"], "window": told["window"], "error": 1})


class Answers(wiring.Component):
    """Gives a row for each window, and after the rows of a stream a beat that ends it.

    ::

        i --> skid --+-- windows --> kernels --> skid --+--> o
                     +-- ends -------> queue -----------+

    An end has no values, so it goes around the kernels. It is let out when as many windows have
    left them as had come before it: of the streams ``a1 a2 end b1 end`` the first end has number 2,
    the second number 3.

    Order is kept. A stall at ``o`` stalls ``i``, once nothing can move any more; so do windows that
    the kernels cannot take, and an end behind so many others as may wait. Latency that of
    :class:`~rtl.engine.parts.kernels.Kernels` and 2 cycles. Initiation interval 1 cycle, for lines.

    Parameters
    ----------
    kernels : KernelPlan
        Its ``passenger`` is :func:`kernel_passenger`.
    keys : KeyedPlan
    row : data.StructLayout
        A row: ``window``, ``valid``, ``key``, ``results``.

    Members
    -------
    i : In(stream.Signature(keys.given.line(keys.told)))
    o : Out(stream.Signature(beat(row, 1)))
        ``valid`` of a row is 0 when its values are worth nothing, as a line of them had an error.
    busy : Out(1)
        An end waits, or a line has not entered the kernels.

    Source: seed 000, section 3.4.5; ends of streams are ours.
    """

    initiation_interval = 1

    def __init__(self, kernels, keys, row):
        self._kernels = Kernels(kernels)
        self._ends = StreamQueue(TURN, ENDS)
        line = keys.given.line(keys.told)
        self._skid, self._given = SkidBuffer(line), SkidBuffer(self._kernels.o.p.shape())
        super().__init__(
            {
                "i": In(stream.Signature(line)),
                "o": Out(stream.Signature(beat(row, 1))),
                "busy": Out(1),
            }
        )

    @staticmethod
    def latency_of(kernels, size):
        """Cycles from the last line of a window of so many tuples to its row."""
        return 2 * SkidBuffer.latency + kernels.latency_of(size)

    @property
    def latency(self):
        return 2 * SkidBuffer.latency + self._kernels.latency

    def elaborate(self, platform):
        m = Module()
        m.submodules.kernels = kernels = self._kernels
        m.submodules.ends = ends = self._ends
        # End chains of ready: before that of the kernels comes the data collector's.
        m.submodules.skid, m.submodules.given = skid, given = self._skid, self._given
        wiring.connect(m, wiring.flipped(self.i), skid.i)
        wiring.connect(m, kernels.o, given.i)
        entered, left = Signal(TURN), Signal(TURN)
        self._enter(m, entered)
        due, result, row = Signal(), given.o, self.o.p.tuples[0]
        beside = result.p.passenger
        m.d.comb += [
            due.eq(equal(ends.o.p, left, ends.o.valid)),
            ends.o.ready.eq(self.o.ready & due),
            result.ready.eq(self.o.ready & ~due),
            self.o.valid.eq(result.valid | due),
            self.o.p.valid.eq(~due),
            self.o.p.last.eq(due),
            row.window.eq(beside.window),
            row.valid.eq(~beside.error),
            Value.cast(row.key).eq(beside.key),
            *wire(row.results, result.p.results),
            self.busy.eq(skid.o.valid | ends.o.valid),
        ]
        with m.If(result.valid & result.ready):
            m.d.sync += left.eq(left + 1)
        return m

    def _enter(self, m, entered):
        """A line goes to the kernels, or it is an end; ``entered`` are the windows before it."""
        line, kernels, ends = self._skid.o, self._kernels, self._ends
        told, target = line.p.passenger.passenger, kernels.i
        m.d.comb += [
            *(target.p[name].eq(line.p[name]) for name in ("tuples", "valid", "last")),
            target.p.passenger.key.eq(told.key),
            target.p.passenger.window.eq(told.window),
            target.p.passenger.error.eq(line.p.passenger.error),
            target.valid.eq(line.valid & ~told.end),
            ends.i.p.eq(entered),
            ends.i.valid.eq(line.valid & told.end),
            line.ready.eq(Mux(told.end, ends.i.ready, target.ready)),
        ]
        if "bound" in target.p.shape().members:
            m.d.comb += target.p.bound.eq(told.bound)
        if "number" in target.p.shape().members:
            m.d.comb += target.p.number.eq(told.line)
        with m.If(target.valid & target.ready & line.p.last):
            m.d.sync += entered.eq(entered + 1)
