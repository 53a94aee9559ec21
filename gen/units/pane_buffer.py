"""The core of the pane engine with a port for each setting, and a view of the closed panes."""

from amaranth.hdl import Module
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from query.parser import parse
from rtl.engine.pane.design import design
from rtl.engine.pane.options import Options
from rtl.stream.beat import wire

#: The built-in query. Streams set the lengths of their windows, so the query has the least lengths.
QUERY = (
    "CREATE INPUT STREAM S (time int({width}), value int({width}));"
    "SELECT sum(value), min(value), count(*) FROM S [RANGE 1 SLIDE 1 WATTR time SLACK 0];"
)


class PaneBuffer(wiring.Component):
    """A :class:`~rtl.engine.pane.core.Pane` whose settings and closed panes are ports.

    The core takes the settings of a stream as bits beside each tuple; the unit has a field of ``i``
    for each setting. ``panes`` shows each pane in the cycle in which the pane enters the pane
    buffer. Order, stalls, latency and initiation interval equal the core's.

    Parameters
    ----------
    width : int
        Bits of a time and of a value.
    modules, panes : int
    window_level, punctuations : str
        As in the options of the engine.

    Members
    -------
    i : In(stream.Signature)
        ``time``, ``value``, ``valid``, ``punctuation``, ``last`` and the settings of the stream.
        The unit reads ``punctuation`` only if ``punctuations`` is "stream".
    panes : Out(stream.Signature)
        State and end of each closed pane; never stalls.
    o, busy, events, errors : as in the core.
    """

    def __init__(self, *, width, modules, panes, window_level, punctuations):
        built = design(
            Options(
                query=parse(QUERY.format(width=width)),
                modules=modules,
                panes=panes,
                window_level=window_level,
                punctuations=punctuations,
                count_width=16,
            )
        )
        self._core = built.create()
        self._settings = built.settings.layout
        self._row = built.input.layout
        flags = dict.fromkeys(("valid", "punctuation", "last"), 1)
        fields = {name: field.shape for name, field in (*self._row, *self._settings)}
        members = self._core.signature.members
        pane = self._core.closed_panes.p.shape()
        super().__init__(
            {
                "i": In(stream.Signature(data.StructLayout(fields | flags))),
                "panes": Out(stream.Signature(pane, always_ready=True)),
                **{name: members[name] for name in ("o", "busy", "events", "errors")},
            }
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.submodules.core = core = self._core
        i, beat, closed = self.i.p, core.i.p, core.closed_panes
        settings = self._settings(beat.context)
        m.d.comb += [
            core.i.valid.eq(self.i.valid),
            self.i.ready.eq(core.i.ready),
            *wire(beat.tuples[0], {name: i[name] for name, _ in self._row}),
            *wire(settings, {name: i[name] for name, _ in self._settings}),
            beat.valid.eq(i.valid),
            beat.last.eq(i.last),
            self.panes.valid.eq(closed.valid & closed.ready),
            self.panes.p.eq(closed.p),
            self.busy.eq(core.busy),
            self.events.eq(core.events),
            self.errors.eq(core.errors),
        ]
        if "user" in beat.shape().members:
            m.d.comb += beat.user.eq(i.punctuation)
        wiring.connect(m, core.o, wiring.flipped(self.o))
        return m
