"""Checks the latencies of the port of words; `test_outer_tails` checks its data and its order."""

import pytest

from rtl.keyed.dram.word_map import WordMap
from rtl.keyed.dram.word_port import WordPort
from tb.bench.unit import simulate

WORDS = WordMap(entries=4, lines=1, address_width=32)


async def edges(ctx, signal, count):
    """Returns the cycles, counted from the call, in which a signal is high at the clock edge."""
    seen = []
    for cycle in range(count):
        _, _, level = await ctx.tick().sample(signal)
        seen += [cycle] if level else []
    return seen


@pytest.mark.parametrize("memory", [1, 5])
@pytest.mark.parametrize("count", [1, 2, WORDS.words])
def test_the_latency_of_a_read(memory, count):
    """The memory accepts an address at once, and sends the first beat ``memory`` cycles later."""
    dut, arrived = WordPort(WORDS), []

    async def order(ctx):
        ctx.set(dut.o.ready, 1)
        ctx.set(dut.i.p.reads, 1)
        ctx.set(dut.i.p.count, count)
        ctx.set(dut.i.valid, 1)
        arrived.extend(await edges(ctx, dut.o.valid, 1))
        ctx.set(dut.i.valid, 0)
        arrived.extend(1 + cycle for cycle in await edges(ctx, dut.o.valid, 40))

    async def answer(ctx):
        axi = dut.m_axi
        ctx.set(axi.arready, 1)
        await ctx.tick().until(axi.arvalid)
        for _ in range(memory - 1):
            await ctx.tick()
        ctx.set(axi.rvalid, 1)
        for beat in range(count):
            ctx.set(axi.rlast, beat == count - 1)
            await ctx.tick()
        ctx.set(axi.rvalid, 0)

    simulate(dut, order, answer)
    assert arrived == [memory + count + 2]
    assert WordPort.latency_of(count, memory) == memory + count + 2


def test_a_write_without_a_read_is_offered_after_3_cycles():
    dut, offered = WordPort(WORDS), []

    async def order(ctx):
        ctx.set(dut.i.p.writes, 1)
        ctx.set(dut.i.valid, 1)
        await ctx.tick()
        ctx.set(dut.i.valid, 0)
        offered.extend(1 + cycle for cycle in await edges(ctx, dut.m_axi.awvalid, 10))

    simulate(dut, order)
    assert offered[0] == 3
