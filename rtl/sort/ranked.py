"""Percentiles of windows of lines: the merge sorter sorts, the picker takes values by rank."""

from fractions import Fraction

from amaranth.hdl import Module, Shape, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.aggregate.targets import CompiledTargets, RunTimeTargets, wait_of
from rtl.network.compactor import RoundRobinCompactor
from rtl.network.plan import log2
from rtl.sort.merge_sorter import MergeSorter
from rtl.sort.padding import Padding, padded_order, padding_context
from rtl.sort.picker import Picker, picked_payload
from rtl.stream.line import line
from rtl.stream.queue import StreamQueue
from rtl.stream.skid import SkidBuffer

#: Transfers that a skid buffer holds.
SKID_DEPTH = 2


class Ranked(wiring.Component):
    """Computes percentiles of windows, each of up to ``window_max`` values.

    ::

        i --+--> compactor --> skid --> padding --> merge sorter --> skid --> picker --> o
            |    closes gaps               |  n                                  |
            |                              +--> ranks ceil(p * n) --> queue -----+
            +--> skid --> queue: a passenger for each window --------------------+

    No chain of ``ready`` passes through more than one of three blocks: the compactor, padding with
    the sorter, and the picker.

    Percentile p of n values is the value of rank ceil(p * n), from 1, in ascending order; floats
    are in totalOrder with -0 < +0. The block counts n while the values pass. A window's ``bound``
    is the number of values for which the sorter prepares; pads, which sort behind every value, fill
    the beats up to the bound. The value of a pad is 0 or a value of the window, and never the
    payload of a lane without a value: a simulator shows memory that was never written as undefined,
    and a comparison of two undefined pads would be undefined. A bound that is not exact costs time
    and never makes a result wrong; with 8 lanes all bounds from 57 to 64 are equivalent. The caller
    must not pass a bound of 0, nor a window with more values than its bound. The results of a
    window without values are undefined.

    Order is kept, and windows may follow each other without a gap. The results of a window leave
    even if no further line arrives. ``i`` stalls when the sorter does, and when the block holds as
    many windows as it can at full rate.

    Windows of up to k values (k is the ``capacity``) take one cycle per beat, even when their sizes
    differ. A larger window waits until the stores are empty if its number of beats differs from the
    previous window's; a window of up to k values after a larger window waits as well. The results
    of a window that waited follow the previous results after up to :meth:`latency_of` cycles
    instead of :meth:`interval_of`. With P = 4, k = 8, a ``window_max`` of 64 and one merge tree,
    alternating windows of 24 and 16 values follow the previous window after up to 48 and 39 cycles;
    windows of equal size follow after 24 and 16 on average. So if windows have many sizes, rounding
    bounds up to a few values can be faster.

    Latency, from a window's first line to its results, if nothing stalls, no other window is
    inside and the window's lines arrive without a gap::

        compactor + sorter(b P) + max(b, l) + 3

    for l lines, a bound of b beats of P lanes, and the sorter's latency for b P values. The formula
    is exact for l = b = 1 and an upper limit for b = 1; larger windows take up to 5 P cycles more,
    depending on the data. The 3 cycles are two skid buffers and the picker.
    Initiation interval 1 cycle; for windows see :meth:`interval_of`.

    Parameters
    ----------
    shape : ShapeLike
        Shape of a value; unsigned bits for a float.
    lanes : int
        P, a power of two.
    targets : sequence of Fraction or str
        For each result, p itself or the name of the context's member that holds p in units of
        1/65536; all of one kind.
    capacity, window_max, passes
        As for :class:`~rtl.sort.merge_sorter.MergeSorter`.
    floating : bool
    context : data.StructLayout
        Layout of the lines' context.
    passenger : ShapeLike
        Shape of the data that each window carries to its results, taken from its last line.

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
        self._targets = tuple(targets)
        self._context = context or data.StructLayout({})
        self._lanes = lanes
        self._window_max = window_max
        self._sizes = {"lanes": lanes, "capacity": capacity, "window_max": window_max}
        self._order = padded_order(shape, floating)
        self._passes = passes
        self._wait = wait_of(self._targets, window_max)
        self._sorter = MergeSorter(self._order, **self._sizes, passes=passes)
        fractions = {t: self._context[t].shape for t in self._targets if isinstance(t, str)}
        self._fractions = data.StructLayout(fractions)
        self._steering = padding_context(window_max // lanes, self._fractions)
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
        """Returns the cycles from the first line of a window of ``values`` values to its results.

        Assumes a bound of as many beats as the values fill. Without ``lines`` the window has as few
        lines as possible. The result is exact for one line and one beat, and an upper limit for one
        beat in several lines; windows of more beats take up to 5 P cycles more.
        """
        beats = -(-values // lanes)
        sorter = MergeSorter.latency_of(
            beats * lanes,
            order=padded_order(1),
            lanes=lanes,
            capacity=capacity,
            window_max=window_max,
        )
        input_latency = RoundRobinCompactor.latency_of(lanes) + SkidBuffer.latency
        output_latency = SkidBuffer.latency + Picker.latency
        return input_latency + sorter + output_latency + max(beats, lines or 0)

    @property
    def latency(self):
        """Latency of a window of one line, in cycles."""
        return self.latency_of(1, **self._sizes)

    @staticmethod
    def interval_of(values, *, lanes, lines=0, capacity, window_max, passes):
        """Returns the mean cycles between windows of ``values`` values in ``lines`` lines.

        Assumes windows of equal numbers of beats, and bounds of as many beats as the values fill.
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
        """Number of windows that the block may hold: one more than a window per cycle requires.

        Each window has one passenger, and two passengers wait in the skid buffer before the queue.
        """
        sizes = {"lanes": lanes, "capacity": capacity, "window_max": window_max}
        return Ranked.latency_of(1, **sizes) + StreamQueue.latency + 2

    @staticmethod
    def memory_bits_of(shape, *, capacity, window_max, passes):
        """Returns the bits of block RAM of the sorter."""
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
        self._request(m, self._place_queue(m), passengers)
        wiring.connect(m, self._picker.o, wiring.flipped(self.o))
        return m

    def _queue(self, m, name, shape, before=0):
        """Returns a new queue of ``shape``.

        The queue and the ``before`` places in front of the queue hold one entry for each window in
        the component.
        """
        width = max(1, Shape.cast(shape).width)  # a memory needs at least one bit
        depth = self.windows_of(**self._sizes) - before
        queue = m.submodules[name] = StreamQueue(width, depth)
        return queue

    def _enter(self, m):
        """Passes lines to the compactor and passengers to their queue; returns the queue.

        ``i`` stalls while the passengers have no room, so the queue of places is never full.
        """
        source = self.i
        target = self._compactor.i
        passenger = self._picker.request.p.passenger.shape()
        queue = self._queue(m, "passengers", passenger, before=SKID_DEPTH)
        m.submodules.entering = entering = SkidBuffer(queue.i.p.shape())
        wiring.connect(m, entering.o, queue.i)
        steering = Signal(self._steering)
        m.d.comb += [
            steering.last_beat.eq((source.p.bound - 1) >> log2(self._lanes)),
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

    def _place_queue(self, m):
        """Queues the places of each window's percentiles, computed from its number of values."""
        places = Signal(self._picker.request.p.places.shape())
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

    def _request(self, m, places, passengers):
        """Requests a window's values from the picker once places and passenger are available."""
        request = self._picker.request
        both = places.o.valid & passengers.o.valid
        m.d.comb += [
            request.p.places.eq(places.o.p),
            request.p.passenger.eq(passengers.o.p),
            request.valid.eq(both),
            places.o.ready.eq(request.ready & both),
            passengers.o.ready.eq(request.ready & both),
        ]
