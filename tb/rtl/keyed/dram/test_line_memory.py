"""Checks the line memory by a list of lines, with memories of any timing behind its ports."""

import random

import pytest

from rtl.keyed.dram.bursts import BurstCutter
from rtl.keyed.dram.line_memory import LineMemory
from rtl.keyed.dram.lines import LineMap
from tb.rtl.keyed.dram.line_bench import (
    SMALL,
    LineBench,
    Read,
    Write,
    answers,
    some_commands,
    some_lines,
)

POINTS = [(1, 512), (1, 256), (2, 128), (2, 512), (4, 512), (4, 128)]
QUICK = [(1, 256), (2, 128), (4, 512)]
RESTLESS = {"delay": 12, "stall": 0.3, "stall_out": 0.5}
BAD = ("bad_reads", "bad_writes")
SLOW_ANSWERS = {"latency": 5, "delay": 40, "stall": 0.1, "stall_in": 0.2}


def ids(point):
    return f"{point[0]}x{point[1]}"


def check(lines, commands, seed, **options):
    """Runs commands, and checks all read lines and the final contents of the memories."""
    contents = some_lines(random.Random(f"lines {seed}"), lines.lines)
    bench = LineBench(lines, contents, seed, **options)
    seen = bench.run(commands)
    bad = bench.bad
    assert seen.results() == answers(commands, contents, lines.ring_lines, **bad)
    assert bench.contents() == contents
    writes = [command.line for command in commands if isinstance(command, Write)]
    assert sorted(seen.failed) == sorted(line for line in writes if line in bad["bad_writes"])
    assert (seen.read, seen.written) == (len(seen.lines), len(writes))
    return seen


@pytest.mark.in_turn
@pytest.mark.parametrize("point", QUICK, ids=ids)
@pytest.mark.parametrize("memory", [RESTLESS, SLOW_ANSWERS], ids=["restless", "slow answers"])
def test_hazards(point, memory):
    """Many writes and reads of few lines, with memories that execute bursts in any order."""
    ports, width = point
    rng = random.Random(f"hazards {point} {memory}")
    rows = rng.choice([2, 4])
    lines = LineMap(rings=3, ring_lines=rows * ports, ports=ports, data_width=width)
    check(lines, some_commands(rng, lines, 80), point, port=SMALL, **memory)


@pytest.mark.regress
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("point", POINTS, ids=ids)
@pytest.mark.parametrize("memory", [RESTLESS, SLOW_ANSWERS], ids=["restless", "slow answers"])
def test_more_hazards(point, memory, seed):
    ports, width = point
    rng = random.Random(f"more {point} {memory} {seed}")
    rings, rows = rng.randint(1, 5), rng.choice([2, 4, 8])
    lines = LineMap(rings=rings, ring_lines=rows * ports, ports=ports, data_width=width)
    sizes = SMALL | {"buffer_lines": 8} if seed % 2 else {"writes": 1, "reads": 1}
    bad = {kind: rng.sample(range(lines.lines), 2 * (seed == 1)) for kind in BAD}
    commands = some_commands(rng, lines, 400)
    check(lines, commands, seed, port=sizes, **bad, **memory)


STRIPED = [(4, 512, 2), (2, 256, 4), (1, 512, 4), (4, 128, 8)]


@pytest.mark.in_turn(5)
@pytest.mark.parametrize(
    "point", [STRIPED[0], *(pytest.param(p, marks=pytest.mark.regress) for p in STRIPED[1:])]
)
def test_stripes(point):
    """Stripes of 2, 4 or 8 lines: reads between any two places, and reads of no lines."""
    ports, width, stripe = point
    rng = random.Random(f"stripes {point}")
    lines = LineMap(
        rings=3, ring_lines=2 * stripe * ports, ports=ports, stripe_lines=stripe, data_width=width
    )
    bad = {kind: rng.sample(range(lines.lines), 2) for kind in BAD}
    sizes = SMALL | {"buffer_lines": 2 * stripe}
    check(lines, some_commands(rng, lines, 150), point, port=sizes, **bad, **RESTLESS)


