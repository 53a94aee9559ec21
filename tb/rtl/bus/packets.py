"""A make-believe engine with settings, to test what the top makes of them."""

from dataclasses import dataclass

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from query.parser import parse
from query.query import Query
from rtl.engine.parameters import Parameters, RunTime, setting
from rtl.stream.beat import beat

QUERY = parse("CREATE INPUT STREAM S (x uint(8)); SELECT max(x) FROM S [ROWS 8 SLIDE 8];")
MOST = 20  # of either setting; the registers are 6 bits wide


@dataclass(frozen=True, kw_only=True)
class PacketsParameters(Parameters):
    """Cuts each stream into packets of ``size`` beats, each byte plus ``step``; step <= size."""

    engine = "packets"

    query: Query = QUERY
    lanes: int = setting(2, "tuples per cycle")
    choices: int = setting(0, "functions; the chosen one is added, too")

    run_time = (
        RunTime(name="size", width=6, doc="beats of a packet"),
        RunTime(name="step", width=6, doc="what is added"),
    )
    run_time_values = {"size": 4, "step": 1}
    dropped = ("overrun",)
    selects = False
    tuple_layout = data.StructLayout({"x": 8})
    row_layout = data.StructLayout({"x": 8})
    input_fields = row_fields = (("x", 8),)

    @property
    def functions(self):
        return tuple(f"f{k}" for k in range(self.choices))

    @classmethod
    def refuses(cls, query):
        return None

    def refused(self, settings):
        return refused(settings.size) | refused(settings.step)

    def create(self):
        return Packets(self)


def refused(value):
    return (value == 0) | (value > MOST)


class Packets(wiring.Component):
    """Gives each beat in the cycle in which it comes; swallows streams with bad settings."""

    def __init__(self, parameters):
        self._parameters = parameters
        self._settings = parameters.settings_layout
        lanes, row = parameters.lanes, parameters.tuple_layout
        super().__init__(
            {
                "i": In(stream.Signature(beat(row, lanes, self._settings.size))),
                "o": Out(stream.Signature(beat(row, lanes))),
                "dropped": Out(data.StructLayout({"overrun": lanes.bit_length()})),
                "bad_setting": Out(1),
            }
        )

    def elaborate(self, platform):
        m = Module()
        settings = data.View(self._settings, self.i.p.context)
        begins, given, bad, taken = Signal(init=1), Signal(6), Signal(), Signal()
        added = settings.step + (settings.function if self._parameters.functions else 0)
        m.d.comb += [
            bad.eq(self._parameters.refused(settings) | (settings.step > settings.size)),
            taken.eq(self.i.valid & self.i.ready),
            self.i.ready.eq(self.o.ready | bad),
            self.o.valid.eq(self.i.valid & ~bad),
            self.o.p.valid.eq(self.i.p.valid),
            self.o.p.last.eq(self.i.p.last | (given + 1 == settings.size)),
            self.bad_setting.eq(taken & bad & begins),
        ]
        for lane in range(self._parameters.lanes):
            m.d.comb += self.o.p.tuples[lane].x.eq(self.i.p.tuples[lane].x + added)
        with m.If(taken & bad):
            m.d.comb += self.dropped.overrun.eq(sum(self.i.p.valid))
        with m.If(taken):
            m.d.sync += [begins.eq(self.i.p.last), given.eq(Mux(self.o.p.last, 0, given + 1))]
        return m
