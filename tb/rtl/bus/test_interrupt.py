"""Checks the interrupt: its causes, enabling and clearing them, and the end of a stream."""

import pytest

from rtl.bus.ports import ports_of
from rtl.bus.register_file import RegisterFile
from rtl.bus.registers import END, VERSION, register_map
from rtl.bus.top_registers import registers_of
from rtl.contract.counters import Counter, Flag
from rtl.contract.face import Face
from rtl.contract.settings import HostSettings
from tb.bench.unit import simulate
from tb.rtl.bus.host import Host
from tb.rtl.bus.pins import Pins
from tb.rtl.bus.summing_top import DESIGN, LATENCY, Output, beats

FLAGS = tuple(Flag(name=name, doc="of a test") for name in ("bad_function", "first", "second"))
REGISTERS = register_map(
    configuration=0,
    capabilities=0,
    settings=HostSettings(),
    counters=(),
    flags=FLAGS,
    interrupt=True,
)
ENABLE, PENDING = (REGISTERS[f"interrupt_{name}"].address for name in ("enable", "pending"))
DONE, ERROR = 1, 2


def run(script):
    dut = RegisterFile(REGISTERS, flags=FLAGS)

    async def bench(ctx):
        async def strobe(signal, cycles=1):
            ctx.set(signal, 1)
            await ctx.tick().repeat(cycles)
            ctx.set(signal, 0)

        await script(ctx, dut, Host(ctx, dut.bus, 0.0, 0), strobe)

    simulate(dut, bench)


def test_the_registers_are_the_last_ones_and_the_minor_version_tells():
    assert (ENABLE, PENDING) == (END - 8, END - 4)
    plain = register_map(
        configuration=0, capabilities=0, settings=HostSettings(), counters=(), flags=FLAGS
    )
    assert REGISTERS["version"].value == VERSION + 1
    assert plain["version"].value == VERSION
    others = {name: r for name, r in REGISTERS.items() if not name.startswith("interrupt")}
    addresses = [(r.name, r.address) for r in others.values()]
    assert addresses == [(r.name, r.address) for r in plain.values()]
    counters = tuple(Counter(name=f"c{k}", doc="of a test") for k in range(384))
    with pytest.raises(ValueError, match=r"must not be both at 0xff8$"):
        register_map(
            configuration=0,
            capabilities=0,
            settings=HostSettings(),
            counters=counters,
            flags=FLAGS,
            interrupt=True,
        )


@pytest.mark.parametrize(
    ("cause", "port"), [(DONE, "finished"), (ERROR, "first"), (ERROR, "second")]
)
@pytest.mark.parametrize("enabled", range(4))
def test_a_cause_is_pending_until_it_is_cleared(cause, port, enabled):
    """The cause reads as pending in any case; the level is high if it is enabled."""

    async def script(ctx, dut, host, strobe):
        await host.write(ENABLE, enabled)
        assert await host.read(ENABLE) == enabled
        await ctx.tick().repeat(3)
        assert (await host.read(PENDING), ctx.get(dut.interrupt)) == (0, 0)
        await strobe(dut.finished if port == "finished" else dut.errors[port])
        await ctx.tick().repeat(2)
        assert ctx.get(dut.interrupt) == bool(enabled & cause)
        assert await host.read(PENDING) == cause
        await host.write(PENDING, 3 - cause)
        assert await host.read(PENDING) == cause
        assert ctx.get(dut.interrupt) == bool(enabled & cause)
        await host.write(PENDING, cause)
        assert (await host.read(PENDING), ctx.get(dut.interrupt)) == (0, 0)

    run(script)


def test_an_error_that_stays_comes_once():
    """Another error causes another interrupt, and so does the same error after a soft reset, which
    clears all."""

    async def script(ctx, dut, host, strobe):
        pending = []
        await host.write(ENABLE, ERROR)
        for port in ("first", "first", "second"):
            await strobe(dut.errors[port], 5)
            await ctx.tick().repeat(2)
            pending.append(await host.read(PENDING))
            await host.write(PENDING, ERROR)
        await strobe(dut.errors.bad_function)
        await ctx.tick().repeat(2)
        await host.write(0x010, 1)
        pending.append(await host.read(PENDING))
        assert ctx.get(dut.interrupt) == 0
        await strobe(dut.errors.first)
        await ctx.tick().repeat(2)
        pending.append(await host.read(PENDING))
        assert pending == [ERROR, 0, ERROR, 0, ERROR]
        assert await host.read(ENABLE) == ERROR

    run(script)


@pytest.mark.parametrize("comes", range(4))
def test_a_cause_that_comes_while_it_is_cleared_stays(comes):
    """A write happens in the cycle after its offer: earlier causes are cleared, and a cause in the
    same cycle is not."""

    async def script(ctx, dut, host, strobe):
        bus = dut.bus
        for name, value in (("awaddr", PENDING), ("wdata", DONE), ("wstrb", 15), ("bready", 1)):
            ctx.set(getattr(bus, name), value)
        for cycle in range(5):
            ctx.set(bus.awvalid, cycle < 2)
            ctx.set(bus.wvalid, cycle < 2)
            ctx.set(dut.finished, cycle == comes)
            await ctx.tick()
        assert await host.read(PENDING) == (DONE if comes >= 1 else 0)

    run(script)


def test_a_stream_is_done_when_its_rows_have_been_taken():
    """The interrupt does not come before, nor for a stream that a soft reset cuts, and comes again
    for the next stream.
    """
    pins = Pins(DESIGN.with_face(Face(interrupt=True)))
    output, stream, levels = Output(pins), [(1, 5), (1, 6), (3, -2), (4, 9)], {}

    async def bench(ctx):
        host, level = pins.host(ctx), pins.top.interrupt
        await host.write("interrupt_enable", DONE)
        output.willing = False
        await pins.feed(ctx, beats(stream))
        await ctx.tick().repeat(2 * LATENCY)
        levels["rows wait"] = ctx.get(level)
        output.willing = True
        await ctx.tick().repeat(6)
        levels["rows are taken"] = ctx.get(level)
        await host.write("interrupt_pending", DONE)
        await ctx.tick().repeat(4)
        levels["cleared"] = ctx.get(level)
        await pins.feed(ctx, beats(stream)[:1])
        await ctx.tick().repeat(2 * LATENCY)
        levels["within a stream"] = ctx.get(level)
        await pins.feed(ctx, beats(stream)[1:])
        await host.write("control", 1)
        await ctx.tick().repeat(2 * LATENCY)
        levels["soft reset"] = ctx.get(level)
        await pins.feed(ctx, beats(stream))
        await ctx.tick().repeat(2 * LATENCY)
        levels["the next"] = ctx.get(level)

    pins.simulate(bench, background=[output.process])
    high = {"rows are taken", "the next"}
    assert levels == {name: int(name in high) for name in levels}
    assert len(levels) == 6


def test_only_a_face_with_an_interrupt_has_it():
    assert "interrupt_enable" in registers_of(DESIGN.with_face(Face(interrupt=True)))
    assert "interrupt_enable" not in registers_of(DESIGN)
    assert "interrupt" in ports_of(DESIGN.with_face(Face(interrupt=True)))
    assert "interrupt" not in ports_of(DESIGN.with_face(Face(bus_bits=64)))
