"""Makes rows out of the lines of windows, and beats that end the packets of streams."""

from amaranth.hdl import Module, Mux, Signal, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.contract.counters import events
from rtl.engine.parts.kernels import Kernels
from rtl.keyed.key_windows import row_counters
from rtl.stream.beat import beat, wire
from rtl.stream.order import equal
from rtl.stream.queue import StreamQueue
from rtl.stream.skid import SkidBuffer

#: Width of the count of windows in the kernels, in bits. Far fewer windows are in the kernels.
COUNT_BITS = 16
#: Number of ends of streams that may wait for the windows before them.
WAITING_ENDS = 4


def kernel_passenger(keys):
    """Returns the layout of the passenger of a window in the kernels, for a :class:`KeyedPlan`."""
    info = keys.window_info.members
    described = {name: info[name] for name in ("key", "window", "overflow") if name in info}
    return data.StructLayout({**described, "error": 1})


class Answers(wiring.Component):
    """Sends a row for each window, and after the rows of a stream a beat that ends the packet.

    ::

        i --> skid --+-- windows --> kernels --+--> skid --> o
                     +-- ends -------> queue --+

    An end has no values, so it does not pass the kernels. An end is sent when as many windows have
    left the kernels as had arrived before the end: with the streams ``a1 a2 end b1 end`` the first
    end has number 2, the second has number 3. An end takes 2 cycles at the output.

    Order is kept. ``i`` stalls when ``o`` stalls and all buffers are full, when the kernels accept
    no window, and at an end while :data:`WAITING_ENDS` ends wait. Latency 2 cycles plus the latency
    of :class:`~rtl.engine.parts.kernels.Kernels`. Initiation interval 1 cycle, for lines.

    Parameters
    ----------
    kernels : KernelPlan
        Its ``passenger`` is :func:`kernel_passenger`.
    keys : KeyedPlan
    row : data.StructLayout
        A row: ``window``, ``valid``, ``key``, ``results``.

    Members
    -------
    i : In(stream.Signature(keys.window_line))
    o : Out(stream.Signature(beat(row, 1)))
        ``valid`` of a row is 0 if a line of its window had an error: then its values are invalid.
    busy : Out(1)
        An end waits, a line waits before the kernels, or a beat waits at ``o``.
    events : Out(events(row_counters(keys)))
        Rows without valid values are counted in the cycle in which they leave the kernels.
    started : In(stream.Signature(keys.pivots.started)), or none
    verdicts : Out(stream.Signature(keys.pivots.verdict, always_ready=True)), or none
        With pivots: the streams of the same names of :class:`~rtl.engine.parts.kernels.Kernels`.

    Source: seed 000, section 3.4.5; ends of streams are ours.
    """

    initiation_interval = 1

    def __init__(self, kernels, keys, row):
        self._kernels = Kernels(kernels, keys.line_format.used)
        self._ends = StreamQueue(COUNT_BITS, WAITING_ENDS)
        line = keys.window_line
        self._skid = SkidBuffer(line)
        self._beats = SkidBuffer(beat(row, 1))
        self._has_pivots = kernels.pivots is not None
        inner = self._kernels.signature.members
        pivot_ports = ("started", "verdicts") if self._has_pivots else ()
        super().__init__(
            {
                "i": In(stream.Signature(line)),
                "o": Out(stream.Signature(beat(row, 1))),
                "busy": Out(1),
                "events": Out(events(row_counters(keys))),
                **{name: inner[name] for name in pivot_ports},
            }
        )

    @staticmethod
    def latency_of(kernels, size):
        """Returns the latency from the last line of a window of ``size`` tuples to its row."""
        return 2 * SkidBuffer.latency + kernels.latency_of(size)

    @property
    def latency(self):
        return 2 * SkidBuffer.latency + self._kernels.latency

    def elaborate(self, platform):
        m = Module()
        m.submodules.kernels = kernels = self._kernels
        m.submodules.ends = ends = self._ends
        # Two skid buffers cut the long combinational paths of ready through the data collector and
        # the kernels. An end passes the second buffer, too: the payload of its beat comes from the
        # output of the kernels, which may change while the end waits at o.
        m.submodules.skid = skid = self._skid
        m.submodules.beats = beats = self._beats
        wiring.connect(m, wiring.flipped(self.i), skid.i)
        wiring.connect(m, beats.o, wiring.flipped(self.o))
        self._enter(m)
        result = kernels.o
        row = beats.i.p.tuples[0]
        end_is_due, is_compared = self._compare_ends(m, result)
        passenger = result.p.passenger
        m.d.comb += [
            ends.o.ready.eq(beats.i.ready & end_is_due),
            result.ready.eq(beats.i.ready & is_compared & ~end_is_due),
            beats.i.valid.eq((result.valid & is_compared) | end_is_due),
            beats.i.p.valid.eq(~end_is_due),
            beats.i.p.last.eq(end_is_due),
            row.window.eq(passenger.window),
            row.valid.eq(~passenger.error),
            Value.cast(row.key).eq(passenger.key),
            *wire(row.results, result.p.results),
            self.busy.eq(skid.o.valid | ends.o.valid | beats.o.valid),
        ]
        self._count(m, result)
        if self._has_pivots:
            wiring.connect(m, wiring.flipped(self.started), kernels.started)
            wiring.connect(m, kernels.verdicts, wiring.flipped(self.verdicts))
        return m

    def _compare_ends(self, m, result):
        """Returns two flags: the next end is due, and the next end was compared.

        An end is compared with the number of windows that have left, in the cycle before it is due;
        a comparison in the same cycle would lengthen the path of ``ready`` into the kernels. The
        window that leaves in the cycle of the comparison counts, too. In the cycle after an end no
        window leaves, because the end behind it, which may be due at once, is compared then. An end
        that enters is compared before a window behind it has passed the kernels.
        """
        ends = self._ends
        leaves = Signal()
        left_count = Signal(COUNT_BITS)
        following = Signal(COUNT_BITS, init=1)
        due = Signal()
        compared = Signal(init=1)
        sent = ends.o.valid & ends.o.ready
        is_equal = Mux(leaves, equal(ends.o.p, following), equal(ends.o.p, left_count))
        m.d.comb += leaves.eq(result.valid & result.ready)
        m.d.sync += [due.eq(ends.o.valid & ~sent & is_equal), compared.eq(~sent)]
        with m.If(leaves):
            m.d.sync += [left_count.eq(following), following.eq(following + 1)]
        return due, compared

    def _count(self, m, result):
        """Counts rows without valid values: overflowed windows and other wrong windows apart."""
        passenger = result.p.passenger
        marked = Signal()
        overflow = Signal()
        m.d.comb += [
            marked.eq(result.valid & result.ready & passenger.error),
            self.events.wrong_windows.eq(marked & ~overflow),
        ]
        if "overflow" in passenger.shape().members:
            m.d.comb += [
                overflow.eq(passenger.overflow),
                self.events.overflowed_windows.eq(marked & overflow),
            ]

    def _enter(self, m):
        """Sends a line to the kernels, or an end to the queue with the count of windows before."""
        line = self._skid.o
        kernels = self._kernels
        ends = self._ends
        counted_windows = Signal(COUNT_BITS)
        info = line.p.passenger.passenger
        target = kernels.i
        m.d.comb += [
            *(target.p[name].eq(line.p[name]) for name in ("tuples", "valid", "last")),
            *(
                target.p.passenger[name].eq(info[name])
                for name in target.p.passenger.shape().members
                if name != "error"
            ),
            target.p.passenger.error.eq(line.p.passenger.error),
            target.valid.eq(line.valid & ~info.end),
            ends.i.p.eq(counted_windows),
            ends.i.valid.eq(line.valid & info.end),
            line.ready.eq(Mux(info.end, ends.i.ready, target.ready)),
        ]
        if "bound" in target.p.shape().members:
            m.d.comb += target.p.bound.eq(info.bound)
        if "number" in target.p.shape().members:
            m.d.comb += target.p.number.eq(info.number)
        if "pivots" in target.p.shape().members:
            m.d.comb += target.p.pivots.eq(line.p.passenger.pivots)
        # Without pivots a window counts when its last line enters. With pivots its lines enter once
        # for each pass, so it counts at the verdict that keeps its pass; its row may leave much
        # later. The count is then complete when an end arrives, because WindowPasses holds back an
        # end until all windows before it have their answers.
        enters = target.valid & target.ready & line.p.last
        with m.If(kernels.window_kept if self._has_pivots else enters):
            m.d.sync += counted_windows.eq(counted_windows + 1)
