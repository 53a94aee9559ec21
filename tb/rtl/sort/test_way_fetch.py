"""Checks the rows that fetches of a way merger read, against counters per list."""

import random

from rtl.sort.way_fetch import WayFetch
from tb.bench.unit import simulate

WAYS, ROWS, DEPTH = 4, 4, 32


def test_rows_of_every_list_then_pads():
    rng, dut = random.Random(2), WayFetch(WAYS, ROWS, DEPTH)

    async def job(ctx, base, lists, tail):
        counts = [None] * lists
        rows_left = (lists - 1) * ROWS + tail
        ctx.set(dut.current_job, {"base": base, "edge": lists - 1, "tail": tail - 1})
        ctx.set(dut.begins, 1)
        await ctx.tick()
        ctx.set(dut.begins, 0)
        pads = 0
        while rows_left or pads < 9:
            list_, enable, advance = rng.randrange(lists), rng.random() < 0.8, rng.random() < 0.8
            first = counts[list_] is None
            row = counts[list_] or 0
            length = tail if list_ == lists - 1 else ROWS
            for port, value in (
                ("list", list_),
                ("enable", enable),
                ("advance", advance),
                ("first", first),
            ):
                ctx.set(getattr(dut, port), value)
            exhausted = row >= length
            assert ctx.get(dut.read) == (enable and advance)
            assert ctx.get(dut.exhausted) == exhausted
            if not exhausted:
                assert ctx.get(dut.address) == (base + list_) * ROWS % DEPTH + row
            await ctx.tick()
            reads = enable and advance
            rows_left -= reads and not exhausted
            pads += reads and exhausted
            assert ctx.get(dut.fetched) == (reads and not exhausted and rows_left == 0)
            if reads:
                counts[list_] = row + 1

    async def bench(ctx):
        for _ in range(20):
            await job(ctx, rng.randrange(8), rng.randint(1, WAYS), rng.randint(1, ROWS))

    simulate(dut, bench)
