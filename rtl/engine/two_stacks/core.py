"""Builds the core of the two-stacks engine."""

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
    """Aggregates the last ws tuples of a stream, after every wa tuples: ``[ROWS ws SLIDE wa]``.

    ::

        i -> intake -> lift -> sliding aggregate -> rows -> o
             WHERE,            two stacks, or       lower
             NaN               subtract on evict

    Aggregates that can be subtracted, such as sums of integers, take the path of subtract on evict,
    all others the two stacks. Every full window produces a row, in the order of the windows, each
    row as its own packet; a window that the end of a stream cuts short produces none. A dropped
    tuple does not count as a tuple of a window: :class:`~rtl.engine.parts.intake.Intake` drops
    tuples that WHERE rejects, and tuples with a NaN. For instance with ws 4 and wa 2 the 4th, 6th,
    8th, ... tuple of a stream each complete a window.

    The engine accepts a tuple in every cycle, and with wa = 1 sends a row in every cycle, for every
    ws up to ``tuples``; ``i`` stalls only while ``o`` stalls. Streams may follow each other without
    a gap, and each stream may have its own settings ws and wa.

    Latency from the last tuple of a window to its row: 3 cycles, of which the intake takes 1 and
    the sliding aggregate 2, plus the division for averages. Initiation interval 1 cycle.

    Parameters
    ----------
    intake : IntakePlan
        A plan with one lane, not dense.
    operator : Operator
    tuples : int
        Tuples of the largest window, a power of two.
    row : data.StructLayout
        A row, with the field ``results``.

    Members
    -------
    i : In(stream.Signature(beat(intake.row, 1, intake.settings.layout.size)))
    o : Out(stream.Signature(beat(row, 1)))
    busy : Out(1)
        A tuple is in the intake, or a row is in the engine. So it is high from the end of a stream
        until all rows of the stream have left.
    events : Out(events(intake.counters))
    errors : Out(errors(intake.flags))

    Source: seed 004, sections 2.2 and 3.2; the flip without a stall is ours.
    """

    initiation_interval = 1

    def __init__(self, intake, operator, tuples, row):
        self._settings = intake.passed_settings
        self._operator = operator
        self._intake = Intake(intake)
        self._sliding = Sliding(operator=operator, tuples=tuples, items_max=tuples, item_tuples=1)
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
        # The intake is a single register, so it contains at most one beat.
        intake_busy = intake.o.valid | intake.swallowed_end
        m.d.comb += self.busy.eq(intake_busy | sliding.busy | rows.busy)
        return m
