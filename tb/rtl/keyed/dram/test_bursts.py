"""Checks BurstCutter and BurstOrder by a few lines of Python each."""

import random

import pytest

from rtl.keyed.dram.burst_order import BurstOrder
from rtl.keyed.dram.bursts import BurstCutter
from rtl.keyed.dram.lines import LineMap
from tb.bench.unit import run_stream, simulate


def cut(line, count, ring, unit):
    """Returns bursts (unit, first, last) of consecutive lines of a ring."""
    bursts, begin = [], line // ring * ring
    for k in range(count):
        number = begin + (line + k) % ring
        at = number // unit, number % unit
        if k and at == (bursts[-1][0], bursts[-1][2] + 1):
            bursts[-1][2] += 1
        else:
            bursts.append([*at, at[1]])
    return [tuple(burst) for burst in bursts]


@pytest.mark.parametrize(
    ("ring_lines", "ports", "stall"), [(2, 1, 0.3), (64, 4, 0.3), (512, 2, 0), (512, 1, 0.3)]
)
def test_cuts(ring_lines, ports, stall):
    rng = random.Random(f"cuts {ring_lines} {ports}")
    lines = LineMap(rings=5, ring_lines=ring_lines, ports=ports)
    ring, unit = ring_lines // ports, min(64, ring_lines // ports)
    stretches, expected = [], []
    for _ in range(150):
        write, line = rng.random() < 0.3, rng.randrange(5 * ring)
        count = 1 if write else rng.choice([1, 2, rng.randint(1, ring), ring])
        stretches.append({"write": int(write), "line": line, "more": count - 1})
        expected += [(int(write), *burst) for burst in cut(line, count, ring, unit)]
    result = run_stream(
        BurstCutter(lines), stretches, expected=len(expected), stall_in=stall, stall_out=stall
    )
    actual = [(b["write"], b["unit"], b["first"], b["last"]) for b in result.payloads]
    assert actual == expected
    assert all(b["more"] == b["last"] - b["first"] for b in result.payloads)
    if not stall:
        assert result.cycles[0] == BurstCutter.latency
        assert result.cycles[-1] - result.cycles[0] == len(expected) - 1


def test_the_example():
    """The model and the component cut the examples of the component's docstring."""
    assert cut(70, 3, 128, 64) == [(1, 6, 8)]
    assert cut(120, 80, 128, 64) == [(1, 56, 63), (0, 0, 63), (1, 0, 7)]
    lines = LineMap(rings=1, ring_lines=128, ports=1)
    stretches = [
        {"write": 0, "line": 70, "more": 2},
        {"write": 0, "line": 120, "more": 79},
        {"write": 1, "line": 5, "more": 0},
    ]
    bursts = run_stream(BurstCutter(lines), stretches, expected=5).payloads
    assert [(b["write"], b["unit"], b["first"], b["last"]) for b in bursts] == [
        (0, 1, 6, 8),
        (0, 1, 56, 63),
        (0, 0, 0, 63),
        (0, 1, 0, 7),
        (1, 0, 5, 5),
    ]


def test_busy_from_a_stretch_to_its_last_burst():
    """Three bursts wait at first for a stalled output, and then leave one by one."""
    dut, levels = BurstCutter(LineMap(rings=1, ring_lines=128, ports=1)), []

    async def bench(ctx):
        bursts = 0  # that have not left
        ctx.set(dut.i.p, {"write": 0, "line": 120, "more": 79})
        for cycle in range(20):
            ctx.set(dut.i.valid, cycle == 3)
            ctx.set(dut.o.ready, cycle > 9)
            _, _, accepted, valid, busy = await ctx.tick().sample(
                dut.i.valid & dut.i.ready, dut.o.valid & dut.o.ready, dut.busy
            )
            assert busy == (bursts > 0)
            levels.append(busy)
            bursts += 3 * accepted - valid
        assert bursts == 0

    simulate(dut, bench)
    assert sum(levels) == 9  # cycles 4 to 12


class Order:
    """Model of the order: a burst passes when all conflicting earlier bursts are answered."""

    def __init__(self, writes, reads):
        self.room = {1: writes, 0: reads}
        self.under_way = {1: [], 0: []}  # oldest first, as (unit, first, last)

    def passes(self, write, *lines):
        clash = [other for other in self.under_way[not write] if self.meet(lines, other)]
        return not clash and len(self.under_way[write]) < self.room[write]

    @staticmethod
    def meet(one, other):
        numbers = [{(unit, k) for k in range(a, b + 1)} for unit, a, b in (one, other)]
        return bool(numbers[0] & numbers[1])


@pytest.mark.parametrize(("writes", "reads"), [(1, 3), (4, 2), (5, 5)])
def test_order(writes, reads):
    """A burst passes in the first cycle in which the model lets it pass."""
    rng = random.Random(f"order {writes} {reads}")
    dut = BurstOrder(LineMap(rings=2, ring_lines=16), writes=writes, reads=reads)
    model, passed = Order(writes, reads), {0: 0, 1: 0}

    def some_burst():
        write = rng.randrange(2)
        first = rng.randrange(16)
        last = first if write else rng.randint(first, 15)
        return write, rng.randrange(2), first, last

    async def bench(ctx):
        burst = some_burst()
        for _ in range(1_500):
            offers, accepts = rng.random() < 0.9, rng.random() < 0.8
            write, unit, first, last = burst
            fields = {"write": write, "unit": unit, "first": first, "last": last}
            ctx.set(dut.i.p, fields | {"more": last - first})
            ctx.set(dut.i.valid, offers)
            ctx.set(dut.o.ready, accepts)
            ends = {k: bool(model.under_way[k]) and rng.random() < 0.2 for k in (0, 1)}
            ctx.set(dut.answered, ends[1])
            ctx.set(dut.arrived, ends[0])
            assert ctx.get(dut.busy) == bool(model.under_way[0] or model.under_way[1])
            may = model.passes(*burst)
            assert ctx.get(dut.o.valid) == (offers and may)
            assert ctx.get(dut.i.ready) == (accepts and may)
            for k in (0, 1):
                if ends[k]:
                    model.under_way[k].pop(0)
            if offers and may and accepts:
                model.under_way[write].append(burst[1:])
                passed[write] += 1
                burst = some_burst()
            await ctx.tick()

    simulate(dut, bench)
    assert min(passed.values()) > 100
