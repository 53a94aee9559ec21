"""The AXI4-Lite slave: reads and writes do not wait for each other; none is lost or doubled."""

import random

import pytest

from rtl.bus.axi_lite import AxiLiteSlave
from tb.bench.unit import simulate
from tb.rtl.bus.host import Host, simulate_with_background


@pytest.mark.parametrize("stall", [0.0, 0.6])
def test_slave_reads_and_writes_do_not_wait_for_each_other(stall):
    """Reads and writes at once, against a memory; every write happens once."""
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

    simulate_with_background(dut, [memory_bench, watch], writer, reader)
    assert writes == expected


@pytest.mark.parametrize("stall", [0.0, 0.6])
def test_slave_waits_for_the_value_of_a_read(stall):
    """A value comes 0 to 9 cycles after ``read`` rises, for one cycle; the address stays."""
    dut, memory = AxiLiteSlave(6, waits=True), [7 * k for k in range(16)]
    expected, addresses = [], []

    async def memory_bench(ctx):
        rng = random.Random(9)
        while True:
            while not ctx.get(dut.read):
                await ctx.tick()
            address = ctx.get(dut.read_address)
            addresses.append(address)
            for _ in range(rng.randrange(10)):
                ctx.set(dut.read_data, rng.getrandbits(32))
                await ctx.tick()
                assert (ctx.get(dut.read), ctx.get(dut.read_address)) == (1, address)
            ctx.set(dut.read_data, memory[address >> 2])
            ctx.set(dut.read_done, 1)
            await ctx.tick()
            ctx.set(dut.read_done, 0)
            assert not ctx.get(dut.read)

    async def reader(ctx):
        host, rng = Host(ctx, dut.bus, stall, 6), random.Random(6)
        for _ in range(30):
            index = rng.randrange(16)
            expected.append(4 * index)
            assert await host.read(4 * index) == memory[index]

    simulate_with_background(dut, [memory_bench], reader)
    assert addresses == expected


def slave_with_waits(waits):
    """Returns a slave, and a list of processes that answer its reads at once."""
    dut = AxiLiteSlave(6, waits=waits)

    async def answer(ctx):
        ctx.set(dut.read_done, 1)

    return dut, [answer] if waits else []


@pytest.mark.parametrize("waits", [False, True])
def test_slave_answers_each_transaction_once_when_the_host_never_pauses(waits):
    """Addresses and data are always offered, and responses are taken late: no transaction may be
    skipped."""
    (dut, answers), rng = slave_with_waits(waits), random.Random(7)
    requests, responses = {"r": 0, "w": 0}, {"r": 0, "w": 0}

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
            requests["r"] += reads
            requests["w"] += writes
            responses["r"] += rvalid and ready["r"]
            responses["w"] += bvalid and ready["w"]

    simulate(dut, *answers, bench)
    assert min(requests.values()) > 40
    for kind in requests:
        assert requests[kind] - responses[kind] in (0, 1)


@pytest.mark.parametrize(("ready", "counts"), [("rb", (50, 50)), ("r", (50, 1)), ("b", (1, 50))])
def test_slave_answers_every_other_cycle_whatever_the_other_direction_does(ready, counts):
    """All requests are offered for 100 cycles; responses of one direction may not be taken."""
    dut, seen = AxiLiteSlave(6), {"r": 0, "b": 0}

    async def bench(ctx):
        bus = dut.bus
        for port in (bus.arvalid, bus.awvalid, bus.wvalid):
            ctx.set(port, 1)
        ctx.set(bus.rready, "r" in ready)
        ctx.set(bus.bready, "b" in ready)
        for _ in range(100):
            _, _, reads, writes = await ctx.tick().sample(bus.arready, dut.write)
            seen["r"] += reads
            seen["b"] += writes

    simulate(dut, bench)
    assert all(abs(seen[name] - count) <= 1 for name, count in zip("rb", counts, strict=True))
    assert min(seen.values()) >= 1


def test_a_value_that_comes_at_once_takes_a_cycle_more():
    """With ``waits`` an answer comes two cycles after its address, and the next address is taken
    in the cycle after the answer."""
    dut, seen = AxiLiteSlave(6, waits=True), []

    async def bench(ctx):
        ctx.set(dut.bus.arvalid, 1)
        ctx.set(dut.bus.rready, 1)
        ctx.set(dut.read_done, 1)  # counts only in a cycle of ``read``
        for _ in range(9):
            ports = dut.bus.arready, dut.read, dut.bus.rvalid
            _, _, *states = await ctx.tick().sample(*ports)
            seen.append(states)

    simulate(dut, bench)
    assert seen == [[1, 0, 0], [0, 1, 0], [0, 0, 1]] * 3


@pytest.mark.parametrize("steady", ["r", "w"])
def test_requests_of_one_direction_in_any_cycle_delay_none_of_the_other(steady):
    dut, rng, seen = AxiLiteSlave(6), random.Random(4), {"r": 0, "w": 0}

    async def bench(ctx):
        bus = dut.bus
        ctx.set(bus.rready, 1)
        ctx.set(bus.bready, 1)
        pending = {"r": False, "w": False}  # a request is offered
        for _ in range(100):
            for name, ports in (("r", (bus.arvalid,)), ("w", (bus.awvalid, bus.wvalid))):
                pending[name] = pending[name] or name == steady or rng.random() < 0.3
                for port in ports:
                    ctx.set(port, pending[name])
            _, _, *transfers = await ctx.tick().sample(bus.arready & bus.arvalid, dut.write)
            for name, is_accepted in zip("rw", transfers, strict=True):
                seen[name] += is_accepted
                pending[name] = pending[name] and not is_accepted

    simulate(dut, bench)
    assert abs(seen.pop(steady) - 50) <= 1
    assert min(seen.values()) > 10


@pytest.mark.parametrize("waits", [False, True])
def test_slave_decides_by_no_input_of_the_same_cycle(waits):
    """The slave's outputs stay while the inputs change within a cycle."""
    (dut, answers), rng = slave_with_waits(waits), random.Random(8)

    async def bench(ctx):
        bus = dut.bus
        inputs = (bus.awvalid, bus.wvalid, bus.arvalid, bus.bready, bus.rready)
        outputs = (bus.awready, bus.wready, bus.arready, bus.bvalid, bus.rvalid)
        seen = set()
        for _ in range(300):
            outputs_now = tuple(map(ctx.get, outputs))
            inputs_now = tuple(map(ctx.get, inputs))
            for values in ((0,) * 5, (1,) * 5, tuple(rng.randrange(2) for _ in inputs), inputs_now):
                for port, value in zip(inputs, values, strict=True):
                    ctx.set(port, value)
                assert tuple(map(ctx.get, outputs)) == outputs_now
            seen.add(outputs_now)
            for port, ready in zip(
                inputs[:3], (outputs_now[0], outputs_now[1], outputs_now[2]), strict=True
            ):
                ctx.set(port, (ctx.get(port) and not ready) or rng.randrange(2))
            for port in inputs[3:]:
                ctx.set(port, rng.randrange(2))
            await ctx.tick()
        assert len(seen) > 4

    simulate(dut, *answers, bench)
