"""The core of the sliding-window engine."""

from amaranth.hdl import Cat, Const, Module, Mux, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.fifo import SyncFIFO
from amaranth.lib.wiring import In, Out

from rtl.engine.parts.aggregation import Aggregation
from rtl.engine.parts.inside import Inside, ends, offers_end
from rtl.engine.parts.intake import Intake
from rtl.engine.parts.reports import gather, reports
from rtl.sort.merge_sorter import MergeSorter
from rtl.stream.beat import beat
from rtl.stream.queue import StreamQueue
from rtl.window.replay import ReplayBuffer

#: Streams inside at a time.
STREAMS = 4


class Swag(wiring.Component):
    """Aggregates sliding windows: all of the last ws tuples, after every wa.

    ::

        i -> intake -> replay buffer -> merge sorter -> aggregation -> o
             WHERE,  | windows          by group        a row for
             NaN     |                  and x           each group
                     +--> queue of contexts --------------^

    ``i`` is a stream of beats (see :mod:`rtl.stream.beat`), dense unless the intake selects; what
    is let in, and what is dropped, is told by :class:`~rtl.engine.parts.intake.Intake`. At ``o``
    each window is a stream of its own: one row for each group, ascending by group, in dense beats,
    ``last`` on the window's final beat. Windows come in order; one that is never filled gives
    nothing, nor does the end of a stream.

    Settings ride with the beats only to the replay buffer. What is read behind the sorter, the
    context, waits in a queue, one entry for each stream: up to 4 streams may be inside, a fifth
    waits. Streams may follow each other without a gap, each with other settings.

    Rate, latency and memory: the design's prediction. ``i`` stalls while the replay buffer is full.
    Latency from the first tuple of a stream to its first row: intake, replay buffer, sorter, 1 and
    aggregation. Initiation interval 1 cycle while ``i`` does not stall.

    Parameters
    ----------
    intake : IntakePlan
    sorting : Sorting
    grouping : Grouping
    percentiles : Percentiles
        How the grouping's context follows from a stream's settings.

    Members
    -------
    i : In(stream.Signature(beat(intake.row, lanes, intake.settings.layout.size)))
    o : Out(stream.Signature(beat(grouping.rows(...).layout, lanes)))
    busy : Out(1)
        A stream whose end was taken has not left with all its rows.
    events : Out(events(intake.counters))
    errors : Out(errors(intake.flags))

    Source: seed 003, section 3.2; streams with settings of their own are ours.
    """

    initiation_interval = 1

    def __init__(self, intake, sorting, grouping, percentiles):
        self._settings, self._percentiles = intake.kept, percentiles
        self._context = grouping.context
        self._intake, self._aggregation = Intake(intake), Aggregation(grouping)
        self._replay = ReplayBuffer(intake.row, intake.lanes, sorting.window_max)
        self._sorter = MergeSorter(sorting.order, **sorting.sizes)
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
        """For windows of up to k tuples."""
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
        left = self._leave(m)
        self._watch(m, left)
        wiring.connect(m, self._aggregation.o, wiring.flipped(self.o))
        return m

    def _enter(self, m):
        """A stream's first beat puts its context into the queue, and waits while that is full."""
        source, target = self._intake.o, self._replay.i
        settings = Signal(self._settings)
        begins = Signal(init=1)
        room = Const(1)
        if self._queue is not None:
            m.submodules.queue = self._queue
            room = self._queue.w_rdy
            context = Signal(self._context)
            chosen = self._percentiles.context_of(settings)
            if "function" in self._context.members:
                chosen["function"] = settings["function"]
            m.d.comb += [context[name].eq(value) for name, value in chosen.items()]
            m.d.comb += [
                self._queue.w_data.eq(context),
                self._queue.w_en.eq(source.valid & target.ready & begins),
            ]
        passes = ~begins | room
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
            m.d.sync += begins.eq(source.p.last)

    def _leave(self, m):
        """Windows go on with their stream's context; the empty beat behind them ends it.

        Returns whether it does so in this cycle.
        """
        m.submodules.sorted = queue = StreamQueue(self._sorter.o.p.shape(), 4)
        wiring.connect(m, self._sorter.o, queue.i)
        source, target = queue.o, self._aggregation.i
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

    def _watch(self, m, left):
        """Streams up to the queue behind the sorter, and windows from there on."""
        m.submodules.streams = streams = Inside(2 * self.latency + 8, ways=2)
        m.submodules.windows = windows = Inside(2 * self._aggregation.latency + 8)
        m.d.comb += [
            streams.comes.eq(offers_end(self.i)),
            streams.takes.eq(self.i.ready),
            streams.leaves.eq(Cat(left, self._intake.ended)),
            windows.comes.eq(offers_end(self._aggregation.i)),
            windows.takes.eq(self._aggregation.i.ready),
            windows.leaves.eq(ends(self.o)),
            self.busy.eq(streams.busy | windows.busy),
        ]
