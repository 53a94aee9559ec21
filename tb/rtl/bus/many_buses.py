"""A test engine with every kind of bus: two streams in, two out, and a memory master."""

from dataclasses import dataclass, replace
from functools import partial

from amaranth.hdl import Cat, Const, Module
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from query.query import Query
from rtl.contract.buses import MemoryBus, StreamBus
from rtl.contract.counters import BAD_SETTING, Counter, Flag, errors, events
from rtl.contract.design import Design
from rtl.contract.packing import Packing
from rtl.contract.prediction import Latency, Prediction
from rtl.contract.rows import InputSchema, Role, RowField, RowSchema
from rtl.contract.settings import HostSetting, HostSettings
from rtl.memory.axi4 import INCR, Axi4
from rtl.stream.beat import beat, copy_sideband
from tb.rtl.bus.packets import QUERY

BYTE, PAIR = data.StructLayout({"x": 8}), data.StructLayout({"k": 8, "y": 5})
PAIRS = {"layout": PAIR, "packing": Packing([("k", 8), ("y", 5)]), "lanes": 2}
LINE = 64  # bytes
PLUS = HostSetting.full_range(name="plus", bits=8, doc="the number that is added", value=3)
SETTINGS = HostSettings(numbers=(PLUS,))
COUNTERS = (Counter(name="fetched", doc="lines read"),)
FLAGS = (BAD_SETTING, Flag(name="bad_response", doc="a read was answered with an error"))
UPDATES = StreamBus(
    name="s_axis_updates", port="updates", gaps=True, user=1, settings=SETTINGS.layout.size, **PAIRS
)
EVICTED = StreamBus(name="m_axis_evicted", port="evicted", **PAIRS)
MEMORY = MemoryBus(name="m_axi", port="memory", data_width=64, address_width=20)


@dataclass(frozen=True)
class Options:
    """Options without any choice."""

    query: Query = QUERY

    @property
    def resolved(self):
        return self


def many_buses(flagged=True):
    """Returns the design; with ``flagged`` the updates have a ``tuser``."""
    latency = Latency(begin="a tuple", end="its row, without the time of the memory", cycles=1)
    prediction = Prediction(
        tuples_per_cycle=0.5, latencies=(latency,), memory_traffic={"read": 1.0}
    )
    return Design(
        engine="many-buses" if flagged else "many-plain-buses",
        options=Options(),
        query_text=str(QUERY),
        settings=SETTINGS,
        input=InputSchema(layout=BYTE, lanes=1),
        rows=RowSchema(
            layout=BYTE, fields=(RowField(name="x", shape=8, role=Role.VALUE),), lanes=1
        ),
        counters=COUNTERS,
        flags=FLAGS,
        predict=lambda shape=None, dram="ideal": prediction,
        create=partial(ManyBuses, flagged),
        extra_buses=(replace(UPDATES, user=int(flagged)), EVICTED, MEMORY),
    )


class ManyBuses(wiring.Component):
    """Reads a byte from memory for each tuple, and passes updates on.

    For each tuple at ``i`` the row is the first byte of the line with the tuple's number, plus
    ``plus``. Updates go from ``updates`` to ``evicted``, with ``plus`` added to k, and the value of
    ``tuser`` added to y.
    """

    def __init__(self, flagged):
        context, user = SETTINGS.layout.size, int(flagged)
        self._flagged = flagged
        super().__init__(
            {
                "i": In(stream.Signature(beat(BYTE, 1, context))),
                "o": Out(stream.Signature(beat(BYTE, 1))),
                "updates": In(stream.Signature(beat(PAIR, 2, context, user))),
                "evicted": Out(stream.Signature(beat(PAIR, 2))),
                "memory": Out(Axi4(data_width=64, address_width=20)),
                "busy": Out(1),
                "events": Out(events(COUNTERS)),
                "errors": Out(errors(FLAGS)),
            }
        )

    def elaborate(self, platform):
        m = Module()
        self._pass(m)
        self._fetch(m)
        return m

    def _pass(self, m):
        source, target = self.updates, self.evicted
        plus = data.View(SETTINGS.layout, source.p.context).plus
        user = source.p.user if self._flagged else Const(0, 1)
        for into, out in zip(source.p.tuples, target.p.tuples, strict=True):
            m.d.comb += [out.k.eq(into.k + plus), out.y.eq(into.y + user)]
        m.d.comb += [
            target.p.valid.eq(source.p.valid | Cat(user)),
            *copy_sideband(target.p, source.p),
            target.valid.eq(source.valid),
            source.ready.eq(target.ready),
        ]

    def _fetch(self, m):
        source, target, memory = self.i, self.o, self.memory
        plus = data.View(SETTINGS.layout, source.p.context).plus
        m.d.comb += [
            memory.araddr.eq(LINE * source.p.tuples[0].x),
            memory.arsize.eq(3),
            memory.arburst.eq(INCR),
            target.p.tuples[0].x.eq(memory.rdata[:8] + plus),
            target.p.valid.eq(source.p.valid),
            *copy_sideband(target.p, source.p),
        ]
        with m.FSM() as phases:
            m.d.comb += self.busy.eq(phases.ongoing("DATA"))
            with m.State("ADDRESS"):
                m.d.comb += memory.arvalid.eq(source.valid)
                with m.If(memory.arvalid & memory.arready):
                    m.next = "DATA"
            with m.State("DATA"):
                m.d.comb += [target.valid.eq(memory.rvalid), memory.rready.eq(target.ready)]
                with m.If(memory.rvalid & memory.rready):
                    m.d.comb += [
                        source.ready.eq(1),
                        self.events.fetched.eq(1),
                        self.errors.bad_response.eq(memory.rresp != 0),
                    ]
                    m.next = "ADDRESS"
