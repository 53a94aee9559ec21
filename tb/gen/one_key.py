"""Defines an engine for tests whose table has room for one key: each other key evicts it.

The engine sums the values of a key two by two, as `PARTITION BY k ROWS 2 SLIDE 2` requires. It
reads a line of its memory for each tuple without using the line, and reports each evicted key.
"""

from dataclasses import dataclass
from functools import partial

from amaranth.hdl import Module, Mux, Shape, Signal, signed
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from query.query import Query
from rtl.contract.buses import MemoryBus, StreamBus
from rtl.contract.counters import Counter
from rtl.contract.design import Design, Engine
from rtl.contract.packing import Packing
from rtl.contract.prediction import Latency, Prediction
from rtl.contract.rows import InputSchema, Order, Packet, Role, RowField, RowSchema
from rtl.contract.settings import HostSettings
from rtl.engine.parts.columns import shape_of, tuple_layout
from rtl.engine.parts.reports import reports
from rtl.memory.axi4 import INCR, Axi4
from rtl.stream.beat import beat, wire

COUNTERS = (
    Counter(name="collision", doc="evicted keys"),
    Counter(name="m3_lines_read", doc="lines read from the memory"),
    Counter(name="m3_lines_written", doc="lines written to the memory"),
)
ROLES = (Role.WINDOW, Role.KEY, Role.VALUE)


@dataclass(frozen=True, kw_only=True)
class Options:
    query: Query

    resolved = property(lambda self: self)


class OneKey(wiring.Component):
    """Takes one tuple at a time; a stream ends with an empty beat on both output streams."""

    def __init__(self, row, rows, gone, key, value):
        self.row, self.key, self.value = row, key, value
        super().__init__(
            {
                "i": In(stream.Signature(beat(row, 1))),
                "o": Out(stream.Signature(beat(rows, 1))),
                "evicted": Out(stream.Signature(beat(gone, 1))),
                "memory": Out(Axi4(data_width=512, address_width=30)),
                **({"busy": Out(1)} | reports(COUNTERS)),
            }
        )

    def elaborate(self, platform):
        m, memory, evicted, o = Module(), self.memory, self.evicted, self.o
        cycles_taken, last, arrival = Signal(self.row), Signal(), Signal(48)
        live, key, total = Signal(), Signal.like(cycles_taken[self.key]), Signal(signed(64))
        window, second = Signal(32), Signal()
        m.d.comb += [
            memory.araddr.eq(cycles_taken[self.key] << 6),
            *(memory.arsize.eq(6), memory.arburst.eq(INCR), self.busy.eq(1)),
            self.events.m3_lines_read.eq(memory.rvalid & memory.rready),
            *wire(o.p.tuples[0], {"window": window, "key": key, "total": total}),
            *wire(evicted.p.tuples[0], {"key": key, "arrival": arrival}),
        ]
        with m.FSM():
            with m.State("TAKE"):
                m.d.comb += [self.i.ready.eq(1), self.busy.eq(0)]
                m.d.sync += [cycles_taken.eq(self.i.p.tuples[0]), last.eq(self.i.p.last)]
                with m.If(self.i.valid):
                    m.next = "END"
                    with m.If(self.i.p.valid[0]):
                        m.next = "ASK"
            with m.State("ASK"):
                m.d.comb += memory.arvalid.eq(1)
                with m.If(memory.arready):
                    m.next = "FETCH"
            with m.State("FETCH"):
                m.d.comb += memory.rready.eq(1)
                with m.If(memory.rvalid):
                    m.next = "THROW"
            with m.State("THROW"):
                transfer = live & (key != cycles_taken[self.key])
                m.d.comb += [evicted.valid.eq(transfer), evicted.p.valid.eq(1)]
                m.d.comb += self.events.collision.eq(transfer & evicted.ready)
                with m.If(~transfer | evicted.ready):
                    m.d.sync += live.eq(live & ~transfer)
                    m.next = "ADD"
            with m.State("ADD"):
                m.d.sync += [live.eq(1), key.eq(cycles_taken[self.key]), arrival.eq(arrival + 1)]
                m.d.sync += total.eq(Mux(live & second, total, 0) + cycles_taken[self.value])
                m.d.sync += second.eq(~(live & second))
                m.d.sync += window.eq(Mux(live, window + ~second, 0))
                m.next = "ROW"
            with m.State("ROW"):
                m.d.comb += [o.valid.eq(~second), o.p.valid.eq(1)]
                with m.If(second | o.ready):
                    m.next = "TAKE"
                    with m.If(last):
                        m.next = "END"
            with m.State("END"):
                m.d.comb += [o.valid.eq(1), o.p.last.eq(1)]
                with m.If(o.ready):
                    m.next = "TOLD"
            with m.State("TOLD"):
                m.d.comb += [evicted.valid.eq(1), evicted.p.last.eq(1)]
                m.d.sync += [live.eq(0), arrival.eq(0)]
                with m.If(evicted.ready):
                    m.next = "TAKE"
        return m


def design(options):
    query, key, item = options.query, options.query.window.partition, options.query.items[0]
    row, column = tuple_layout(query.columns), item.aggregate.column.name
    layout = {"window": Shape(32), "key": shape_of(key.type), "total": signed(64)}
    parts_of_row = zip(("window", key.name, item.name), layout.values(), ROLES, strict=True)
    fields = tuple(
        RowField(name=name, shape=shape, role=role) for name, shape, role in parts_of_row
    )
    rows, thrown = data.StructLayout(layout), {"key": layout["key"], "arrival": 48}
    removed = data.StructLayout(thrown)
    packing = Packing(thrown.items())
    latency = Latency(begin="a tuple", end="its row", cycles=60)
    evicted = {"name": "m_axis_evicted", "port": "evicted", "layout": removed, "packing": packing}
    return Design(
        engine="one-key",
        options=options,
        query_text=str(query),
        settings=HostSettings(),
        input=InputSchema(layout=row, lanes=1, gaps=True),
        rows=RowSchema(
            layout=rows, fields=fields, lanes=1, packet=Packet.STREAM, order=Order.TRIGGERS
        ),
        counters=COUNTERS,
        predict=partial(predict, latency),
        create=partial(OneKey, row, rows, removed, key.name, column),
        extra_buses=(
            StreamBus(lanes=1, **evicted),
            MemoryBus(name="m_axi", port="memory", data_width=512, address_width=30),
        ),
    )


def predict(latency, *, shape=None, keys=None, dram="ideal"):
    return Prediction(tuples_per_cycle=1 / 47, latencies=(latency,))


ENGINE = Engine(
    name="one-key", about="sums", options=Options, refusal=lambda query: None, design=design
)
