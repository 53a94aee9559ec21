"""Checks that the engine is busy as long as anything is inside, however many streams end."""

import struct

import pytest
from amaranth.sim import Simulator

from query.parser import parse
from rtl.engine import ENGINES

QUERY = parse(
    "CREATE INPUT STREAM S (k uint(8), x float);"
    "SELECT k, max(x) FROM S [PARTITION BY k ROWS 145 SLIDE 145];"
)


def settings_of(design, **values):
    """Returns the context of a beat with the settings."""
    return sum(values.get(name, 0) << field.offset for name, field in design.settings.layout)


@pytest.mark.in_turn
def test_busy_while_many_streams_end():
    """A window of one slow block has 127 empty streams behind it, whose ends wait for a decoder.

    The 145 values alternate between neighbouring floats, so they fill one block of many steps. A
    counter of 7 bits would be 0 with 128 ends inside.
    """
    sizes = {"entries": 8, "ways": 1, "window_max": 256, "m3_kind": "block"}
    design = ENGINES["streamzip"](query=QUERY, codec="xor-chained", ports=1, port_bits=512, **sizes)
    context = settings_of(design, size=145, slide=145)
    bits = struct.unpack("<I", struct.pack("<f", 1.5))[0]
    beats = [(1, bits ^ (n & 1), 1, n == 144) for n in range(145)] + 127 * [(0, 0, 0, 1)]
    core = design.create()
    busy, rows, ends = [], [], []

    async def send(ctx):
        beat = core.i.p
        ctx.set(core.i.valid, 1)
        for key, value, is_valid, is_last in beats:
            ctx.set(beat.tuples[0].k, key)
            ctx.set(beat.tuples[0].x, value)
            ctx.set(beat.valid, is_valid)
            ctx.set(beat.last, is_last)
            ctx.set(beat.context, context)
            await ctx.tick().until(core.i.ready)
        ctx.set(core.i.valid, 0)

    async def receive(ctx):
        ctx.set(core.o.ready, 1)
        ctx.set(core.evicted.ready, 1)
        for cycle in range(900):
            beat = core.o.p
            signals = (core.busy, core.o.valid, beat.valid, beat.last)
            _, _, is_busy, is_offered, is_row, is_last = await ctx.tick().sample(*signals)
            if is_busy:
                busy.append(cycle)
            if is_offered and is_row:
                rows.append(cycle)
            if is_offered and is_last:
                ends.append(cycle)

    simulator = Simulator(core)
    simulator.add_clock(1e-6)
    simulator.add_testbench(send, background=True)
    simulator.add_testbench(receive)
    simulator.run()
    assert (len(rows), len(ends)) == (1, 128)
    assert busy == list(range(1, ends[-1] + 1))
