"""Avalon's streams and registers: bytes and ends by hand, and every access once."""

import random

import pytest
from amaranth.hdl import Module
from amaranth.lib import wiring
from amaranth.sim import Simulator

from rtl.bus.avalon import AvalonRegisters, AvalonSink, AvalonSource
from rtl.bus.axi_lite import AxiLiteSlave
from tb.bench.unit import simulate
from tb.rtl.bus.host import run_with_background


def settled(dut, inputs):
    """Returns the outputs of a component of wires for each set of inputs, as dicts by role."""
    outputs = []

    async def bench(ctx):
        for roles in inputs:
            for role, value in roles.items():
                ctx.set(getattr(dut.i, role), value)
            await ctx.delay(1e-9)
            outputs.append(
                {role: ctx.get(getattr(dut.o, role)) for role in dut.o.signature.members}
            )

    sim = Simulator(dut)
    sim.add_testbench(bench)
    sim.run()
    return outputs


def test_the_first_byte_is_the_highest():
    """By hand, 4 bytes: 01 is the first; the second transfer lacks 04; the third has no bytes."""
    sent = {"valid": 1, "startofpacket": 1, "endofpacket": 0, "empty": 3, "error": 0}
    full_transfer = sent | {"data": 0x01020304}
    short = full_transfer | {"endofpacket": 1, "empty": 1}
    no_bytes = short | {"error": 1}
    seen = settled(AvalonSink(4), [full_transfer, short, no_bytes])
    assert [outputs["tdata"] for outputs in seen] == [0x04030201] * 3
    assert [outputs["tkeep"] for outputs in seen] == [0b1111, 0b0111, 0b0000]
    assert [outputs["tlast"] for outputs in seen] == [0, 1, 1]


@pytest.mark.parametrize("valid", [0, 1])
@pytest.mark.parametrize("ready", [0, 1])
def test_sink_passes_on_valid_and_ready(valid, ready):
    dut, seen = AvalonSink(4), []

    async def bench(ctx):
        ctx.set(dut.i.valid, valid)
        ctx.set(dut.o.tready, ready)
        await ctx.delay(1e-9)
        seen.append((ctx.get(dut.o.tvalid), ctx.get(dut.i.ready)))

    sim = Simulator(dut)
    sim.add_testbench(bench)
    sim.run()
    assert seen == [(valid, ready)]


@pytest.mark.parametrize("width", [1, 2, 3, 16])
def test_sink_keeps_bytes_and_ends(width):
    rng = random.Random(width)
    sent, expected = [], []
    for _ in range(100):
        count_of_bytes = rng.randrange(1, width + 1)
        content = rng.randbytes(width)
        last = rng.random() < 0.5
        inputs = {"valid": 1, "data": int.from_bytes(content, "big"), "endofpacket": int(last)}
        if width > 1:
            inputs["empty"] = width - count_of_bytes if last else rng.randrange(width)
        sent.append(inputs)
        expected.append((content[: count_of_bytes if last else width], last))
    seen = settled(AvalonSink(width), sent)
    for outputs, (content, last) in zip(seen, expected, strict=True):
        count = outputs["tkeep"].bit_count()
        assert outputs["tkeep"] == (1 << count) - 1
        assert outputs["tdata"].to_bytes(width, "little")[:count] == content
        assert (outputs["tlast"], outputs["tvalid"]) == (int(last), 1)


@pytest.mark.parametrize("width", [1, 4, 7])
def test_source_tells_where_packets_begin_and_end(width):
    """Stalls on both sides; packets have any number of bytes, also none."""
    rng, dut, seen = random.Random(7 * width), AvalonSource(width), []
    packets = [
        rng.randbytes(rng.choice((0, 1, width, rng.randrange(5 * width)))) for _ in range(60)
    ]
    beats = []
    for packet in packets:
        cuts = [packet[at : at + width] for at in range(0, len(packet), width)] or [b""]
        beats += [(part, k == len(cuts) - 1) for k, part in enumerate(cuts)]

    async def feed(ctx):
        for part, last in beats:
            while rng.random() < 0.3:
                await ctx.tick()
            rubbish = rng.randbytes(width - len(part))
            ctx.set(dut.i.tdata, int.from_bytes(part + rubbish, "little"))
            ctx.set(dut.i.tkeep, (1 << len(part)) - 1)
            ctx.set(dut.i.tlast, last)
            ctx.set(dut.i.tvalid, 1)
            ready = 0
            while not ready:
                _, _, ready = await ctx.tick().sample(dut.i.tready)
            ctx.set(dut.i.tvalid, 0)

    async def take(ctx):
        stalls = random.Random(width)
        while len(seen) < len(beats):
            ready = stalls.random() < 0.6
            ctx.set(dut.o.ready, ready)
            roles = ("valid", "data", "startofpacket", "endofpacket", "error")
            ports = [getattr(dut.o, role) for role in roles]
            ports += [dut.o.empty] if width > 1 else []
            _, _, valid, *outputs = await ctx.tick().sample(*ports)
            if valid and ready:
                seen.append(outputs)

    simulate(dut, feed, take)
    packet_start, received = True, [b""]
    for data, start, end, error, *empty in seen:
        assert start == packet_start
        packet_start = bool(end)
        unused = empty[0] if empty else 0
        if error:
            assert (end, unused) == (1, width - 1)
        else:
            assert end or unused == 0
            received[-1] += data.to_bytes(width, "big")[: width - unused]
        if end:
            received.append(b"")
    assert received[:-1] == packets


