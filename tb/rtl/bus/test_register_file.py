"""AXI4-Lite slave and register file: random handshakes, every register, errors, counters."""

import random

import pytest
from amaranth.hdl import ClockDomain, Module
from amaranth.sim import Simulator

from rtl.bus.axi_lite import AxiLiteSlave
from rtl.bus.register_file import RegisterFile
from rtl.bus.registers import COUNTERS, register_map
from rtl.engine.parameters import RunTime
from tb.harness.unit import simulate
from tb.rtl.bus.host import Host

SETTINGS = tuple(
    RunTime(name=name, width=width, doc="a number")
    for name, width in (("bit", 1), ("size", 11), ("word", 32))
)
REGISTERS = register_map(
    configuration=0xCAFEF00D,
    capabilities=0x10204,
    functions=("a", "b", "c"),
    settings=SETTINGS,
)
ADDRESS = {name: register.address for name, register in REGISTERS.items()}
INCREMENTS = {"tuples": 4, "rows": 4, "streams": 1}


def run(script, *, stall=0.0, seed=0, functions=3, increments=INCREMENTS):
    dut = RegisterFile(REGISTERS, functions=functions, increments=increments, settings=SETTINGS)

    async def bench(ctx):
        await script(ctx, dut, Host(ctx, dut.bus, stall, seed))

    simulate(dut, bench)


STALLS = [(0.0, 1), (0.5, 2), (0.8, 3)]


@pytest.mark.parametrize(("stall", "seed"), STALLS)
def test_every_register_can_be_read_and_reads_disturb_nothing(stall, seed):
    async def script(ctx, dut, host):
        await host.write(ADDRESS["function"], 2)
        await host.write(ADDRESS["size"], 0x5A5)
        expected = {name: register.value or 0 for name, register in REGISTERS.items()}
        expected |= {"function": 2, "size": 0x5A5}
        for _ in range(2):
            for name, address in ADDRESS.items():
                assert await host.read(address) == expected[name], name
        assert await host.read(0xFC) == 0
        assert ctx.get(dut.function) == 2

    run(script, stall=stall, seed=seed)


@pytest.mark.parametrize(("stall", "seed"), STALLS)
def test_function(stall, seed):
    async def script(ctx, dut, host):
        for function, taken, status in ((2, 2, 0), (1, 1, 0), (3, 1, 1), (256, 1, 1), (0, 0, 1)):
            await host.write(ADDRESS["function"], function)
            assert ctx.get(dut.function) == taken
            assert await host.read(ADDRESS["function"]) == taken
            assert await host.read(ADDRESS["status"]) == status

    run(script, stall=stall, seed=seed)


def test_writes_that_change_nothing():
    async def script(ctx, dut, host):
        await host.write(ADDRESS["function"], 1)
        await host.write(ADDRESS["function"], 2, strobe=0b1110)
        await host.write(ADDRESS["magic"], 0)
        await host.write(ADDRESS["tuples_low"], 77)
        await host.write(0xF8, 2)
        assert await host.read(ADDRESS["function"]) == 1
        assert await host.read(ADDRESS["magic"]) == 0x534C4345
        assert await host.read(ADDRESS["tuples_low"]) == 0
        assert await host.read(ADDRESS["status"]) == 0

    run(script)


def test_a_build_without_functions_refuses_any():
    async def script(ctx, dut, host):
        await host.write(ADDRESS["function"], 0)
        assert await host.read(ADDRESS["status"]) == 1

    run(script, functions=0)


@pytest.mark.parametrize(("stall", "seed"), STALLS)
def test_settings(stall, seed):
    """Each byte by itself; more than fits, in all bytes together, is all ones."""
    writes = (
        ("size", 0x123, 0b1111, 0x123),
        ("size", 0x7FF, 0b0010, 0x723),
        ("size", 0x7FF, 0b0001, 0x7FF),
        ("size", 0x7FF, 0b1111, 0x7FF),
        ("size", 0x800, 0b1111, 0x7FF),
        ("size", 0x010, 0b1111, 0x010),
        ("size", 0x080, 0b0001, 0x080),
        ("size", 0x8000_0000, 0b0111, 0x000),
        ("size", 0x8000_0001, 0b1000, 0x7FF),
        ("bit", 1, 0b1111, 1),
        ("bit", 0, 0b1111, 0),
        ("bit", 2, 0b1111, 1),
        ("word", 0xFEDC_BA98, 0b1111, 0xFEDC_BA98),
        ("word", 0x0000_0000, 0b0110, 0xFE00_0098),
    )

    async def script(ctx, dut, host):
        for name, value, strobe, taken in writes:
            before = {s.name: ctx.get(dut.settings[s.name]) for s in SETTINGS}
            await host.write(ADDRESS[name], value, strobe)
            for other, old in (before | {name: taken}).items():
                assert ctx.get(dut.settings[other]) == old
                assert await host.read(ADDRESS[other]) == old
        await host.write(ADDRESS["control"], 1)
        assert await host.read(ADDRESS["word"]) == 0xFE00_0098
        assert await host.read(ADDRESS["status"]) == 0

    run(script, stall=stall, seed=seed)


def test_written_is_one_cycle_with_the_new_value():
    seen = []
    dut = RegisterFile(REGISTERS, functions=3, increments={}, settings=SETTINGS)

    async def bench(ctx):
        host = Host(ctx, dut.bus, 0.4, 9)
        await host.write(ADDRESS["size"], 0x321)
        await host.write(ADDRESS["size"], 0x321, strobe=0)
        await host.write(ADDRESS["function"], 1)
        await host.write(ADDRESS["word"], 7, strobe=0b1000)

    async def watch(ctx):
        ports = *(dut.written[s.name] for s in SETTINGS), dut.settings.size
        for _ in range(100):
            _, _, *written, size = await ctx.tick().sample(*ports)
            if any(written):
                seen.append((written, size))

    simulate(dut, bench, watch)
    assert seen == [([0, 1, 0], 0x321), ([0, 0, 1], 0x321)]


