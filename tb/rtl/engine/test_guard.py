"""The guard against a list of streams of which some are refused."""

import random

from amaranth.lib import data
from rtl.engine.guard import Guard

from tb.harness.unit import collect, put, simulate
from tb.rtl.beats import dense, streams

ROW = data.StructLayout({"x": 4})
SETTINGS = data.StructLayout({"size": 5, "other": 2})
LANES = 4


def test_swallows_what_is_refused():
    rng = random.Random(2)
    dut = Guard(ROW, LANES, SETTINGS, lambda settings: settings.size > 20)
    sizes = [3, 21, 20, 31, 22, 0, 9, 25]
    taken, passed, swallowed = [], [], 0
    for size in sizes:
        tuples = [{"x": rng.randrange(16)} for _ in range(rng.randrange(30))]
        context = size | rng.randrange(4) << 5
        for beat in dense(tuples, LANES):
            beat["tuples"] = [t or {"x": 0} for t in beat["tuples"]]
            taken.append(beat | {"context": context})
            passed += [beat | {"context": context}] if size <= 20 else []
        swallowed += len(tuples) if size > 20 else 0
    seen = {"bad_setting": 0, "overrun": 0}
    out = []

    async def source(ctx):
        await put(ctx, dut.i, taken, 0.3, rng)

    async def sink(ctx):
        run = await collect(ctx, dut.o, len(passed), stall=0.3, rng=random.Random(3))
        out.extend(run.payloads)

    async def watch(ctx):
        for _ in range(20 * len(taken)):
            _, _, bad, overrun = await ctx.tick().sample(dut.bad_setting, dut.overrun)
            seen["bad_setting"] += bad
            seen["overrun"] += overrun

    simulate(dut, source, sink, watch, streams={"i": dut.i, "o": dut.o})
    assert streams(out) == streams(passed)
    assert [b["context"] for b in out] == [b["context"] for b in passed]
    assert seen == {"bad_setting": sum(size > 20 for size in sizes), "overrun": swallowed}