class Joined(wiring.Component):
    """An Avalon slave in front of our AXI4-Lite slave."""

    def __init__(self):
        self.front, self.slave = AvalonRegisters(6), AxiLiteSlave(6)
        super().__init__({})

    def elaborate(self, platform):
        m = Module()
        m.submodules.front, m.submodules.slave = self.front, self.slave
        wiring.connect(m, self.front.o, self.slave.bus)
        return m


async def access(ctx, bus, write, address, word=0, strobe=15):
    """Carries out an access, held until waitrequest is low; returns the word read, and the number
    of cycles."""
    ctx.set(bus.address, address)
    ctx.set(bus.write if write else bus.read, 1)
    ctx.set(bus.writedata, word)
    ctx.set(bus.byteenable, strobe)
    cycles, waitrequest = 0, 1
    while waitrequest:
        _, _, waitrequest, data = await ctx.tick().sample(bus.waitrequest, bus.readdata)
        cycles += 1
    ctx.set(bus.write, 0)
    ctx.set(bus.read, 0)
    return data, cycles


@pytest.mark.in_turn
@pytest.mark.parametrize("pause", [0.0, 0.5])
def test_each_access_once(pause):
    """Random reads and writes, back to back or with pauses, against a memory."""
    dut, rng = Joined(), random.Random(3)
    memory, writes, expected, cycles = (
        [7 * k for k in range(16)],
        [],
        [],
        {True: set(), False: set()},
    )

    async def answer(ctx):
        while True:
            ctx.set(dut.slave.read_data, memory[ctx.get(dut.slave.read_address) >> 2])
            await ctx.delay(1e-8)

    async def watch(ctx):
        slave = dut.slave
        ports = slave.write, slave.write_address, slave.write_data, slave.write_strobe
        async for _, _, write, *item in ctx.tick().sample(*ports):
            if write:
                writes.append(tuple(item))

    async def host(ctx):
        for _ in range(200):
            while rng.random() < pause:
                await ctx.tick()
            write, index = rng.random() < 0.5, rng.randrange(16)
            word, strobe = rng.getrandbits(32), rng.randrange(16)
            data, cycle_count = await access(ctx, dut.front.i, write, index, word, strobe)
            cycles[write].add(cycle_count)
            if write:
                expected.append((4 * index, word, strobe))
            else:
                assert data == memory[index]

    m = Module()
    m.submodules.dut = dut
    run_with_background(m, "sync", (answer, watch), (host,))
    assert writes == expected
    assert cycles == {True: {3}, False: {2}}


def test_it_waits_for_address_and_data_apart():
    """Address and data are accepted in any order, and the response is late."""
    dut, rng, completed = AvalonRegisters(12), random.Random(5), []

    async def slave(ctx):
        bus, address, word = dut.o, None, None
        while True:
            ready_now = rng.random() < 0.4, rng.random() < 0.4
            ctx.set(bus.awready, ready_now[0] and address is None)
            ctx.set(bus.wready, ready_now[1] and word is None)
            answers = address is not None and word is not None and rng.random() < 0.5
            ctx.set(bus.bvalid, answers)
            ports = bus.awvalid, bus.awready, bus.awaddr, bus.wvalid, bus.wready, bus.wdata
            _, _, av, ar, at, wv, wr, data = await ctx.tick().sample(*ports)
            if answers:
                completed.append((address, word))
                address = word = None
            if av and ar:
                assert address is None
                address = at
            if wv and wr:
                assert word is None
                word = data

    async def host(ctx):
        for k in range(50):
            await access(ctx, dut.i, True, k, 1000 + k)

    m = Module()
    m.submodules.dut = dut
    run_with_background(m, "sync", (slave,), (host,))
    assert completed == [(4 * k, 1000 + k) for k in range(50)]
