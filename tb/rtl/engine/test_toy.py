"""The engine contract, checked with an engine that is not part of the project.

The toy engine sums the values of each key, ``size`` at a time, and stores the partial sum in a line
of DRAM. So it has a key, a memory master, counters, a host setting, window numbers in a field, and
rows in the order of their triggers. From options to checked rows it passes through the same code as
the engines of the project.
"""

import inspect
import json
import random
import re
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import pyarrow as pa
import pytest
from amaranth.hdl import Cat, Module, Mux, Shape, Signal, signed
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from boards import BOARDS
from gen.design.build import Build
from gen.design.register_writes import register_writes
from gen.directory.design_files import design_files
from gen.simulate import result_rows as results
from gen.simulate.input_beats import input_beats
from golden.answer import row_types
from golden.tuples import Tuples
from query.design import DesignPoint
from query.parser import parse
from query.query import Query
from rtl.bus.top_registers import counters_of, registers_of
from rtl.contract.buses import MemoryBus
from rtl.contract.counters import Counter
from rtl.contract.design import Design, Engine
from rtl.contract.options import option
from rtl.contract.prediction import Latency, Prediction
from rtl.contract.rows import InputSchema, Order, Packet, Role, RowField, RowSchema
from rtl.contract.settings import HostSetting, HostSettings
from rtl.engine.parts.columns import shape_of, tuple_layout
from rtl.engine.parts.reports import reports
from rtl.memory.axi4 import INCR, Axi4
from rtl.stream.beat import beat, wire
from sim.bench import Bench
from sim.job import SoftReset
from sim.memory import Memory
from tb.rtl.bus.soft_reset import cut_packet
from tb.rtl.engine.bench import shipped

CACHE = Path(".cache/tb")
ROLES = (Role.WINDOW, Role.KEY, Role.VALUE)
ROW_ORDER = {"packet": Packet.STREAM, "order": Order.TRIGGERS}
COUNTERS = (
    Counter(name="fetches", doc="lines read from the memory"),
    Counter(name="stores", doc="lines written to the memory"),
)


@dataclass(frozen=True, kw_only=True)
class Options:
    query: Query
    count_width: int = option("bits of a count", default=16, unit="bits", range=(1, 32))

    resolved = property(lambda self: self)


class Toy(wiring.Component):
    """Handles one tuple at a time: fetches the line of its key, adds, stores, sends a due row."""

    def __init__(self, row, rows, settings, key, value):
        self.row, self.rows, self.settings, self.key, self.value = row, rows, settings, key, value
        super().__init__(
            {
                "i": In(stream.Signature(beat(row, 1, settings.size))),
                "o": Out(stream.Signature(beat(rows, 1))),
                "memory": Out(Axi4(data_width=512, address_width=30)),
                **({"busy": Out(1)} | reports(COUNTERS)),
            }
        )

    def elaborate(self, platform):
        m, memory, line = Module(), self.memory, {"count": 32, "window": 32, "total": 64}
        state = Signal(data.StructLayout(line))
        current, settings, last = Signal(self.row), Signal(self.settings), Signal()
        seen, key = Signal(1 << self.row[self.key].width), current[self.key]
        sent, sent_next = Signal(2), Signal(2)  # address and data transfer independently
        read, row_out = state.shape()(memory.rdata[: len(state.as_value())]), self.o.p.tuples[0]
        full, is_old = read.count == settings["size"], seen.bit_select(key, 1)
        m.d.comb += [
            *(port.eq(key << 6) for port in (memory.araddr, memory.awaddr)),
            *(memory.arsize.eq(6), memory.awsize.eq(6)),
            *(memory.arburst.eq(INCR), memory.awburst.eq(INCR)),
            *(memory.wstrb.eq(~0), memory.wlast.eq(1), memory.wdata.eq(state)),
            self.events.fetches.eq(memory.rvalid & memory.rready),
            self.events.stores.eq(memory.wvalid & memory.wready),
            *wire(row_out, {"window": state.window, "key": key, "total": state.total}),
            *(self.o.p.last.eq(last), self.busy.eq(1)),
        ]
        with m.FSM():
            with m.State("TAKE"):
                m.d.comb += [self.i.ready.eq(1), self.busy.eq(0)]
                m.d.sync += [current.eq(self.i.p.tuples[0]), settings.eq(self.i.p.context)]
                m.d.sync += [last.eq(self.i.p.last), state.count.eq(0)]
                with m.If(self.i.valid):
                    m.next = "END"
                    with m.If(self.i.p.valid[0]):
                        m.next = "ASK"
            with m.State("FETCH"):
                m.d.comb += memory.rready.eq(1)
                m.d.sync += state.count.eq(Mux(full | ~is_old, 0, read.count) + 1)
                m.d.sync += state.total.eq(Mux(full | ~is_old, 0, read.total) + current[self.value])
                m.d.sync += state.window.eq(Mux(is_old, read.window + full, 0))
                with m.If(memory.rvalid):
                    m.d.sync += is_old.eq(1)
                    m.next = "STORE"
            with m.State("STORE"):
                m.d.comb += [memory.awvalid.eq(~sent[0]), memory.wvalid.eq(~sent[1])]
                m.d.comb += sent_next.eq(sent | Cat(memory.awready, memory.wready))
                m.d.sync += sent.eq(Mux(sent_next.all(), 0, sent_next))
                with m.If(sent_next.all()):
                    m.next = "WAIT"
            for phase, request, reply, following in (
                ("ASK", memory.arvalid, memory.arready, "FETCH"),
                ("WAIT", memory.bready, memory.bvalid, "END"),
            ):
                with m.State(phase):
                    m.d.comb += request.eq(1)
                    with m.If(reply):
                        m.next = following
            with m.State("END"):
                due = state.count == settings["size"]
                m.d.comb += [self.o.valid.eq(due | last), self.o.p.valid.eq(due)]
                with m.If(self.o.ready | ~self.o.valid):
                    m.d.sync += seen.eq(Mux(last, 0, seen))
                    m.next = "TAKE"
        return m


