"""The core of the group-by engine."""

from amaranth.hdl import Cat, Module
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.contract.counters import UNSORTED
from rtl.engine.parts.aggregation import Aggregation
from rtl.engine.parts.inside import Inside, ends, offers_end
from rtl.engine.parts.intake import Intake
from rtl.engine.parts.reports import gather, reports
from rtl.stream.beat import beat


class GroupBy(wiring.Component):
    """Groups a sorted stream.

    ::

        i -> intake -> aggregation -> o
             WHERE,    a row for
             NaN       each group

    ``i`` is a stream of beats (see :mod:`rtl.stream.beat`), sorted by group and, when the query has
    ``count(distinct x)``, by x within each group; dense, unless the intake selects. What is let in,
    and what is dropped, is told by :class:`~rtl.engine.parts.intake.Intake`, what comes out of
    ``o`` by :class:`~rtl.engine.parts.aggregation.Aggregation`. Streams may follow each other
    without a gap, each with a function of its own.

    Never stalls its input while ``o`` does not stall. Initiation interval 1 cycle. Latency from the
    last beat of a stream to its last row: that of the intake and that of the aggregation.

    Parameters
    ----------
    intake : IntakePlan
    grouping : Grouping
        Its context is what the intake keeps of the settings: ``function`` or nothing.

    Members
    -------
    i : In(stream.Signature(beat(intake.row, lanes, intake.settings.layout.size)))
    o : Out(stream.Signature(beat(grouping.rows(...).layout, lanes)))
    busy : Out(1)
        A stream whose end was taken has not left with all its rows.
    events : Out(events(intake.counters))
        Only when something can be dropped.
    errors : Out(errors((*intake.flags, UNSORTED)))
        ``unsorted``: high while a beat is held that breaks the order in which tuples must come.

    Source: seed 003, section 3.1.
    """

    initiation_interval = 1

    def __init__(self, intake, grouping):
        self._intake, self._aggregation = Intake(intake), Aggregation(grouping)
        arriving = beat(intake.row, intake.lanes, intake.settings.layout.size)
        super().__init__(
            {
                "i": In(stream.Signature(arriving)),
                "o": Out(self._aggregation.o.signature),
                "busy": Out(1),
                **reports(intake.counters, (*intake.flags, UNSORTED)),
            }
        )

    @property
    def latency(self):
        return self._intake.latency + self._aggregation.latency

    def elaborate(self, platform):
        m = Module()
        m.submodules.intake = intake = self._intake
        m.submodules.aggregation = aggregation = self._aggregation
        gather(m, self, intake, {"unsorted": aggregation.unsorted})
        wiring.connect(m, wiring.flipped(self.i), intake.i)
        wiring.connect(m, intake.o, aggregation.i)
        wiring.connect(m, aggregation.o, wiring.flipped(self.o))
        m.submodules.inside = inside = Inside(2 * self.latency + 8, ways=2)
        m.d.comb += [
            inside.comes.eq(offers_end(self.i)),
            inside.takes.eq(self.i.ready),
            inside.leaves.eq(Cat(ends(self.o), getattr(intake, "ended", 0))),
            self.busy.eq(inside.busy),
        ]
        return m
