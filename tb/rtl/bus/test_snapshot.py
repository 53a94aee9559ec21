"""Counters of the register file: every event counts, and a snapshot holds the counts of
one cycle."""

import random

import pytest

from tb.rtl.bus.host import Host, simulate_with_background
from tb.rtl.bus.register_files import ADDRESS, COUNTERS, RESET, SNAPSHOT, STALLS, register_file, run


@pytest.fixture(params=[False, True], ids=["registers", "memory"])
def counter_memory(request):
    """True if the counters are in a memory."""
    return request.param


async def counter(host, name):
    """Returns a counter's value, which must not change between the two reads."""
    low, high = [await host.read(ADDRESS[f"{name}_{half}"]) for half in ("low", "high")]
    return low | high << 32


def test_counters_count_each_event(counter_memory):
    rng = random.Random(4)

    async def script(ctx, dut, host):
        totals = {c.name: 0 for c in COUNTERS}
        for _ in range(50):
            for c in COUNTERS:
                event = rng.choice((0, rng.randint(0, c.max_increment), c.max_increment))
                ctx.set(dut.events[c.name], event)
                totals[c.name] += event
            await ctx.tick()
        for name in totals:
            ctx.set(dut.events[name], 0)
        await ctx.tick().repeat(2)
        assert {name: await counter(host, name) for name in totals} == totals
        assert totals["bytes"] >> 32 > 10

    run(script, dut=register_file(counter_memory=counter_memory))


class Running:
    """Random events in every cycle; ``totals[k]`` is the sum of the first k cycles."""

    def __init__(self, dut, seed):
        self.dut, self.rng = dut, random.Random(seed)
        self.totals = [dict.fromkeys(dut.events.shape().members, 0)]

    async def run(self, ctx):
        while True:
            # All counters or none: only values of the same cycle have these totals.
            share = self.rng.choice((0, 0, 1))
            event = {c.name: share * self.rng.randint(1, c.max_increment) for c in COUNTERS}
            for name, value in event.items():
                ctx.set(self.dut.events[name], value)
            await ctx.tick()
            sums = self.totals[-1]
            self.totals.append({name: sums[name] + value for name, value in event.items()})


def run_counting(script, stall, seed, counter_memory):
    """Runs ``script(host, running)`` while events come in every cycle."""
    dut = register_file(counter_memory=counter_memory)
    running = Running(dut, seed)

    async def bench(ctx):
        await script(Host(ctx, dut.bus, stall, seed), running)

    simulate_with_background(dut, [running.run], bench)


async def read_all(host):
    return {c.name: await counter(host, c.name) for c in COUNTERS}


@pytest.mark.in_turn(5)
@pytest.mark.parametrize(("stall", "seed"), STALLS)
def test_a_snapshot_is_of_one_cycle_and_stays(stall, seed, counter_memory):
    """All values read are the totals of one cycle, the cycle of the write, and read the same again
    after other accesses; the next write takes a new snapshot."""

    async def script(host, running):
        for _ in range(4):
            begin = len(running.totals)
            await host.write(ADDRESS["control"], SNAPSHOT)
            written = running.totals[max(0, begin - 3) : len(running.totals)]
            snapshot = await read_all(host)
            assert snapshot in written
            for _ in range(3):
                assert await read_all(host) == snapshot
            assert running.totals[-1]["bytes"] > snapshot["bytes"]
            assert await host.read(ADDRESS["control"]) == 0
        assert snapshot["bytes"] >> 32 > 10

    run_counting(script, stall, seed, counter_memory)


@pytest.mark.parametrize("ends", [0, RESET, RESET | SNAPSHOT])
def test_a_snapshot_ends(ends, counter_memory):
    """A write of control without the bit ends the snapshot, and reads return the running counters.
    Any soft reset ends it too, and the counters start from 0."""

    async def script(host, running):
        await host.ctx.tick().repeat(20)
        await host.write(ADDRESS["control"], SNAPSHOT)
        snapshot = await read_all(host)
        begin = len(running.totals) - 3
        await host.write(ADDRESS["control"], ends)
        starts = [total["bytes"] for total in running.totals[begin:]] if ends else [0]
        for _ in range(3):
            begin = len(running.totals) - 3
            read_value = await host.read(ADDRESS["bytes_low"])
            running_totals = [total["bytes"] for total in running.totals[begin:]]
            assert read_value in {
                t - start & 0xFFFF_FFFF for t in running_totals for start in starts
            }
        assert min(running_totals) > snapshot["bytes"] > 0

    run_counting(script, 0.0, 11, counter_memory)


def test_other_bytes_and_registers_do_not_end_a_snapshot(counter_memory):
    async def script(host, running):
        await host.write(ADDRESS["control"], SNAPSHOT)
        snapshot = await read_all(host)
        await host.write(ADDRESS["control"], 0, strobe=0b1110)
        await host.write(ADDRESS["word"], 0)
        await host.write(ADDRESS["function"], 0)
        assert await read_all(host) == snapshot

    run_counting(script, 0.0, 12, counter_memory)