def design(options):
    query, key, item = options.query, options.query.window.partition, options.query.items[0]
    row, column = tuple_layout(query.columns), item.aggregate.column.name
    layout = {"window": Shape(32), "key": shape_of(key.type), "total": signed(64)}
    columns = zip(("window", key.name, item.name), layout.values(), ROLES, strict=True)
    fields = tuple(RowField(name=name, shape=shape, role=role) for name, shape, role in columns)
    width, query_size = options.count_width + 1, query.window.size
    size = HostSetting(name="size", doc="tuples", width=width, minimum=1, value=query_size)
    settings, rows = HostSettings(numbers=(size,)), data.StructLayout(layout)
    return Design(
        engine="toy",
        options=options,
        query_text=str(replace(query, window=replace(query.window, size=1, slide=1))),
        settings=settings,
        input=InputSchema(layout=row, lanes=1, gaps=True),
        rows=RowSchema(layout=rows, fields=fields, lanes=1, **ROW_ORDER),
        counters=COUNTERS,
        predict=predict,
        create=partial(Toy, row, rows, settings.layout, key.name, column),
        extra_buses=(MemoryBus(name="m_axi", port="memory", data_width=512, address_width=30),),
    )


def predict(*, memory=40, shape=None, keys=None, dram="ideal"):
    latency = Latency(begin="last tuple of a window", end="its row", cycles=2 * memory + 3)
    return Prediction(tuples_per_cycle=1 / (latency.cycles + 1), latencies=(latency,))


ENGINE = Engine(
    name="toy", about="sums", options=Options, refusal=lambda query: None, design=design
)

TEXT = """CREATE INPUT STREAM S (k uint(4), v int(20));
          SELECT k, sum(v) FROM S [PARTITION BY k ROWS 4 SLIDE 4];"""


