"""Connects the parts of the group-by engine: intake and aggregation."""

from amaranth.hdl import Cat, Module
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.contract.counters import UNSORTED
from rtl.engine.parts.aggregation import Aggregation
from rtl.engine.parts.intake import Intake
from rtl.engine.parts.reports import gather, reports
from rtl.engine.parts.stream_tracker import StreamTracker, offers_end, transfers_end
from rtl.stream.beat import beat


class GroupBy(wiring.Component):
    """Aggregates each group of a sorted stream.

    ::

        i -> intake -> aggregation -> o
             WHERE,    a row for
             NaN       each group

    For instance with ``sum(cpu)`` the tuples (3, 1), (3, 2), (3, 3) and (7, 4), where the first
    number is the group, give the rows (3, 6) and (7, 4).

    ``i`` is a stream of beats (see :mod:`rtl.stream.beat`), sorted by group and, when the query has
    ``count(distinct x)``, by x within each group; dense, unless the intake selects.
    :class:`~rtl.engine.parts.intake.Intake` describes which tuples are dropped, and
    :class:`~rtl.engine.parts.aggregation.Aggregation` describes the rows at ``o``. Streams may
    follow each other without a gap, and with ``results=select`` each stream may select another
    function.

    ``i`` stalls only if ``o`` stalls. Initiation interval 1 cycle. Latency from the last beat of a
    stream to its last row: the intake plus the aggregation.

    Parameters
    ----------
    intake : IntakePlan
    grouping : Grouping
        Its context is the settings that the intake passes on: ``function`` or nothing.

    Members
    -------
    i : In(stream.Signature(beat(intake.row, lanes, intake.settings.layout.size)))
    o : Out(stream.Signature(beat(grouping.rows(...).layout, lanes)))
    busy : Out(1)
        The engine has accepted the end of a stream, but has not sent all of its rows.
    events : Out(events(intake.counters)), or none
        Only if the intake can drop tuples.
    errors : Out(errors((*intake.flags, UNSORTED)))
        ``unsorted``: high while the first stage of the aggregation contains a beat that breaks the
        order.

    Source: seed 003, section 3.1.
    """

    initiation_interval = 1

    def __init__(self, intake, grouping):
        self._intake = Intake(intake)
        self._aggregation = Aggregation(grouping)
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
        # At most two ends for each cycle of latency, because a skid buffer holds two, and 8 in
        # queues. Ends leave at ``o``, or in the intake, which swallows streams.
        m.submodules.tracker = tracker = StreamTracker(2 * self.latency + 8, ways=2)
        m.d.comb += [
            tracker.end_offered.eq(offers_end(self.i)),
            tracker.end_accepted.eq(self.i.ready),
            tracker.ends_leaving.eq(
                Cat(transfers_end(self.o), getattr(intake, "swallowed_end", 0))
            ),
            self.busy.eq(tracker.busy),
        ]
        return m
