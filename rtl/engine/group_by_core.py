"""The core of the group-by engine."""

from amaranth.hdl import Module
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.engine.aggregation import Aggregation
from rtl.engine.filter import Filter
from rtl.stream.beat import beat


class GroupBy(wiring.Component):
    """Groups a sorted stream.

    ::

        i -> filter -> aggregation -> o
             only if the query asks

    ``i`` is a stream of dense beats (see :mod:`rtl.stream.beat`), sorted by group and, when the
    query has ``count(distinct x)``, by x within each group; with a filter in front the beats may
    have gaps. What comes out of ``o`` is told by :class:`~rtl.engine.aggregation.Aggregation`.
    Streams may follow each other without a gap, each with a function of its own.

    Never stalls its input while ``o`` does not stall. Initiation interval 1 cycle. Latency from the
    last beat of a stream to its last row: that of the aggregation and, with a filter, its own and
    1 cycle, since what is left at the end of a stream comes one cycle later.

    Members
    -------
    i : In(stream.Signature(beat(parameters.tuple_layout, lanes, settings_layout.size)))
        With ``results="select"`` there is a context: index into the query's aggregates.
    o : Out(stream.Signature(beat(parameters.row_layout, lanes)))
    dropped : Out(StructLayout of ``nan`` and ``filtered``)
        Tuples of the beat being taken that were dropped for a NaN and by WHERE. Only with a
        filter.

    Source: seed 003, section 3.1.
    """

    initiation_interval = 1

    def __init__(self, parameters):
        context = parameters.settings_layout.size
        self._aggregation = Aggregation(parameters)
        self._filter = Filter(parameters) if parameters.selects else None
        members = {
            "i": In(stream.Signature(beat(parameters.tuple_layout, parameters.lanes, context))),
            "o": Out(stream.Signature(beat(parameters.row_layout, parameters.lanes))),
        }
        if self._filter is not None:
            members["dropped"] = Out(self._filter.dropped.shape())
        super().__init__(members)

    @property
    def latency(self):
        held_back = 0 if self._filter is None else self._filter.latency + 1
        return held_back + self._aggregation.latency

    def elaborate(self, platform):
        m = Module()
        m.submodules.aggregation = self._aggregation
        wiring.connect(m, self._aggregation.o, wiring.flipped(self.o))
        if self._filter is None:
            wiring.connect(m, wiring.flipped(self.i), self._aggregation.i)
            return m
        m.submodules.filter = self._filter
        wiring.connect(m, wiring.flipped(self.i), self._filter.i)
        wiring.connect(m, self._filter.o, self._aggregation.i)
        m.d.comb += self.dropped.eq(self._filter.dropped)
        return m
