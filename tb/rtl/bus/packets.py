"""Describes a small test engine with host settings, for tests of the top."""

from dataclasses import dataclass, replace
from functools import partial

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from query.parser import parse
from query.query import Query
from rtl.contract.counters import BAD_SETTING, OVERRUN, errors, events
from rtl.contract.design import Design
from rtl.contract.options import option
from rtl.contract.prediction import Latency, Prediction
from rtl.contract.rows import InputSchema, Role, RowField, RowSchema
from rtl.contract.settings import HostSetting, HostSettings
from rtl.stream.beat import beat

QUERY = parse("CREATE INPUT STREAM S (x uint(8)); SELECT max(x) FROM S [ROWS 8 SLIDE 8];")
ROW = data.StructLayout({"x": 8})
SIZE = HostSetting(name="size", width=6, minimum=1, maximum=20, doc="beats of a packet")
STEP = HostSetting(name="step", width=6, minimum=1, maximum=20, doc="added to each byte")
OFFSET = HostSetting(name="offset", width=41, signed=True, doc="two of its bytes are in the mask")
FLAG = HostSetting(name="flag", width=2, doc="1 for the mask's top bit")


@dataclass(frozen=True, kw_only=True)
class Options:
    """Options of :class:`Packets`."""

    query: Query = QUERY
    lanes: int = option("tuples per cycle", default=2)
    choices: int = option("number of functions; the chosen index is added, too", default=0)
    punctuated: bool = option("the input has punctuations", default=False)
    wide: bool = option("the settings offset and flag exist", default=False)
    longest: int | None = option("tuples of the longest stream", default=None)

    @property
    def resolved(self):
        return self


def packets(**option_values):
    """Returns the design for options given by name."""
    options = Options(**option_values)
    settings = HostSettings(
        numbers=(SIZE, OFFSET, STEP, FLAG) if options.wide else (SIZE, STEP),
        functions=tuple(f"f{k}" for k in range(options.choices)),
        rule=lambda numbers: numbers["step"] > numbers["size"],
    )
    latency = Latency(begin="a beat", end="that beat", cycles=0)
    prediction = Prediction(tuples_per_cycle=float(options.lanes), latencies=(latency,))
    into = InputSchema(layout=ROW, lanes=options.lanes, punctuations=options.punctuated)
    counters = (replace(OVERRUN, max_increment=options.lanes),)
    return Design(
        engine="packets",
        options=options,
        query_text=str(QUERY),
        settings=settings,
        input=into,
        rows=RowSchema(
            layout=ROW,
            fields=(RowField(name="x", shape=8, role=Role.VALUE),),
            lanes=options.lanes,
        ),
        counters=counters,
        flags=(BAD_SETTING,),
        predict=lambda shape=None: prediction,
        create=partial(Packets, settings, into, counters),
        stream_max=options.longest,
    )


class Packets(wiring.Component):
    """Cuts each stream into packets of ``size`` beats, and adds ``step`` to each byte.

    The number of the chosen function is added, too. With ``wide`` each byte is then exclusive-ored
    with a mask: bits 0 to 7 of ``offset``, bits 32 to 39 of ``offset``, and the lowest bit of
    ``flag`` as the top bit. The first byte of a punctuation is only inverted.

    Each beat leaves in the cycle in which it comes. Streams with a ``step`` above ``size``, or with
    another refused setting, are swallowed: ``overrun`` counts their tuples.
    """

    def __init__(self, settings, into, counters):
        self._settings, self._input = settings, into
        user = int(into.punctuations)
        arriving = beat(into.layout, into.lanes, settings.layout.size, user)
        super().__init__(
            {
                "i": In(stream.Signature(arriving)),
                "o": Out(stream.Signature(beat(into.layout, into.lanes))),
                "busy": Out(1),
                "events": Out(events(counters)),
                "errors": Out(errors((BAD_SETTING,))),
            }
        )

    def elaborate(self, platform):
        m = Module()
        settings = data.View(self._settings.layout, self.i.p.context)
        stream_start, beat_count = Signal(init=1), Signal(6)
        bad, fires = Signal(), Signal()
        added = settings.step + (settings.function if self._settings.functions else 0)
        m.d.comb += [
            bad.eq(self._settings.refused(settings)),
            fires.eq(self.i.valid & self.i.ready),
            self.i.ready.eq(self.o.ready | bad),
            self.o.valid.eq(self.i.valid & ~bad),
            self.o.p.valid.eq(self.i.p.valid),
            self.o.p.last.eq(self.i.p.last | (beat_count + 1 == settings.size)),
            self.errors.bad_setting.eq(fires & bad & stream_start),
            self.events.overrun.eq(Mux(fires & bad, sum(self.i.p.valid), 0)),
        ]
        mask = Signal(8)
        if "offset" in self._settings.layout.members:
            ends = settings.offset[:8] ^ settings.offset[32:40]
            m.d.comb += mask.eq(ends ^ (settings.flag << 7))
        for lane in range(self._input.lanes):
            m.d.comb += self.o.p.tuples[lane].x.eq((self.i.p.tuples[lane].x + added) ^ mask)
        if self._input.punctuations:
            with m.If(self.i.p.user):
                m.d.comb += self.o.p.tuples[0].x.eq(~self.i.p.tuples[0].x)
                m.d.comb += self.o.p.valid.eq(self.i.p.valid | 1)
        with m.If(fires):
            m.d.sync += [
                stream_start.eq(self.i.p.last),
                beat_count.eq(Mux(self.o.p.last, 0, beat_count + 1)),
            ]
        return m
