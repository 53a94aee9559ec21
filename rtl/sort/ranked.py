"""Percentiles of windows of lines: sorted by the merge sorter, picked by rank."""

from fractions import Fraction

from amaranth.hdl import Module, Shape, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.aggregate.targets import CompiledTargets, RunTimeTargets, wait_of
from rtl.network.compactor import RoundRobinCompactor
from rtl.network.plan import log2
from rtl.sort.merge_sorter import MergeSorter
from rtl.sort.padding import Padding, padded_order, rows_context
from rtl.sort.picker import Picker, picked_payload
from rtl.stream.line import line
from rtl.stream.queue import StreamQueue
from rtl.stream.skid import SkidBuffer

#: Transfers that a skid buffer holds.
SKIDS = 2


class Ranked(wiring.Component):
    """Percentiles of windows, each of up to ``window_max`` values.

    ::

        i --+--> compactor --> skid --> padding --> merge sorter --> skid --> picker --> o
            |    closes gaps               |  n                                  |
            |                              +--> ranks ceil(p * n) --> queue -----+
            +--> skid --> queue: a passenger for each window --------------------+

    No chain of ``ready`` goes through more than one of compactor, padding and sorter, and picker.

    Percentile p of n values is the one of rank ceil(p * n), from 1, in ascending order; floats in
    totalOrder with -0 < +0. Ties are the same value. n is counted as the values pass; a window's
    ``bound`` only says for how many the sorter is to be prepared, and beats up to it are filled
    with pads, which sort behind every value. A pad's value is 0 or one of the window's, never what
    a lane without a value came with: such a lane may be undefined in a simulator, as memory that
    was never written is, and then the comparison of two pads would be undefined. A bound that is
    not exact costs time, and never a wrong result; with 8 lanes all bounds from 57 to 64 are the
    same. A window of more values than its bound is a mistake of whoever gives it, and so is a bound
    of 0; a window without any value gives undefined ones.

    Order is kept, windows may follow each other without a gap, and nothing else is needed for one
    to come out: its results leave whether more lines come or not. ``i`` stalls when the sorter
    does, and when as many windows are inside as could be at full rate.

    Windows up to k of one beat or more take a cycle for each beat, windows of different sizes too.
    A window above k with another number of beats than the one before waits until the stores are
    empty, and so does one up to k behind a larger: to its results then pass up to
    :meth:`latency_of` its size from those of the one before, instead of :meth:`interval_of`. With
    P = 4 and k = 8 windows of 24 values in turn with windows of 16 come 48 and 39 cycles after the
    one before, and 24 and 16 with none of another size. So where windows have many sizes, a bound
    rounded up to one of a few can be the better one.

    Latency, from a window's first line to its results, when nothing stalls, no other window is in
    the way and its lines come without a gap::

        compactor + 1 + sorter(b P) + b + 2 + l - b

    for l lines, a bound that takes b beats of P lanes, and the sorter's latency for b P values:
    exactly so when l = b = 1, at most so when only b is 1, and up to 5 P more for larger windows,
    as the data has it. Initiation interval 1 cycle; for windows see :meth:`interval_of`.

    Parameters
    ----------
    shape : ShapeLike
        Shape of a value; a float is its bits, unsigned.
    lanes : int
        P, a power of two.
    targets : sequence of Fraction or str
        For each result p itself, or the member of the context that holds it in units of 1/65536:
        all of one kind.
    capacity, window_max, passes
        As for :class:`~rtl.sort.merge_sorter.MergeSorter`.
    floating : bool
    context : data.StructLayout
        What the lines' context is.
    passenger : ShapeLike
        What goes along with each window; that of its last line.

    Members
    -------
    i : In(stream.Signature(line(shape, lanes, context=context.size, ..., window_max=window_max)))
    o : Out(stream.Signature(picked_payload(shape, len(targets), passenger)))

    Source: seed 000, section 4.1, and seed 003, sections 3.2 and 3.3; bounds and pads are ours.
    """

    initiation_interval = 1

    def __init__(
        self,
        shape,
        lanes,
        *,
        targets,
        capacity,
        window_max,
        passes="shared",
        floating=False,
        context=None,
        passenger=0,
    ):
        self._targets, self._context = tuple(targets), context or data.StructLayout({})
        self._lanes, self._window_max = lanes, window_max
        self._sizes = {"lanes": lanes, "capacity": capacity, "window_max": window_max}
        self._order, self._passes = padded_order(shape, floating), passes
        self._wait = wait_of(self._targets, window_max)
        self._sorter = MergeSorter(self._order, **self._sizes, passes=passes)
        fractions = {t: self._context[t].shape for t in self._targets if isinstance(t, str)}
        self._fractions = data.StructLayout(fractions)
        self._steering = rows_context(window_max // lanes, self._fractions)
        self._compactor = RoundRobinCompactor(
            shape, lanes, context=self._steering.size, zero_invalid=True
        )
        self._padding = Padding(shape, lanes, window_max, context=self._fractions)
        self._picker = Picker(shape, lanes, len(self._targets), window_max, passenger=passenger)
        arriving = line(
            shape,
            lanes,
            context=self._context.size,
            passenger=passenger,
            window_max=window_max,
        )
        picked = picked_payload(shape, len(self._targets), passenger)
        super().__init__({"i": In(stream.Signature(arriving)), "o": Out(stream.Signature(picked))})

    @staticmethod
    def latency_of(values, *, lanes, lines=None, capacity, window_max):
        """Cycles from the first line of a window of so many values to its results.

        The bound takes no beat more than the values do. Without ``lines`` these are as few as can
        be; with more it is the most that it can take.
        """
        beats = -(-values // lanes)
        sorter = MergeSorter.latency_of(
            beats * lanes,
            order=padded_order(1),
            lanes=lanes,
            capacity=capacity,
            window_max=window_max,
        )
        before = RoundRobinCompactor.latency_of(lanes) + SkidBuffer.latency
        behind = SkidBuffer.latency + Picker.latency
        return before + sorter + behind + max(beats, lines or 0)

    @property
    def latency(self):
        """That of a window of one line."""
        return self.latency_of(1, **self._sizes)

    @staticmethod
    def interval_of(values, *, lanes, lines=0, capacity, window_max, passes):
        """Cycles from one window of so many values in so many lines to the next, in the long run.

        That is with the same number of beats, and the bound taking no beat more.
        """
        sorter = MergeSorter.interval_of(
            -(-values // lanes) * lanes,
            order=padded_order(1),
            lanes=lanes,
            capacity=capacity,
            window_max=window_max,
            passes=passes,
        )
        return max(lines, sorter)

    @staticmethod
    def windows_of(*, lanes, capacity, window_max):
        """Windows that may be inside: one more than there are with one in every cycle.

        That is as many as there are passengers, two of them in front of their queue.
        """
        sizes = {"lanes": lanes, "capacity": capacity, "window_max": window_max}
        return Ranked.latency_of(1, **sizes) + StreamQueue.latency + 2

    @staticmethod
    def memory_bits_of(shape, *, capacity, window_max, passes):
        """Bits of block RAM: the sorter's."""
        return MergeSorter.memory_bits_of(padded_order(shape), capacity, window_max, passes=passes)

    @property
    def memory_bits(self):
        return self._sorter.memory_bits

    def elaborate(self, platform):
        m = Module()
        m.submodules.compactor = self._compactor
        m.submodules.closed = closed = SkidBuffer(self._compactor.o.p.shape())
        m.submodules.padding = self._padding
        m.submodules.sorter = self._sorter
        m.submodules.sorted = sorted_ = SkidBuffer(self._sorter.o.p.shape())
        m.submodules.picker = self._picker
        passengers = self._enter(m)
        wiring.connect(m, self._compactor.o, closed.i)
        wiring.connect(m, closed.o, self._padding.i)
        wiring.connect(m, self._padding.o, self._sorter.i)
        m.d.comb += self._sorter.rows.eq(self._padding.rows)
        wiring.connect(m, self._sorter.o, sorted_.i)
        wiring.connect(m, sorted_.o, self._picker.i)
        self._ask(m, self._aim(m), passengers)
        wiring.connect(m, self._picker.o, wiring.flipped(self.o))
        return m

    def _queue(self, m, name, shape, before=0):
        """With what is ``before`` it, a place for something of every window that is inside."""
        width = max(1, Shape.cast(shape).width)  # there are no memories of no bits
        depth = self.windows_of(**self._sizes) - before
        queue = m.submodules[name] = StreamQueue(width, depth)
        return queue

    def _enter(self, m):
        """Lines to the compactor, passengers to their queue; returns that.

        While there is no place for one no line is taken, so the other queue is never full.
        """
        source, target = self.i, self._compactor.i
        passenger = self._picker.asked.p.passenger.shape()
        queue = self._queue(m, "passengers", passenger, before=SKIDS)
        m.submodules.entering = entering = SkidBuffer(queue.i.p.shape())
        wiring.connect(m, entering.o, queue.i)
        steering = Signal(self._steering)
        m.d.comb += [
            steering.final_row.eq((source.p.bound - 1) >> log2(self._lanes)),
            target.p.tuples.eq(source.p.tuples),
            target.p.valid.eq(source.p.valid),
            target.p.last.eq(source.p.last),
            target.p.context.eq(steering),
            target.valid.eq(source.valid & entering.i.ready),
            source.ready.eq(target.ready & entering.i.ready),
            entering.i.valid.eq(source.valid & target.ready & source.p.last),
        ]
        if "passenger" in source.p.shape().members:
            m.d.comb += entering.i.p.eq(source.p.passenger)
        if self._fractions.size:
            context = self._context(source.p.context)
            for name in self._fractions.members:
                m.d.comb += steering.context[name].eq(context[name])
        return queue

    def _aim(self, m):
        """From the number of a window's values to the places of its percentiles, in a queue."""
        places = Signal(self._picker.asked.p.places.shape())
        queue = self._queue(m, "places", places.shape())
        padding = self._padding
        steering = self._steering(padding.i.p.context)
        counted = padding.counted
        for level in range(self._wait):
            later = Signal(name=f"counted{level}")
            m.d.sync += later.eq(counted)
            counted = later
        for k, name in enumerate(self._targets):
            built_in = isinstance(name, Fraction)
            target = m.submodules[f"target{k}"] = (
                CompiledTargets(name, 1, self._window_max)
                if built_in
                else RunTimeTargets(1, self._window_max)
            )
            m.d.comb += [
                target.enable.eq(1),
                target.counts[0].eq(padding.count),
                places[k].eq(target.targets[0] - 1),
            ]
            if not built_in:
                m.d.comb += target.fraction.eq(steering.context[name])
        m.d.comb += [queue.i.valid.eq(counted), queue.i.p.eq(places)]
        return queue

    def _ask(self, m, places, passengers):
        """What is asked of a window, once both parts of it are there."""
        asked = self._picker.asked
        both = places.o.valid & passengers.o.valid
        m.d.comb += [
            asked.p.places.eq(places.o.p),
            asked.p.passenger.eq(passengers.o.p),
            asked.valid.eq(both),
            places.o.ready.eq(asked.ready & both),
            passengers.o.ready.eq(asked.ready & both),
        ]
