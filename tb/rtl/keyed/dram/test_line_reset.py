"""Checks resets of a busy line memory behind the guards of an engine's top."""

import random

import pytest
from amaranth.hdl import Module, ResetInserter, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from rtl.bus.axi_memory import MemoryGuard
from rtl.contract.buses import MemoryBus
from rtl.keyed.dram.lines import LineMap
from rtl.memory.axi4 import Axi4
from tb.bench.sides import Sink, Source, as_unsigned
from tb.bench.unit import simulate
from tb.rtl.keyed.dram.line_bench import (
    SMALL,
    LineBench,
    Together,
    Write,
    answers,
    some_commands,
    some_lines,
)


class Guarded(wiring.Component):
    """A line memory with its own reset, and a guard at each master."""

    def __init__(self, memory, lines):
        self.memory, self.lines_of, self.clear = memory, lines, Signal()
        width = {"data_width": lines.data_width, "address_width": lines.address_width}
        bus = MemoryBus(name="m_axi", port="memory", **width)
        self.guards = [MemoryGuard(bus) for _ in range(lines.ports)]
        masters = {f"m_axi_{k}": Out(Axi4(**width)) for k in range(lines.ports)}
        super().__init__({"stop": In(1), "quiet": Out(1), **masters})

    def elaborate(self, platform):
        m = Module()
        m.submodules.memory = ResetInserter(self.clear)(self.memory)
        quiet = 1
        for k, guard in enumerate(self.guards):
            m.submodules[f"guard{k}"] = guard
            wiring.connect(m, getattr(self.memory, f"m_axi_{k}"), guard.i)
            wiring.connect(m, guard.o, wiring.flipped(getattr(self, f"m_axi_{k}")))
            m.d.comb += guard.stop.eq(self.stop)
            quiet &= guard.quiet
        m.d.comb += self.quiet.eq(quiet)
        return m


class ResetBench(LineBench):
    """Resets the memory repeatedly after some cycles, and runs other commands each time."""

    async def rounds(self, ctx, top, count):
        """Runs ``count`` rounds, each up to a reset; returns the number of lines read."""
        self.slaves = [self.slave(port) for port in range(self.ports)]
        for slave, port in zip(self.slaves, range(self.ports), strict=True):
            slave.attach(getattr(top, f"m_axi_{port}"))
        ctx.set(self.dut.bases, self.bases)
        line_count = 0
        for _ in range(count):
            line_count += await self.round(ctx, top)
        return line_count

    async def round(self, ctx, top):
        rng = self.rng
        old_contents, commands = self.contents(), some_commands(self.rng, self.map, 60)
        source = Source(self.dut.commands, [command.payload(rng) for command in commands], 0.1, rng)
        sink, together = Sink(self.dut.lines, 0.3, rng), Together()
        end, cycle, quiet = rng.randrange(20, 150), 0, 0
        while cycle <= end or not quiet:
            assert cycle < end + 300, "a burst does not come to its end"
            for side in (source, sink, *self.slaves):
                side.drive(together)
            together.set(top.stop, cycle >= end)
            together.apply(ctx)
            ports = [port for slave in self.slaves for port in slave.ports]
            signals = [top.quiet, self.dut.commands.ready, self.dut.lines.valid]
            signals += [self.dut.lines.ready, as_unsigned(self.dut.lines.p)]
            _, _, quiet, is_ready, *sampled = await ctx.tick().sample(*signals, *ports)
            source.sample(cycle, 1, is_ready, 0)
            sink.sample(cycle, *sampled[:3])
            for at, slave in enumerate(self.slaves):
                slave.sample(*sampled[3 + 5 * at : 8 + 5 * at])
            cycle += 1
        assert all(slave.idle for slave in self.slaves)
        ctx.set(top.clear, 1)
        ctx.set(self.dut.commands.valid, 0)
        await ctx.tick()
        ctx.set(top.clear, 0)
        self.check(old_contents, commands, [line["data"] for line in sink.run.payloads])
        return len(sink.run)

    def check(self, before, commands, received):
        """Checks that read lines are correct, and that a line has its old data or written data."""
        allowed = {(line, data) for line, data in enumerate(before)}
        allowed |= {(write.line, write.data) for write in commands if isinstance(write, Write)}
        assert set(enumerate(self.contents())) <= allowed
        expected = answers(commands, before, self.map.ring_lines)
        assert received == [data for data, *_ in expected[: len(received)]]


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("point", [(1, 256), (2, 512)], ids=str)
def test_reset_in_any_cycle(point):
    """No burst is cut, no answer is mistaken for another, and no old line appears after a reset."""
    ports, width = point
    lines = LineMap(rings=2, ring_lines=4 * ports, ports=ports, data_width=width)
    contents = some_lines(random.Random(f"reset {point}"), lines.lines)
    bench = ResetBench(lines, contents, point, port=SMALL, delay=20, stall=0.3)
    top, line_counts = Guarded(bench.dut, lines), []

    async def run(ctx):
        line_counts.append(await bench.rounds(ctx, top, 12))

    simulate(top, run)
    assert line_counts[0] > 40