def model(tuples, size):
    """Returns (window, key, sum) of each full window, in the order of the triggers."""
    values, rows = {}, []
    for key, value in tuples:
        mine = values.setdefault(key, [])
        mine.append(value)
        if len(mine) % size == 0:
            rows.append((len(mine) // size - 1, key, sum(mine[-size:])))
    return rows


def stream_of(count, seed):
    rng = random.Random(f"toy {count} {seed}")
    keys = [0, 15, *(rng.randrange(16) for _ in range(3))]
    values = (-(1 << 19), (1 << 19) - 1, 0, 77)
    return [(rng.choice(keys), rng.choice(values)) for _ in range(count)]


def build(**options):
    query = parse(TEXT)
    point = DesignPoint(query=query, query_file=Path("toy.cql"), file=Path("toy.cql"))
    built = ENGINE(query=query, **options)
    return Build(point=point, design=built, board=BOARDS["ultra96-v2"])


@pytest.fixture(scope="module")
def files():
    return design_files(build(), CACHE)


def run(files, tuples, simulator="compiled", **options):
    """Returns the outcome of one stream, its rows as a table, and the counters by name."""
    built = build()
    registers = registers_of(built.design)
    columns = {name: [t[at] for t in tuples] for at, name in enumerate(("k", "v"))}
    table = pa.table({name: pa.array(column, pa.int64()) for name, column in columns.items()})
    beats = input_beats(built.design, Tuples(schema=built.query.schema, table=table))
    bench = Bench(
        top=built.name,
        streams=built.design.streams,
        memories=built.design.memories,
        verilog=files[f"{built.name}.v"],
        cache=CACHE,
        simulator=simulator,
    )
    names = [f"{counter.name}_low" for counter in counters_of(built.design)]
    outcome = bench.run(
        beats,
        writes=register_writes(built.design, registers),
        reads=[registers[name].address for name in (*names, "status")],
        idle_timeout=2_000,
        **options,
    ).checked()
    counters = dict(zip((*names, "status"), outcome.reads, strict=True))
    return outcome, results.rows(built.design, outcome.beats), counters


def check_rows(tuples, table, counters):
    expected_rows = model(tuples, 4)
    assert [tuple(row.values()) for row in table.to_pylist()] == expected_rows
    assert table.schema == pa.schema(row_types(parse(TEXT)))
    expected = {"tuples": len(tuples), "rows": len(expected_rows), "streams": 1}
    expected |= {"fetches": len(tuples), "stores": len(tuples), "status": 0}
    actual = {name.removesuffix("_low"): value for name, value in counters.items()}
    assert {name: actual[name] for name in expected} == expected


def test_it_is_small():
    parts = (Options, Toy, design, predict)
    assert sum(len(inspect.getsource(part).splitlines()) for part in parts) <= 100


def test_files_know_its_bus_counters_setting_and_rows(files):
    described = json.loads(files["manifest.json"])
    memory = {"data_width": 512, "address_width": 30, "id_width": 4, "sram": False}
    assert described["memories"] == {"m_axi": memory}
    assert {"size", "fetches_low", "stores_high"} <= described["registers"].keys()
    assert described["settings"] == {"size": 4}
    assert [f["role"] for f in described["rows"]["fields"]] == ["window", "key", "value"]
    assert (described["rows"]["packet"], described["rows"]["order"]) == ("stream", "triggers")
    latency = {"from": "last tuple of a window", "to": "its row", "cycles": 2 * 40 + 3 + 2}
    assert described["latencies"] == [latency]
    verilog = files["sluice_toy.v"]
    assert 'X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 M_AXI ARADDR"' in verilog
    assert "S_AXIS:M_AXIS:S_AXIL:M_AXI" in verilog
    assert "bus $core M_AXI aximm master m_axi" in files["vivado/package_ip.tcl"]
    assert "fetches_low" in files["registers/sluice_toy.rdl"]


@pytest.mark.in_turn
@pytest.mark.parametrize("count", [0, 1, 4, 300])
def test_compiled(files, count):
    tuples = stream_of(count, 1)
    outcome, table, counters = run(files, tuples)
    check_rows(tuples, table, counters)
    assert outcome.memory["m_axi"].lines_read == outcome.memory["m_axi"].lines_written == count


@pytest.mark.in_turn(5)
def test_rate_and_latency_are_as_predicted(files):
    tuples = [(3, k) for k in range(400)]
    outcome, _, _ = run(files, tuples)
    prediction = build().design.prediction
    cycles = outcome.last_input - outcome.first_input
    assert abs(cycles / 399 * prediction.tuples_per_cycle - 1) < 0.01
    # With one tuple the end of the stream leaves after the same states as a row. The skid buffers
    # at the pins take 2 cycles more.
    single, _, _ = run(files, tuples[:1])
    assert single.last_output - single.last_input == prediction.cycles + 2


def test_stalls_delays_and_reordering(files):
    tuples = stream_of(200, 2)
    memory = Memory(delay=30, stall=0.3, reorder=True)
    stalls = {"stall_input": 0.4, "stall_output": 0.6}
    _, table, counters = run(files, tuples, memory=memory, seed=3, **stalls)
    check_rows(tuples, table, counters)


@pytest.mark.parametrize("wait", [False, True], ids=["at once", "waiting"])
def test_a_soft_reset_in_any_cycle(wait):
    """No burst is cut, and streams that begin after the reset are answered."""
    dut, cut = shipped(build().design), 0
    for seed in range(30):
        streams = [stream_of(count, seed) for count in (9, 1, 14, 5, 20)]
        beats = dut.beats([[{"k": k, "v": v} for k, v in stream] for stream in streams])
        result = dut.run(
            beats,
            [dut.design.settings.values],
            reset=SoftReset(cycle=20 + 40 * seed, wait=wait),
            drain=600,
            memory=Memory(delay=20, stall=0.4, latency=10),
            stall_output=0.3,
            seed=seed,
        )
        outcome = result.outcome
        fresh = int(
            (outcome.inputs["s_axis"].beat_cycles[beats.starts] <= outcome.soft_reset + 1).sum()
        )
        answers = [model(stream, 4) for stream in streams]
        cut += cut_packet(result.packets, answers[:fresh], answers[fresh:])
        traffic = outcome.memory["m_axi"]
        assert 0 <= traffic.lines_read - traffic.lines_written <= 1
    assert cut


def test_ddr3(files):
    tuples = stream_of(400, 4)
    _, table, counters = run(files, tuples, memory=Memory(backend="ddr3"))
    check_rows(tuples, table, counters)


def test_cocotb(files):
    tuples = stream_of(60, 5)
    _, table, counters = run(files, tuples, "icarus", stall_input=0.3, stall_output=0.3, seed=1)
    check_rows(tuples, table, counters)


def test_no_other_file_mentions_the_toy_engine():
    root = Path(__file__).parents[3]
    others = [
        path
        for folder in ("boards", "gen", "golden", "query", "rtl", "sim", "tb")
        for path in (root / folder).rglob("*.py")
        if re.search(r"\btoy\b", path.read_text(encoding="utf-8"), re.IGNORECASE)
    ]
    assert others == [Path(__file__).resolve()]
