"""The core of the window-ID engine."""

from amaranth.hdl import Module
from amaranth.lib import wiring

from rtl.engine.timed_core import TimedCore


class WindowId(TimedCore):
    """Aggregates windows of time over a stream in disorder.

    ::

        i -> arrivals -> N window modules -> rows -> o
             select,     control, aggregate  lower
             punctuate   union

    A row for each window that a punctuation closes, the empty ones too, in the order of the
    windows, each a packet of its own; the end of a stream closes every window that has begun.
    Tuples of a window are combined in the order in which they come.

    One tuple per cycle. ``i`` stalls while a punctuation closes more than one window, for a cycle
    each; at the end of a stream for N + 1 cycles, or as many as it closes windows, if these are
    more; before a stream with other lengths than the one before, and the first, for N + 2; and
    while ``o`` stalls and the queue of rows is full. Streams may follow each other without a gap,
    each with settings of its own; one whose settings do not fit is swallowed whole and counted.

    Latency from a punctuation, or the tuple that makes it, to its first row: 4 cycles, and those of
    the division with averages. Initiation interval 1 cycle.

    Members
    -------
    i : In(stream.Signature(beat(tuple_layout, 1, settings_layout.size, user)))
        As for :class:`~rtl.engine.arrivals.Arrivals`.
    o : Out(stream.Signature(beat(parameters.row_layout, 1)))
    bad_setting : Out(1)
        High for a cycle when a stream begins whose settings are not allowed, or need more modules.
    dropped : Out(StructLayout of the members of ``parameters.dropped``)
        Tuples dropped in a cycle: ``late``; ``overrun``, too early for every open window, or of a
        stream that is swallowed; and, if the query can drop them, ``nan`` and ``filtered``.

    Source: seed 002, section V.
    """

    def __init__(self, parameters):
        super().__init__(parameters, width=parameters.time.width)

    @property
    def latency(self):
        return self._arrivals.latency + self._modules.latency + self._rows.latency

    def elaborate(self, platform):
        m = Module()
        self._frame(m)
        wiring.connect(m, self._arrivals.o, self._modules.i)
        closed, rows = self._modules.o, self._rows
        m.d.comb += [
            rows.i.p.state.eq(closed.p.state),
            rows.i.p.end.eq(closed.p.end),
            rows.i.valid.eq(closed.valid & closed.p.valid),
            closed.ready.eq(rows.i.ready | ~closed.p.valid),
        ]
        return m
