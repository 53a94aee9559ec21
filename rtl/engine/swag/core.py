"""Connects the parts of the sliding-window engine's core."""

from amaranth.hdl import Cat, Const, Module, Mux, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.fifo import SyncFIFO
from amaranth.lib.wiring import In, Out

from rtl.engine.parts.aggregation import Aggregation
from rtl.engine.parts.intake import Intake
from rtl.engine.parts.reports import gather, reports
from rtl.engine.parts.stream_tracker import StreamTracker, offers_end, transfers_end
from rtl.sort.merge_sorter import MergeSorter
from rtl.stream.beat import beat
from rtl.stream.queue import StreamQueue
from rtl.window.replay import ReplayBuffer

#: Capacity of the queue of contexts. If a query needs a context, at most 4 streams are inside.
STREAMS = 4


class Swag(wiring.Component):
    """Aggregates sliding windows: the last ws tuples, after every wa tuples.

    For instance with ws 8 and wa 4, a stream of 18 tuples has the windows of tuples 0 to 7, 4 to
    11, and 8 to 15.

    ::

        i -> intake -> replay buffer -> merge sorter -> aggregation -> o
             WHERE,  | windows          by group        a row for
             NaN     |                  and column      each group
                     +--> queue of contexts --------------^

    ``i`` is a stream of beats (see :mod:`rtl.stream.beat`). They are dense, but with WHERE or a
    floating-point column they may have gaps, which the intake closes.
    :class:`~rtl.engine.parts.intake.Intake` describes which tuples are dropped. At ``o`` each
    window is its own stream: one row for each group, ascending by group, in dense beats, with
    ``last`` on the final beat of the window. Windows leave in order. A window that is never full
    produces no row, and the end of a stream produces no beat.

    Settings accompany the beats only to the replay buffer. The aggregation needs a part of the
    settings, the context; the contexts are in a queue with one entry for each stream. So up to 4
    streams may be inside, and a fifth stream stalls; without a context there is no such limit.
    Streams may follow each other without a gap, and each stream may have other settings.

    For rate, latency and memory see the design's Prediction. ``i`` stalls while the replay buffer
    is full. Latency from the first tuple of a stream to its first row: the sum of intake, replay
    buffer, sorter and aggregation, plus 1 cycle of the queue behind the sorter. Initiation interval
    1 cycle while ``i`` does not stall.

    Parameters
    ----------
    intake : IntakePlan
    sorting : Sorting
    grouping : Grouping
    percentiles : Percentiles
        The percentiles compute the grouping's context from the settings of a stream.

    Members
    -------
    i : In(stream.Signature(beat(intake.row, lanes, intake.settings.layout.size)))
    o : Out(stream.Signature(beat(grouping.rows(...).layout, lanes)))
    busy : Out(1)
        The engine has accepted the end of a stream, but has not sent all of its rows.
    events : Out(events(intake.counters))
    errors : Out(errors(intake.flags))

    Source: seed 003, section 3.2; different settings for each stream are ours.
    """

    initiation_interval = 1

    def __init__(self, intake, sorting, grouping, percentiles):
        self._settings = intake.passed_settings
        self._percentiles = percentiles
        self._context = grouping.context
        self._intake = Intake(intake)
        self._aggregation = Aggregation(grouping)
        self._replay = ReplayBuffer(intake.row, intake.lanes, sorting.window_max)
        self._sorter = MergeSorter(sorting.order, **sorting.sorter_sizes)
        width = grouping.context.size
        self._queue = SyncFIFO(width=width, depth=STREAMS) if width else None
        arriving = beat(intake.row, intake.lanes, intake.settings.layout.size)
        super().__init__(
            {
                "i": In(stream.Signature(arriving)),
                "o": Out(self._aggregation.o.signature),
                "busy": Out(1),
                **reports(intake.counters, intake.flags),
            }
        )

    @property
    def latency(self):
        """Latency in cycles, for windows of up to ``capacity`` tuples of the merge sorter."""
        parts = self._intake, self._replay, self._sorter, self._aggregation
        return sum(part.latency for part in parts) + 1

    def elaborate(self, platform):
        m = Module()
        m.submodules.intake = self._intake
        m.submodules.replay = self._replay
        m.submodules.sorter = self._sorter
        m.submodules.aggregation = self._aggregation
        gather(m, self, self._intake)
        wiring.connect(m, wiring.flipped(self.i), self._intake.i)
        self._enter(m)
        wiring.connect(m, self._replay.o, self._sorter.i)
        m.d.comb += self._sorter.rows.eq(self._replay.rows)
        end_leaves = self._leave(m)
        self._drive_busy(m, end_leaves)
        wiring.connect(m, self._aggregation.o, wiring.flipped(self.o))
        return m

    def _enter(self, m):
        """Moves tuples to the replay buffer.

        The first beat of a stream puts its context into the queue, and waits if the queue is full.
        """
        source = self._intake.o
        target = self._replay.i
        settings = Signal(self._settings)
        at_stream_start = Signal(init=1)
        has_room = Const(1)
        if self._queue is not None:
            m.submodules.queue = self._queue
            has_room = self._queue.w_rdy
            context = Signal(self._context)
            chosen = self._percentiles.context_of(settings)
            if "function" in self._context.members:
                chosen["function"] = settings["function"]
            m.d.comb += [context[name].eq(value) for name, value in chosen.items()]
            m.d.comb += [
                self._queue.w_data.eq(context),
                self._queue.w_en.eq(source.valid & target.ready & at_stream_start),
            ]
        passes = ~at_stream_start | has_room
        m.d.comb += [
            settings.eq(source.p.context),
            self._replay.size.eq(settings["size"]),
            self._replay.slide.eq(settings["slide"]),
            target.p.tuples.eq(source.p.tuples),
            target.p.valid.eq(source.p.valid),
            target.p.last.eq(source.p.last),
            target.valid.eq(source.valid & passes),
            source.ready.eq(target.ready & passes),
        ]
        with m.If(source.valid & source.ready):
            m.d.sync += at_stream_start.eq(source.p.last)

    def _leave(self, m):
        """Moves sorted windows to the aggregation, with the context of their stream.

        An empty beat ends the stream and removes its context from the queue. Returns a signal that
        is high in the cycle in which the empty beat leaves the queue of sorted windows.
        """
        m.submodules.sorted_queue = queue = StreamQueue(self._sorter.o.p.shape(), 4)
        wiring.connect(m, self._sorter.o, queue.i)
        source = queue.o
        target = self._aggregation.i
        end = source.p.context
        m.d.comb += [
            target.p.tuples.eq(source.p.tuples),
            target.p.valid.eq(source.p.valid),
            target.p.last.eq(source.p.last),
            target.valid.eq(source.valid & ~end),
            source.ready.eq(Mux(end, 1, target.ready)),
        ]
        if self._queue is not None:
            m.d.comb += [
                target.p.context.eq(self._queue.r_data),
                self._queue.r_en.eq(source.valid & end),
            ]
        return source.valid & end

    def _drive_busy(self, m, end_leaves):
        """Drives ``busy`` from two trackers.

        The first tracker counts streams from the input to the queue behind the sorter. The second
        tracker counts windows from the queue to the output. The bounds count two ends for each
        cycle of latency, because a skid buffer holds two, those in the sorter's queues, and 8 for
        other queues.
        """
        ends_max = 2 * self.latency + 8 + self._sorter.queued_ends
        m.submodules.streams = streams = StreamTracker(ends_max, ways=2)
        m.submodules.windows = windows = StreamTracker(2 * self._aggregation.latency + 8)
        m.d.comb += [
            streams.end_offered.eq(offers_end(self.i)),
            streams.end_accepted.eq(self.i.ready),
            streams.ends_leaving.eq(Cat(end_leaves, self._intake.swallowed_end)),
            windows.end_offered.eq(offers_end(self._aggregation.i)),
            windows.end_accepted.eq(self._aggregation.i.ready),
            windows.ends_leaving.eq(transfers_end(self.o)),
            self.busy.eq(streams.busy | windows.busy),
        ]