@pytest.mark.parametrize("point", [(1, 128), (2, 512)], ids=ids)
def test_errors_are_reported_and_stop_nothing(point):
    """An error in any beat marks the line; other lines are correct."""
    ports, width = point
    rng = random.Random(f"errors {point}")
    lines = LineMap(rings=2, ring_lines=4 * ports, ports=ports, data_width=width)
    bad = {kind: rng.sample(range(lines.lines), lines.lines // 3) for kind in BAD}
    commands = some_commands(rng, lines, 100)
    seen = check(lines, commands, point, port=SMALL, delay=5, stall=0.2, **bad)
    assert len(seen.failed) > 8
    assert sum(error for _, error, _, _ in seen.results()) > 8


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("point", [(1, 512), (1, 128)], ids=ids)
def test_long_bursts(point):
    """Reads of 4 KiB, across the end of a ring and of 4 KiB, with a buffer for one burst."""
    ports, width = point
    rng = random.Random(f"long {point}")
    lines = LineMap(rings=2, ring_lines=128, ports=ports, data_width=width)
    reads = [Read(100, 128), Read(128, 64), Read(191, 2), Read(60, 70), Read(255, 3)]
    commands = [item for read in reads for item in (Write(read.line, rng.getrandbits(512)), read)]
    seen = check(lines, commands, point, port={"buffer_lines": 64}, stall_out=0.5)
    assert sum(slave.bursts_read for slave in seen.slaves) == 3 + 1 + 2 + 3 + 2


@pytest.mark.parametrize("point", [(1, 512), (1, 256), (4, 128)], ids=ids)
def test_latency(point):
    ports, width = point
    lines = LineMap(rings=2, ring_lines=2 * ports, ports=ports, data_width=width)
    memory = 3 + ports
    seen = check(lines, [Read(1, 1)], point, port=SMALL, latency=memory)
    latency = LineMemory.latency_of(lines, memory)
    assert latency == memory + 6 + 512 // width
    assert seen.cycles[0] - seen.commands[0] == latency


def test_a_lone_write_is_work():
    """``busy`` is high from the cycle after a write is taken to its answer; the bench checks it."""
    lines = LineMap(rings=2, ring_lines=2)
    check(lines, [Write(3, 7)], 3, port=SMALL, latency=4)


def interleaved(rng, lines, size, count, writes_every):
    """Returns reads of ``size`` lines, and a write after every ``writes_every`` lines read.

    Reads are in the lower half of the lines or begin there, and writes are in the upper half.
    """
    commands, half, next_write = [], lines.lines // 2, 0
    for k in range(count // size):
        commands.append(Read(rng.randrange(half), size))
        while writes_every and next_write < (k + 1) * size:
            commands.append(Write(half + next_write // writes_every % half, rng.getrandbits(512)))
            next_write += writes_every
    return commands


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("size", "writes_every"), [(8, 4), pytest.param(23, 0, marks=pytest.mark.regress), (64, 4)]
)
def test_rate_of_four_ports(size, writes_every):
    """A line in every cycle, with a write in every fourth or without, 20 cycles from the memory."""
    rng = random.Random(size)
    lines = LineMap(rings=4, ring_lines=64, ports=4)
    commands = interleaved(rng, lines, size, 256, writes_every)
    seen = check(lines, commands, size, latency=20)
    assert len(seen.cycles) >= 0.95 * (seen.cycles[-1] - seen.cycles[0] + 1)


@pytest.mark.parametrize(("size", "writes_every"), [(8, 8), (64, 0)])
def test_rate_of_one_port(size, writes_every):
    rng = random.Random(size)
    lines = LineMap(rings=4, ring_lines=64, ports=1)
    commands = interleaved(rng, lines, size, 384, writes_every)
    seen = check(lines, commands, size, latency=20)
    assert len(seen.cycles) >= 0.95 * (seen.cycles[-1] - seen.cycles[0] + 1)


@pytest.mark.parametrize("latency", [40, 100])
def test_rate_of_writes(latency):
    """One port writes more than a line in 8 cycles: as many writes as it allows are under way."""
    lines = LineMap(rings=2, ring_lines=64)
    commands = [Write(line, line) for line in range(100)]
    seen = check(lines, commands, latency, latency=latency, port={"writes": 16})
    # Sixteen go in a row; each leaves its place 2 cycles and the latency later.
    assert seen.commands[88] - seen.commands[40] == 3 * (latency + 2) < 8 * 48


def test_writes_pass_by_reads_of_other_ports():
    """Port 0 is full of reads whose lines are hardly taken; port 1 is written all the same."""
    lines = LineMap(rings=2, ring_lines=8, ports=2)
    full = SMALL["commands"] + BurstCutter.capacity + SMALL["buffer_lines"]
    contents = some_lines(random.Random(1), 16)
    bench = LineBench(lines, contents, 1, stall_out=0.99, port=SMALL)
    port_lines = [line for line in range(16) if bench.place(line)[0] == 1]
    writes = [Write(port_lines[k % 8], k) for k in range(20)]
    seen = bench.run([Read(0, 1)] * full + writes)
    assert seen.commands[-1] < seen.cycles[0]
