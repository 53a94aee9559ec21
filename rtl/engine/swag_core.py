"""The core of the sliding-window engine."""

from amaranth.hdl import Const, Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.fifo import SyncFIFO
from amaranth.lib.wiring import In, Out
from amaranth.utils import bits_for

from rtl.engine.aggregation import Aggregation
from rtl.engine.filter import Filter
from rtl.engine.guard import Guard
from rtl.stream.beat import beat
from rtl.stream.queue import StreamQueue

#: Streams inside at a time.
STREAMS = 4


class Swag(wiring.Component):
    """Aggregates sliding windows: all of the last ws tuples, after every wa.

    ::

        i -> filter -> guard -> replay buffer -> merge sorter -> aggregation -> o
             only if            windows          by group        a row for
             asked       |                       and x           each group
                         +--> queue of contexts --------^

    ``i`` is a stream of dense beats (see :mod:`rtl.stream.beat`), with a filter in front of any;
    what each stream's context says holds for all of its windows. At ``o`` each window is a stream
    of its own: one row for each group, ascending by group, in dense beats, ``last`` on the window's
    final beat. Windows come in order; one that is never filled gives nothing, nor does the end of a
    stream.

    Streams may follow each other without a gap, each with other settings: up to 4 may be inside, a
    fifth waits. A stream whose settings are not allowed is swallowed whole and counted.

    Rate, latency and memory: :meth:`~rtl.engine.swag.SwagParameters.predict`. ``i`` stalls while
    the replay buffer is full. Initiation interval 1 cycle while it is not.

    Members
    -------
    i : In(stream.Signature(beat(parameters.tuple_layout, lanes, settings_layout.size)))
    o : Out(stream.Signature(beat(parameters.row_layout, lanes)))
    bad_setting : Out(1)
        High for a cycle when a stream begins whose settings are not allowed.
    dropped : Out(StructLayout of the members of ``parameters.dropped``)
        Tuples dropped in a cycle: ``overrun`` those of streams that are swallowed; with a filter
        ``nan`` and ``filtered``.

    Source: seed 003, section 3.2; streams with settings of their own are ours.
    """

    initiation_interval = 1

    def __init__(self, parameters):
        self.parameters = parameters
        row, lanes = parameters.tuple_layout, parameters.lanes
        self._settings = parameters.settings_layout
        self._filter = Filter(parameters) if parameters.selects else None
        self._guard = Guard(row, lanes, self._settings, self._refused)
        self._replay = parameters.replay
        self._sorter = parameters.sorter
        self._aggregation = Aggregation(parameters)
        width = parameters.context_layout.size
        self._queue = SyncFIFO(width=width, depth=STREAMS) if width else None
        dropped = dict.fromkeys(parameters.dropped, bits_for(lanes))
        super().__init__(
            {
                "i": In(stream.Signature(beat(row, lanes, self._settings.size))),
                "o": Out(stream.Signature(beat(parameters.row_layout, lanes))),
                "bad_setting": Out(1),
                "dropped": Out(data.StructLayout(dropped)),
            }
        )

    def _refused(self, settings):
        return self.parameters.refused(settings) | (settings["slide"] > settings["size"])

    @property
    def latency(self):
        return self.parameters.latency

    def elaborate(self, platform):
        m = Module()
        m.submodules.guard = self._guard
        m.submodules.replay = self._replay
        m.submodules.sorter = self._sorter
        m.submodules.aggregation = self._aggregation
        self._filtered(m)
        self._enter(m)
        wiring.connect(m, self._replay.o, self._sorter.i)
        m.d.comb += self._sorter.rows.eq(self._replay.rows)
        self._leave(m)
        wiring.connect(m, self._aggregation.o, wiring.flipped(self.o))
        return m

    def _filtered(self, m):
        """Only tuples that the query wants, and only streams that can be answered."""
        m.d.comb += [
            self.bad_setting.eq(self._guard.bad_setting),
            self.dropped.overrun.eq(self._guard.overrun),
        ]
        if self._filter is None:
            wiring.connect(m, wiring.flipped(self.i), self._guard.i)
            return
        m.submodules.filter = self._filter
        wiring.connect(m, wiring.flipped(self.i), self._filter.i)
        wiring.connect(m, self._filter.o, self._guard.i)
        for name in ("nan", "filtered"):
            m.d.comb += self.dropped[name].eq(self._filter.dropped[name])

    def _enter(self, m):
        """A stream's first beat puts its context into the queue, and waits while that is full."""
        source, target = self._guard.o, self._replay.i
        settings = Signal(self._settings)
        begins = Signal(init=1)
        room = Const(1)
        if self._queue is not None:
            m.submodules.queue = self._queue
            room = self._queue.w_rdy
            context = Signal(self.parameters.context_layout)
            chosen = self.parameters.context_of(settings)
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
        """Windows go on with their stream's context; the empty beat behind them ends it."""
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
