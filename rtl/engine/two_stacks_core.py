"""The core of the two-stacks engine."""

from amaranth.hdl import Module, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.aggregate.operator import Tuple
from rtl.engine.guard import Guard
from rtl.engine.rows import WindowRows
from rtl.stream.beat import beat, wire
from rtl.stream.selection import Selection


class TwoStacksEngine(wiring.Component):
    """Aggregates the last ws tuples of a stream, after every wa.

    ::

        i -> selection -> guard -> lift -> sliding aggregate -> rows -> o
             only if                       two stacks, or       lower
             asked                         subtract on evict

    A row for each window that is filled, in the order of the windows, each a packet of its own; one
    that the end of a stream cuts short gives nothing. What WHERE leaves out does not count as a
    tuple of a window.

    A tuple in every cycle, and with wa = 1 a row in every cycle, whatever ws is; ``i`` stalls only
    while ``o`` does. Streams may follow each other without a gap, each with settings of its own;
    one whose settings are not allowed is swallowed whole and counted.

    Latency from a window's last tuple to its row, in cycles, the same for every window: 3, with a
    selection 1 more, with averages the division's more. Initiation interval 1 cycle.

    Members
    -------
    i : In(stream.Signature(beat(tuple_layout, 1, settings_layout.size)))
        All of ``parameters``.
    o : Out(stream.Signature(beat(parameters.row_layout, 1)))
    bad_setting : Out(1)
        High for a cycle when a stream begins whose settings are not allowed.
    dropped : Out(StructLayout of the members of ``parameters.dropped``)
        Tuples dropped in a cycle: ``overrun`` those of streams that are swallowed; and, if the
        query can drop them, ``nan`` and ``filtered``.

    Source: seed 004, sections 2.2 and 3.2; that no flip ever stalls is ours.
    """

    initiation_interval = 1

    def __init__(self, parameters):
        row, settings = parameters.tuple_layout, parameters.settings_layout
        self._settings, self._operator = settings, parameters.operator
        self._selection = None
        if parameters.selects:
            self._selection = Selection(parameters.query, row, 1, settings=settings)
        self._refused = parameters.refused
        self._guard = Guard(row, 1, settings, self._not_allowed)
        self._sliding = parameters.sliding
        self._rows = WindowRows(parameters)
        dropped = dict.fromkeys(parameters.dropped, 1)
        super().__init__(
            {
                "i": In(stream.Signature(beat(row, 1, settings.size))),
                "o": Out(stream.Signature(beat(parameters.row_layout, 1))),
                "bad_setting": Out(1),
                "dropped": Out(data.StructLayout(dropped)),
            }
        )

    def _not_allowed(self, settings):
        return self._refused(settings) | (settings["slide"] > settings["size"])

    @property
    def latency(self):
        parts = self._selection, self._guard, self._sliding, self._rows
        return sum(part.latency for part in parts if part is not None)

    def elaborate(self, platform):
        m = Module()
        m.submodules.guard = guard = self._guard
        m.submodules.sliding = sliding = self._sliding
        m.submodules.rows = rows = self._rows
        m.d.comb += [
            self.bad_setting.eq(guard.bad_setting),
            self.dropped.overrun.eq(guard.overrun),
        ]
        if self._selection is None:
            wiring.connect(m, wiring.flipped(self.i), guard.i)
        else:
            m.submodules.selection = self._selection
            wiring.connect(m, wiring.flipped(self.i), self._selection.i)
            wiring.connect(m, self._selection.o, guard.i)
            for name in ("nan", "filtered"):
                m.d.comb += self.dropped[name].eq(self._selection.dropped[name])
        settings = Signal(self._settings)
        row = guard.o.p.tuples[0]
        m.d.comb += [
            settings.eq(guard.o.p.context),
            sliding.size.eq(settings["size"]),
            sliding.slide.eq(settings["slide"]),
            *wire(sliding.i.p.state, self._operator.lift(Tuple(row=row), 0)),
            sliding.i.p.valid.eq(guard.o.p.valid),
            sliding.i.p.last.eq(guard.o.p.last),
            sliding.i.valid.eq(guard.o.valid),
            guard.o.ready.eq(sliding.i.ready),
            rows.i.p.state.eq(sliding.o.p.state),
            rows.i.valid.eq(sliding.o.valid),
            sliding.o.ready.eq(rows.i.ready),
        ]
        wiring.connect(m, rows.o, wiring.flipped(self.o))
        return m
