"""The core of the two-stacks engine."""

from amaranth.hdl import Module, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.aggregate.operator import Tuple
from rtl.engine.parts.intake import Intake
from rtl.engine.parts.reports import gather, reports
from rtl.engine.parts.rows import WindowRows
from rtl.stream.beat import beat, wire
from rtl.window.sliding import Sliding


class TwoStacks(wiring.Component):
    """Aggregates the last ws tuples of a stream, after every wa.

    ::

        i -> intake -> lift -> sliding aggregate -> rows -> o
             WHERE,            two stacks, or       lower
             NaN               subtract on evict

    A row for each window that is filled, in the order of the windows, each a packet of its own; one
    that the end of a stream cuts short gives nothing. What WHERE leaves out does not count as a
    tuple of a window. What is let in, and what is dropped, is told by
    :class:`~rtl.engine.parts.intake.Intake`.

    A tuple in every cycle, and with wa = 1 a row in every cycle, whatever ws is; ``i`` stalls only
    while ``o`` does. Streams may follow each other without a gap, each with settings of its own.

    Latency from a window's last tuple to its row, in cycles, the same for every window: 3, and with
    averages the division's more. Initiation interval 1 cycle.

    Parameters
    ----------
    intake : IntakePlan
        Of one lane, not dense.
    operator : Operator
    tuples : int
        Tuples of the largest window, a power of two.
    row : data.StructLayout
        A row: ``results``.

    Members
    -------
    i : In(stream.Signature(beat(intake.row, 1, intake.settings.layout.size)))
    o : Out(stream.Signature(beat(row, 1)))
    busy : Out(1)
        A stream whose end was taken has not left with all its rows.
    events : Out(events(intake.counters))
    errors : Out(errors(intake.flags))

    Source: seed 004, sections 2.2 and 3.2; that no flip ever stalls is ours.
    """

    initiation_interval = 1

    def __init__(self, intake, operator, tuples, row):
        self._settings, self._operator = intake.kept, operator
        self._intake = Intake(intake)
        self._sliding = Sliding(operator=operator, tuples=tuples, items_max=tuples, each=1)
        self._rows = WindowRows(operator, tuples, row)
        arriving = beat(intake.row, 1, intake.settings.layout.size)
        super().__init__(
            {
                "i": In(stream.Signature(arriving)),
                "o": Out(stream.Signature(beat(row, 1))),
                "busy": Out(1),
                **reports(intake.counters, intake.flags),
            }
        )

    @property
    def latency(self):
        return self._intake.latency + self._sliding.latency + self._rows.latency

    def elaborate(self, platform):
        m = Module()
        m.submodules.intake = intake = self._intake
        m.submodules.sliding = sliding = self._sliding
        m.submodules.rows = rows = self._rows
        gather(m, self, intake)
        settings = Signal(self._settings)
        row = intake.o.p.tuples[0]
        wiring.connect(m, wiring.flipped(self.i), intake.i)
        m.d.comb += [
            settings.eq(intake.o.p.context),
            sliding.size.eq(settings["size"]),
            sliding.slide.eq(settings["slide"]),
            *wire(sliding.i.p.state, self._operator.lift(Tuple(row=row), 0)),
            sliding.i.p.valid.eq(intake.o.p.valid),
            sliding.i.p.last.eq(intake.o.p.last),
            sliding.i.valid.eq(intake.o.valid),
            intake.o.ready.eq(sliding.i.ready),
            rows.i.p.state.eq(sliding.o.p.state),
            rows.i.valid.eq(sliding.o.valid),
            sliding.o.ready.eq(rows.i.ready),
        ]
        wiring.connect(m, rows.o, wiring.flipped(self.o))
        # Of the intake, which is a register here, that is all there can be.
        held = intake.o.valid | intake.ended
        m.d.comb += self.busy.eq(held | sliding.busy | rows.busy)
        return m