def test_counters_count_each_event():
    rng = random.Random(4)

    async def script(ctx, dut, host):
        totals = dict.fromkeys(INCREMENTS, 0)
        for _ in range(50):
            for name, most in INCREMENTS.items():
                event = rng.randint(0, most)
                ctx.set(dut.events[name], event)
                totals[name] += event
            await ctx.tick()
        for name in INCREMENTS:
            ctx.set(dut.events[name], 0)
        await ctx.tick().repeat(2)
        for name, total in totals.items():
            assert await host.read(ADDRESS[f"{name}_low"]) == total
            assert await host.read(ADDRESS[f"{name}_high"]) == 0
        for name in set(COUNTERS) - set(INCREMENTS):
            assert await host.read(ADDRESS[f"{name}_low"]) == 0

    run(script)


def test_errors_stay_until_a_soft_reset():
    async def script(ctx, dut, host):
        ctx.set(dut.events.tuples, 4)
        ctx.set(dut.errors.too_long, 1)
        await ctx.tick()
        ctx.set(dut.errors.too_long, 0)
        ctx.set(dut.events.tuples, 0)
        await host.write(ADDRESS["function"], 1)
        await host.write(ADDRESS["function"], 9)
        fields = {f.name: f.low for f in REGISTERS["status"].fields}
        both = 1 << fields["too_long"] | 1 << fields["bad_function"]
        for _ in range(2):
            assert await host.read(ADDRESS["status"]) == both
        await host.write(ADDRESS["control"], 0)
        assert await host.read(ADDRESS["status"]) == both
        assert await host.read(ADDRESS["tuples_low"]) == 4
        await host.write(ADDRESS["control"], 1)
        assert await host.read(ADDRESS["status"]) == 0
        assert await host.read(ADDRESS["tuples_low"]) == 0
        assert await host.read(ADDRESS["control"]) == 0
        assert await host.read(ADDRESS["function"]) == 1

    run(script)


def test_soft_reset_is_one_cycle():
    dut = RegisterFile(REGISTERS, functions=3, increments={}, settings=SETTINGS)
    seen = []

    async def bench(ctx):
        await Host(ctx, dut.bus, 0.0, 0).write(ADDRESS["control"], 1)
        await ctx.tick().repeat(5)

    async def watcher(ctx):
        for _ in range(8):
            _, _, value = await ctx.tick().sample(dut.soft_reset)
            seen.append(value)

    simulate(dut, bench, watcher)
    assert sum(seen) == 1


@pytest.mark.parametrize("stall", [0.0, 0.6])
def test_slave_reads_and_writes_do_not_wait_for_each_other(stall):
    """Both at once, against a memory; every write happens once."""
    dut, memory, writes, expected = AxiLiteSlave(6), [7 * k for k in range(16)], [], []

    async def memory_bench(ctx):
        while True:
            ctx.set(dut.read_data, memory[ctx.get(dut.read_address) >> 2])
            await ctx.delay(1e-8)

    async def writer(ctx):
        host, rng = Host(ctx, dut.bus, stall, 5), random.Random(5)
        for _ in range(30):
            item = 4 * rng.randrange(16), rng.getrandbits(32), rng.randrange(16)
            expected.append(item)
            await host.write(*item)

    async def reader(ctx):
        host, rng = Host(ctx, dut.bus, stall, 6), random.Random(6)
        for _ in range(30):
            index = rng.randrange(16)
            assert await host.read(4 * index) == memory[index]

    async def watch(ctx):
        ports = dut.write, dut.write_address, dut.write_data, dut.write_strobe
        async for _, _, write, *item in ctx.tick().sample(*ports):
            if write:
                writes.append(tuple(item))

    m = Module()
    m.domains.sync = ClockDomain("sync")
    m.submodules.dut = dut
    simulator = Simulator(m)
    simulator.add_clock(1e-6)
    simulator.add_testbench(memory_bench, background=True)
    simulator.add_testbench(watch, background=True)
    simulator.add_testbench(writer)
    simulator.add_testbench(reader)
    simulator.run()
    assert writes == expected


def test_slave_answers_each_transaction_once_when_the_host_never_pauses():
    """Addresses and data are always there, answers are taken late: none may be skipped."""
    dut, rng = AxiLiteSlave(6), random.Random(7)
    asked, answered = {"r": 0, "w": 0}, {"r": 0, "w": 0}

    async def bench(ctx):
        bus = dut.bus
        for port in (bus.arvalid, bus.awvalid, bus.wvalid):
            ctx.set(port, 1)
        for _ in range(200):
            ready = {"r": rng.random() < 0.4, "w": rng.random() < 0.4}
            ctx.set(bus.rready, ready["r"])
            ctx.set(bus.bready, ready["w"])
            ports = bus.arready, dut.write, bus.rvalid, bus.bvalid
            _, _, reads, writes, rvalid, bvalid = await ctx.tick().sample(*ports)
            asked["r"] += reads
            asked["w"] += writes
            answered["r"] += rvalid and ready["r"]
            answered["w"] += bvalid and ready["w"]

    simulate(dut, bench)
    assert min(asked.values()) > 40
    for kind in asked:
        assert asked[kind] - answered[kind] in (0, 1)
