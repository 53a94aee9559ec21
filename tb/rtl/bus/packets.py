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
OFFSET = RunTime(name="offset", width=41, signed=True, doc="its ends are in the mask")
FLAG = RunTime(name="flag", width=2, doc="1 for the mask's top bit")


@dataclass(frozen=True, kw_only=True)
class PacketsParameters(Parameters):
    """Cuts each stream into packets of ``size`` beats, each byte plus ``step``; step <= size.

    A punctuation is a beat of one byte, inverted. With ``wide`` there are two more settings, and
    each byte is exclusive-ored with a mask: both ends of ``offset``, and the top bit for ``flag``.
    """

    engine = "packets"

    query: Query = QUERY
    lanes: int = setting(2, "tuples per cycle")
    choices: int = setting(0, "functions; the chosen one is added, too")
    punctuated: bool = setting(False, "there are punctuations")
    wide: bool = setting(False, "there is an offset and a flag")

    run_time_values = {"size": 4, "step": 1}
    dropped = ("overrun",)
    selects = False
    tuple_layout = data.StructLayout({"x": 8})
    row_layout = data.StructLayout({"x": 8})
    input_fields = row_fields = (("x", 8),)

    @property
    def run_time(self):
        return (
            RunTime(name="size", width=6, doc="beats of a packet"),
            *((OFFSET,) if self.wide else ()),
            RunTime(name="step", width=6, doc="what is added"),
            *((FLAG,) if self.wide else ()),
        )

    @property
    def constant_numbers(self):
        return (FLAG,) if self.wide else ()

    @property
    def functions(self):
        return tuple(f"f{k}" for k in range(self.choices))

    @classmethod
    def refuses(cls, query):
        return None

    def refused(self, settings):
        bad = refused(settings.size) | refused(settings.step)
        for number in (OFFSET, FLAG) if self.wide else ():
            bad |= number.unfit(settings[number.name])
        return bad

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
        user = int(parameters.punctuated)
        super().__init__(
            {
                "i": In(stream.Signature(beat(row, lanes, self._settings.size, user))),
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
        mask = Signal(8)
        if self._parameters.wide:
            ends = settings.offset[:8] ^ settings.offset[32:40]
            m.d.comb += mask.eq(ends ^ (settings.flag << 7))
        for lane in range(self._parameters.lanes):
            m.d.comb += self.o.p.tuples[lane].x.eq((self.i.p.tuples[lane].x + added) ^ mask)
        if self._parameters.punctuated:
            with m.If(self.i.p.user):
                m.d.comb += self.o.p.tuples[0].x.eq(~self.i.p.tuples[0].x)
                m.d.comb += self.o.p.valid.eq(self.i.p.valid | 1)
        with m.If(taken & bad):
            m.d.comb += self.dropped.overrun.eq(sum(self.i.p.valid))
        with m.If(taken):
            m.d.sync += [begins.eq(self.i.p.last), given.eq(Mux(self.o.p.last, 0, given + 1))]
        return m
