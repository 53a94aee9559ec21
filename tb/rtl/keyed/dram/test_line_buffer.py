"""Checks the line buffer by a list, and the count of its places in every cycle."""

import random

import pytest

from rtl.keyed.dram.line_buffer import LineBuffer
from tb.bench.unit import simulate


@pytest.mark.parametrize(("width", "depth", "stall"), [(512, 4, 0.5), (256, 2, 0.2), (128, 8, 0)])
def test_places(width, depth, stall):
    """The free, reserved, stored and offered places are ``depth`` places in every cycle."""
    rng = random.Random(f"places {width} {depth} {stall}")
    dut, beats = LineBuffer(width, depth), 512 // width
    # Beats to come, beats of the line that has begun, and lines that ``o`` has not transferred.
    owed, parts, lines = 0, [], []
    line_counts, latencies = [], []

    async def bench(ctx):
        nonlocal owed, parts
        line_count = 0
        for cycle in range(500):
            free_places = depth - -(-owed // beats) - len(lines)
            assert ctx.get(dut.free) == free_places
            assert ctx.get(dut.busy) == (free_places != depth)
            places = rng.randint(0, free_places) if rng.random() < 0.8 else rng.randint(0, depth)
            reserves = places <= free_places and rng.random() < 0.8
            has_beat = owed > 0 and rng.random() < 0.8
            beat = rng.getrandbits(width), rng.random() < 0.2
            accepts = rng.random() >= stall
            ctx.set(dut.reserves, reserves)
            ctx.set(dut.places, places)
            ctx.set(dut.comes, has_beat)
            ctx.set(dut.beat, dict(zip(("data", "error"), beat, strict=True)))
            ctx.set(dut.o.ready, accepts)
            completes_line = has_beat and len(parts) == beats - 1
            assert ctx.get(dut.line) == completes_line
            if ctx.get(dut.o.valid):
                when, data, error = lines[0]
                latencies.append(cycle - when)
                assert (ctx.get(dut.o.p.data), ctx.get(dut.o.p.error)) == (data, error)
                if accepts:
                    lines.pop(0)
                    line_count += 1
            else:
                assert all(cycle < when + LineBuffer.latency for when, _, _ in lines)
            owed += reserves * places * beats - has_beat
            parts = [*parts, beat] if has_beat else parts
            if completes_line:
                data = sum(part << width * k for k, (part, _) in enumerate(parts))
                lines.append((cycle, data, any(error for _, error in parts)))
                parts = []
            await ctx.tick()
        line_counts.append(line_count)

    simulate(dut, bench)
    assert min(latencies) == LineBuffer.latency
    assert line_counts[0] > 60
