"""Two masters at the registers: each access sees the registers as if it were alone."""

import random

import pytest
from amaranth.hdl import Module
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from rtl.bus.axi_lite import axi_lite_members
from rtl.bus.register_file import RegisterFile
from rtl.bus.registers import ADDRESS_WIDTH, register_map
from rtl.bus.shared_registers import SharedRegisters
from rtl.contract.counters import BAD_SETTING, Flag
from rtl.contract.settings import HostSetting, HostSettings
from rtl.ethernet.etherbone import ACCESS
from tb.rtl.bus.host import Host, simulate_with_background

COUNT = 8
SETTINGS = HostSettings(
    numbers=[HostSetting(name=f"s{k}", width=32, doc="a number") for k in range(COUNT)]
)
FLAGS = (Flag(name="bad_function", doc="none"), BAD_SETTING)
REGISTERS = register_map(
    configuration=7, capabilities=0, settings=SETTINGS, counters=(), flags=FLAGS
)
ADDRESSES = [REGISTERS[f"s{k}"].address for k in range(COUNT)]


class Shared(wiring.Component):
    """The registers of a design behind two masters."""

    def __init__(self):
        super().__init__(
            {
                "pins": Out(wiring.Signature(axi_lite_members(ADDRESS_WIDTH))),
                "access": In(wiring.Signature({"valid": Out(1), "ready": In(1), "p": Out(ACCESS)})),
                "read_value": Out(32),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.shared = shared = SharedRegisters(ADDRESS_WIDTH)
        m.submodules.file = file = RegisterFile(REGISTERS, settings=SETTINGS, flags=FLAGS)
        wiring.connect(m, wiring.flipped(self.pins), shared.pins)
        wiring.connect(m, shared.bus, file.bus)
        m.d.comb += [
            shared.access.valid.eq(self.access.valid),
            shared.access.p.eq(self.access.p),
            self.access.ready.eq(shared.access.ready),
            self.read_value.eq(shared.read_value),
        ]
        return m


async def access(ctx, dut, address, value=None):
    """Makes one access; returns the value of a read, and the cycles that it took."""
    ctx.set(dut.access.p, {"write": value is not None, "address": address, "value": value or 0})
    ctx.set(dut.access.valid, 1)
    ready, cycles = 0, 0
    while not ready:
        _, _, ready, result = await ctx.tick().sample(dut.access.ready, dut.read_value)
        cycles += 1
        assert cycles < 1000
    ctx.set(dut.access.valid, 0)
    return result, cycles


@pytest.mark.in_turn
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("stall", [0.0, 0.5, 0.9])
def test_two_masters(stall, seed):
    """Each master owns half of the registers, and reads there what it has written last; reads and
    writes of the pins overlap."""
    dut, rng = Shared(), random.Random(seed)
    written, history = dict.fromkeys(ADDRESSES, 0), {address: [0] for address in ADDRESSES}
    finished_benches = []

    def pins(addresses, reads):
        async def bench(ctx):
            host = Host(ctx, dut.pins, stall, seed + reads)
            for _ in range(60):
                address = rng.choice(addresses)
                if reads:
                    # The other process of the pins may write while this read waits.
                    first = len(history[address]) - 1
                    assert await host.read(address) in (*history[address][first:], *pending)
                else:
                    value = rng.getrandbits(32)
                    pending.append(value)
                    await host.write(address, value)
                    history[address].append(value)
                    pending.clear()
            finished_benches.append("pins")

        return bench

    async def inside(ctx):
        for _ in range(120):
            while rng.random() < stall / 2:
                await ctx.tick()
            address = rng.choice(ADDRESSES[COUNT // 2 :])
            if rng.random() < 0.5:
                value = rng.getrandbits(32)
                await access(ctx, dut, address, value)
                written[address] = value
            else:
                assert (await access(ctx, dut, address))[0] == written[address]
        finished_benches.append("inside")

    pending = []
    half = ADDRESSES[: COUNT // 2]
    simulate_with_background(dut, [], pins(half, False), pins(half, True), inside)
    assert sorted(finished_benches) == ["inside", "pins", "pins"]


def test_addresses_without_a_register():
    """An address beyond the registers, or between two, reads 0 and changes nothing."""
    dut = Shared()
    base = ADDRESSES[0]
    strange = [base + 1, base + 2, base + 3, 0x1000 + base, 0x8000_0000 + base, 0xFFFF_FFFF]

    async def bench(ctx):
        await access(ctx, dut, base, 0x8765_4321)
        for address in strange:
            await access(ctx, dut, address, 9)
            assert await access(ctx, dut, base) == (0x8765_4321, 4)
            assert (await access(ctx, dut, address)) == (0, 2)  # not the value of the last read
        assert (await access(ctx, dut, base, 6))[1] == 5
        assert (await access(ctx, dut, 0))[0] == 0x534C4345
        assert (await access(ctx, dut, 0xFFC))[0] == 0

    simulate_with_background(dut, [], bench)


def test_no_master_starves():
    """The pins offer reads and writes without a pause; accesses still complete, and the pins go on
    between two accesses."""
    dut = Shared()
    served = {"r": 0, "b": 0}

    async def flood(ctx):
        bus = dut.pins
        for name in ("arvalid", "awvalid", "wvalid", "rready", "bready"):
            ctx.set(getattr(bus, name), 1)
        ctx.set(bus.araddr, ADDRESSES[0])
        ctx.set(bus.awaddr, ADDRESSES[0])
        while True:
            _, _, read, written = await ctx.tick().sample(bus.rvalid, bus.bvalid)
            served["r"] += read
            served["b"] += written

    async def bench(ctx):
        for k in range(20):
            old_counts = dict(served)
            _, cycles = await access(ctx, dut, ADDRESSES[1], k)
            assert cycles <= 10
            assert k == 0 or served["r"] > old_counts["r"]
            assert k == 0 or served["b"] > old_counts["b"]

    simulate_with_background(dut, [flood], bench)
