"""The writer of registers after a reset: each write once, in order, whatever the slave stalls."""

import random
from itertools import pairwise

import pytest
from amaranth.hdl import ClockDomain, Module
from amaranth.lib import wiring
from amaranth.sim import Simulator

from rtl.bus.axi_lite import AxiLiteSlave
from rtl.bus.register_writer import RegisterWriter

WRITES = [(0x020, 7), (0xFC8, 0x0A000001), (0x020, 0xFFFF_FFFF), (0xFC0, 1)]


async def accept(ctx, bus, stall, rng, seen):
    """Accepts one write with random stalls; appends it to ``seen`` when its response is taken."""
    open_channels, item, cycle = {"aw", "w"}, {}, 0
    while open_channels:
        assert (cycle := cycle + 1) < 100  # a writer that offers nothing must not hang the test
        ready = {
            channel: channel in open_channels and rng.random() >= stall for channel in ("aw", "w")
        }
        for channel in ready:
            ctx.set(getattr(bus, f"{channel}ready"), ready[channel])
        ports = bus.awvalid, bus.awaddr, bus.wvalid, bus.wdata, bus.wstrb, bus.bready
        _, _, awvalid, address, wvalid, data, strobe, bready = await ctx.tick().sample(*ports)
        assert bready == 1
        if ready["aw"] and awvalid:
            item["aw"] = address
            open_channels.discard("aw")
        elif "aw" not in open_channels:
            assert not awvalid
        if ready["w"] and wvalid:
            assert strobe == 0xF
            item["w"] = data
            open_channels.discard("w")
        elif "w" not in open_channels:
            assert not wvalid
    for channel in ("aw", "w"):
        ctx.set(getattr(bus, f"{channel}ready"), 0)
    for _ in range(3 + rng.randrange(4)):  # the next write waits for the response
        _, _, *valid = await ctx.tick().sample(bus.awvalid, bus.wvalid)
        assert valid == [0, 0]
    ctx.set(bus.bvalid, 1)
    ctx.set(bus.bresp, rng.randrange(4))
    await ctx.tick()
    ctx.set(bus.bvalid, 0)
    seen.append((item["aw"], item["w"]))


@pytest.mark.parametrize("stall", [0.0, 0.7])
@pytest.mark.parametrize("count", [0, 1, 4])
def test_each_register_is_written_once_in_order(stall, count):
    dut, rng, seen = RegisterWriter(WRITES[:count], 12), random.Random(count), []

    async def bench(ctx):
        for _ in range(count):
            assert ctx.get(dut.done) == 0
            await accept(ctx, dut.bus, stall, rng, seen)
        await ctx.tick().repeat(2)
        for _ in range(20):
            _, _, is_done, awvalid, wvalid = await ctx.tick().sample(
                dut.done, dut.bus.awvalid, dut.bus.wvalid
            )
            assert (is_done, awvalid, wvalid) == (1, 0, 0)

    simulator = Simulator(dut)
    simulator.add_clock(1e-6)
    simulator.add_testbench(bench)
    simulator.run()
    assert seen == WRITES[:count]


def test_a_reset_in_the_middle_writes_the_whole_list_again():
    """The slave is that of an engine's registers, and takes a write in four cycles."""
    m, writes = Module(), []
    m.domains.sync = domain = ClockDomain()
    m.submodules.writer = writer = RegisterWriter(WRITES, 12)
    m.submodules.slave = slave = AxiLiteSlave(12)
    wiring.connect(m, writer.bus, slave.bus)

    async def bench(ctx):
        for cycle in range(40):
            ctx.set(domain.rst, cycle in (7, 8))
            ports = slave.write, slave.write_address, slave.write_data, writer.done
            _, _, write, address, data, is_done = await ctx.tick().sample(*ports)
            if write and cycle not in (7, 8):
                writes.append((cycle, (address, data)))
            last_done = is_done
        assert last_done == 1

    simulator = Simulator(m)
    simulator.add_clock(1e-6)
    simulator.add_testbench(bench)
    simulator.run()
    before = [item for cycle, item in writes if cycle < 7]
    after = [item for cycle, item in writes if cycle > 8]
    assert before == WRITES[: len(before)]
    assert 0 < len(before) < len(WRITES)
    assert after == WRITES
    cycles = [cycle for cycle, _ in writes if cycle > 8]
    assert {b - a for a, b in pairwise(cycles)} == {4}
