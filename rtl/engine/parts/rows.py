"""Computes rows from states: the last stage of engines with one row for each window."""

from amaranth.hdl import Module
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.aggregate.lower import Lower
from rtl.stream.beat import beat, wire


class WindowRows(wiring.Component):
    """Builds a row for the state of each window, and sends each row as its own packet.

    For instance with ``avg(x)`` the state of sum 10 and count 4 becomes a row with the quotient 2.
    Rows leave in the order of the states. All stages of the divisions advance together: they stop,
    and ``i`` stalls, while the last stage has a row and ``o`` stalls. Without averages there is no
    stage, and ``i`` stalls with ``o``.

    Latency: that of the slowest division of averages, 0 cycles without averages.
    Initiation interval 1 cycle.

    Parameters
    ----------
    operator : Operator
        An operator without a context.
    tuples : int
        Tuples of the largest window.
    row : data.StructLayout
        A row: ``results``, and ``end``, the time at which the window ends, if windows have one.

    Members
    -------
    i : In(stream.Signature(StructLayout of ``state`` and, if the row has it, ``end``))
    o : Out(stream.Signature(beat(row, 1)))
        One row, with ``last``.
    busy : Out(1)
        High while a stage has a row; low without averages.
    """

    initiation_interval = 1

    def __init__(self, operator, tuples, row):
        end = {"end": row["end"].shape} if "end" in row.members else {}
        self._passenger = data.StructLayout(end)
        self._lower = Lower(operator, 1, tuples=tuples, passenger=self._passenger)
        state = data.StructLayout({"state": operator.state(tuples)} | end)
        super().__init__(
            {
                "i": In(stream.Signature(state)),
                "o": Out(stream.Signature(beat(row, 1))),
                "busy": Out(1),
            }
        )

    @property
    def latency(self):
        return self._lower.latency

    def elaborate(self, platform):
        m = Module()
        m.submodules.lower = lower = self._lower
        row = self.o.p.tuples[0]
        m.d.comb += [
            lower.i.p.lanes[0].eq(self.i.p.state),
            lower.i.valid.eq(self.i.valid),
            self.i.ready.eq(lower.i.ready),
            *wire(row.results, lower.o.p.lanes[0]),
            self.o.p.valid.eq(1),
            self.o.p.last.eq(1),
            self.o.valid.eq(lower.o.valid),
            lower.o.ready.eq(self.o.ready),
            self.busy.eq(lower.busy),
        ]
        if self._passenger.size:
            m.d.comb += [
                lower.i.p.passenger.end.eq(self.i.p.end),
                row.end.eq(lower.o.p.passenger.end),
            ]
        return m
