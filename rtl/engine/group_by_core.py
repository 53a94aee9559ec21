"""The core of the group-by engine."""

from amaranth.hdl import Module, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import bits_for

from rtl.engine.aggregation import Aggregation
from rtl.engine.filter import Filter
from rtl.engine.guard import Guard
from rtl.stream.beat import beat


class GroupBy(wiring.Component):
    """Groups a sorted stream.

    ::

        i -> filter -> guard -> aggregation -> o
             only if   only if
             the query constants of WHERE
             asks      are set at run time

    ``i`` is a stream of dense beats (see :mod:`rtl.stream.beat`), sorted by group and, when the
    query has ``count(distinct x)``, by x within each group; with a filter in front the beats may
    have gaps. What comes out of ``o`` is told by :class:`~rtl.engine.aggregation.Aggregation`.
    Streams may follow each other without a gap, each with a function of its own.

    A stream that begins with constants that are none of their columns' types is swallowed whole and
    counted.

    Never stalls its input while ``o`` does not stall. Initiation interval 1 cycle. Latency from the
    last beat of a stream to its last row: that of the aggregation, 1 cycle of the guard and, with a
    filter, its own and 1 cycle, since what is left at the end of a stream comes one cycle later.

    Members
    -------
    i : In(stream.Signature(beat(parameters.tuple_layout, lanes, settings_layout.size)))
        With ``results="select"`` there is a context: index into the query's aggregates.
    o : Out(stream.Signature(beat(parameters.row_layout, lanes)))
    dropped : Out(StructLayout of the members of ``parameters.dropped``)
        Tuples that were dropped for a NaN and by WHERE, with a filter; and ``overrun``, those of
        streams that are swallowed, with a guard.
    bad_setting : Out(1)
        High for a cycle when a stream begins that is swallowed. Only with a guard.

    Source: seed 003, section 3.1.
    """

    initiation_interval = 1

    def __init__(self, parameters):
        row, lanes = parameters.tuple_layout, parameters.lanes
        self._settings = settings = parameters.settings_layout
        self._aggregation = Aggregation(parameters)
        self._filter = Filter(parameters) if parameters.selects else None
        self._guard = None
        if parameters.run_time:
            self._guard = Guard(row, lanes, settings, parameters.refused)
        members = {
            "i": In(stream.Signature(beat(row, lanes, settings.size))),
            "o": Out(stream.Signature(beat(parameters.row_layout, lanes))),
        }
        if parameters.dropped:
            dropped = dict.fromkeys(parameters.dropped, bits_for(lanes))
            members["dropped"] = Out(data.StructLayout(dropped))
        if self._guard is not None:
            members["bad_setting"] = Out(1)
        super().__init__(members)

    @property
    def latency(self):
        held_back = 0 if self._filter is None else self._filter.latency + 1
        guard = 0 if self._guard is None else self._guard.latency
        return held_back + guard + self._aggregation.latency

    def elaborate(self, platform):
        m = Module()
        m.submodules.aggregation = self._aggregation
        source = wiring.flipped(self.i)
        if self._filter is not None:
            m.submodules.filter = self._filter
            wiring.connect(m, source, self._filter.i)
            source = self._filter.o
            for name in ("nan", "filtered"):
                m.d.comb += self.dropped[name].eq(self._filter.dropped[name])
        if self._guard is not None:
            m.submodules.guard = self._guard
            wiring.connect(m, source, self._guard.i)
            source = self._guard.o
            m.d.comb += [
                self.dropped.overrun.eq(self._guard.overrun),
                self.bad_setting.eq(self._guard.bad_setting),
            ]
        self._aggregate(m, source)
        wiring.connect(m, self._aggregation.o, wiring.flipped(self.o))
        return m

    def _aggregate(self, m, source):
        """Behind the filter nothing is left of the settings but the function."""
        target = self._aggregation.i
        m.d.comb += [
            target.p.tuples.eq(source.p.tuples),
            target.p.valid.eq(source.p.valid),
            target.p.last.eq(source.p.last),
            target.valid.eq(source.valid),
            source.ready.eq(target.ready),
        ]
        if "function" in self._settings.members:
            settings = Signal(self._settings)
            m.d.comb += [
                settings.eq(source.p.context),
                target.p.context.eq(settings["function"]),
            ]
