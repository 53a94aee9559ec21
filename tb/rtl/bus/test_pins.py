"""Checks ``busy``, soft resets and counters of the top, at the pins of a real core."""

import pytest

from tb.rtl.bus.many_buses import many_buses
from tb.rtl.bus.pins import Pins
from tb.rtl.bus.summing_top import DESIGN, LATENCY, Output, beats, sums


async def idle(host):
    """Waits until ``busy`` is low."""
    for _ in range(200):
        if not await host.busy():
            return
    raise AssertionError("busy for ever")


def test_busy_while_a_stream_is_at_the_input_in_the_core_or_at_the_output():
    """Each of the three by itself, and ``busy`` is low before, between and afterwards."""
    pins = Pins(DESIGN)
    output, stream = Output(pins), [(1, 5), (1, 6), (3, -2), (4, 9)]
    busy_values = {}

    async def bench(ctx):
        host = pins.host(ctx)
        busy_values["before"] = [await host.busy()]
        await pins.feed(ctx, beats(stream)[:1], pause=LATENCY)
        busy_values["at the input"] = [await host.busy() for _ in range(5)]
        await pins.feed(ctx, beats(stream)[1:], pause=2)
        end = pins.cycle
        busy_values["in the core"] = []
        while pins.cycle < end + LATENCY - 6:
            busy_values["in the core"].append(await host.busy())
        await ctx.tick().repeat(LATENCY)
        busy_values["between"] = [await host.busy() for _ in range(5)]
        output.willing = False
        await pins.feed(ctx, beats(stream), pause=3 * LATENCY)
        busy_values["at the output"] = [await host.busy() for _ in range(5)]
        output.willing = True
        await ctx.tick().repeat(LATENCY)
        busy_values["afterwards"] = [await host.busy()]

    pins.simulate(bench, background=[output.process])
    assert output.packets == [sums(stream)] * 2
    assert busy_values["in the core"]
    busy = {name for name, values in busy_values.items() if all(values)}
    assert busy == {"at the input", "in the core", "at the output"}
    idle_times = ("before", "between", "afterwards")
    assert not any(value for name in idle_times for value in busy_values[name])


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("taken", range(1, 12))
def test_a_soft_reset_while_the_output_waits(taken):
    """A reset in a stream whose rows wait at the output drops them; the next stream is answered."""
    pins = Pins(DESIGN)
    output = Output(pins)
    cut, following = [(g, 1) for g in range(40)], [(7, 2), (9, 3), (9, 4)]
    counters = {}

    async def bench(ctx):
        host = pins.host(ctx)
        output.willing = False
        await pins.feed(ctx, beats(cut)[:taken])
        await ctx.tick().repeat(2 * taken)
        await host.write("control", 1)
        output.willing = True
        await pins.feed(ctx, [*beats(cut)[taken:], *beats(following)])
        await ctx.tick().repeat(2 * LATENCY)
        for name in ("tuples", "streams", "cut", "rows", "stall_out"):
            counters[name] = await host.count(name)
        counters["busy"] = await host.busy()

    pins.simulate(bench, background=[output.process])
    *cut_packets, last = output.packets
    assert last == sums(following)
    assert len(cut_packets) <= 1
    assert cut_packets or taken < 11  # rows of 11 beats have reached the output
    assert all(rows == sums(cut)[: len(rows)] for rows in cut_packets)
    expected = {"tuples": 3, "streams": 1, "cut": 40 - 2 * taken, "rows": 2, "busy": False}
    assert {name: counters[name] for name in expected} == expected
    assert counters["stall_out"] <= 2  # earlier stalls are not counted


def test_a_soft_reset_while_all_is_full():
    """Everything stalls, up to the input; tuples that wait at the input are dropped, too."""
    pins = Pins(DESIGN)
    output = Output(pins)
    cut, following = [(g, 1) for g in range(80)], [(7, 2), (9, 3), (9, 4)]
    counters = {}

    async def feed(ctx):
        await pins.feed(ctx, [*beats(cut), *beats(following)])

    async def bench(ctx):
        host = pins.host(ctx)
        output.willing = False
        await ctx.tick().repeat(60)
        assert not ctx.get(pins.top.s_axis_tready)
        await host.write("control", 1)
        output.willing = True
        await ctx.tick().repeat(40 + 3 * LATENCY)
        for name in ("tuples", "streams", "rows"):
            counters[name] = await host.count(name)

    pins.simulate(feed, bench, background=[output.process])
    cut_packet, last = output.packets
    assert last == sums(following)
    assert cut_packet == sums(cut)[: len(cut_packet)]
    assert 0 < len(cut_packet) < len(cut)
    assert counters == {"tuples": 3, "streams": 1, "rows": 2}


def test_a_soft_reset_while_a_memory_is_asked():
    """The memory finishes the burst before the reset ends, and the engine drops its data."""
    pins = Pins(many_buses())
    busy, rows, fetched = [], [], []

    async def memory(ctx):
        bus = pins.bus("m_axi")
        ctx.set(bus.arready, 1)
        while True:
            _, _, valid, address = await ctx.tick().sample(bus.arvalid, bus.araddr)
            if not valid:
                continue
            ctx.set(bus.arready, 0)
            await ctx.tick().repeat(60)
            ctx.set(bus.rdata, address // 64)
            ctx.set(bus.rvalid, 1)
            ctx.set(bus.rlast, 1)
            await ctx.tick().until(bus.rready)
            ctx.set(bus.rvalid, 0)
            ctx.set(bus.arready, 1)

    async def output(ctx):
        bus = pins.bus("m_axis")
        ctx.set(bus.tready, 1)
        while True:
            _, _, valid, data, keep = await ctx.tick().sample(bus.tvalid, bus.tdata, bus.tkeep)
            if valid and keep:
                rows.append(data)

    async def bench(ctx):
        host = pins.host(ctx)
        await host.write("plus", 3)
        await pins.feed(ctx, [(b"\x11", 1)], pause=5)
        await host.write("control", 1)
        busy.extend([await host.busy() for _ in range(5)])
        await idle(host)
        fetched.append(await host.count("fetched"))
        await pins.feed(ctx, [(b"\x22", 1)], pause=5)
        await idle(host)
        fetched.append(await host.count("fetched"))

    pins.simulate(bench, background=[memory, output])
    assert all(busy)
    assert rows == [0x22 + 3]
    assert fetched == [0, 1]
