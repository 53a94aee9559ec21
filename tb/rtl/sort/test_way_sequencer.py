"""The order in which a way merger's levels are asked, against a walk over the tree."""

import random
from itertools import pairwise

import pytest

from rtl.sort.way_sequencer import WaySequencer
from tb.bench.unit import simulate


def walk(levels, lists, rows):
    """(level, list, place) of each request of a job of so many lists and ``rows`` in all."""
    for list_ in range(lists):
        level = levels
        yield from ((level, list_, place) for place in (0, 1))
        while level and (list_ >> levels - level & 1 or list_ == lists - 1):
            level -= 1
            if lists <= 1 << levels - level:  # the node has all lists under it
                yield from [(level, None, None)] * rows
                return
            yield from ((level, list_, place) for place in (0, 1))


def run(ways, list_rows, jobs, *, stall=0.0, pause=0, seed=0):
    """What is asked for each job of (lists, rows of the last one), and in which cycles."""
    dut = WaySequencer(ways, list_rows, ways * list_rows)
    levels, rng, asked = ways.bit_length() - 1, random.Random(seed), []

    async def bench(ctx):
        for lists, tail in jobs:
            asked.append([])
            ctx.set(dut.job.p, {"base": 0, "lists": lists, "tail": tail})
            ctx.set(dut.job.valid, 1)
            await ctx.tick().until(dut.job.ready)
            ctx.set(dut.job.valid, 0)
            there, wait, cycle = 0, pause, 0
            while not ctx.get(dut.job.ready):
                cycle += 1
                if wait:
                    wait -= 1
                elif there < lists:
                    there, wait = there + 1, pause
                ctx.set(dut.available, there)
                moves = rng.random() >= stall
                ctx.set(dut.go, moves)
                before, ask = ctx.get(dut.asked), ctx.get(dut.ask)
                await ctx.tick()
                if not moves:
                    assert ctx.get(dut.asked) == before
                    continue
                new = ctx.get(dut.asked) & ~(before << 1)
                if new:
                    assert new == ask["level"]
                    level = new.bit_length() - 1
                    assert level < levels or ask["list"] < there
                    asked[-1].append((level, ask["list"], ask["place"], cycle))

    simulate(dut, bench)
    return asked


@pytest.mark.parametrize(("ways", "list_rows"), [(2, 4), (4, 2), (16, 1), (8, 4)])
@pytest.mark.parametrize(("stall", "pause"), [(0.0, 0), (0.4, 0), (0.0, 9), (0.3, 3)])
def test_from_below_then_the_top(ways, list_rows, stall, pause):
    levels, rng = ways.bit_length() - 1, random.Random(ways)
    jobs = [(lists, rng.randint(1, list_rows)) for lists in range(1, ways + 1)]
    asked = run(ways, list_rows, jobs, stall=stall, pause=pause)
    for (lists, tail), got in zip(jobs, asked, strict=True):
        rows = (lists - 1) * list_rows + tail
        want = list(walk(levels, lists, rows))
        assert len(got) == len(want)
        for (level, list_, place, _), (*wanted, node, at) in zip(got, want, strict=True):
            assert [level] == wanted
            assert node is None or (list_, place) == (node, at)


def test_three_lists_by_hand():
    """As in the docstring, and in the cycles in which nobody above asks."""
    (got,) = run(4, 2, [(3, 1)])
    assert [g[:3] for g in got[:10]] == [
        *((2, 0, 0), (2, 0, 1), (2, 1, 0), (2, 1, 1), (1, 1, 0), (1, 1, 1)),
        *((2, 2, 0), (2, 2, 1), (1, 2, 0), (1, 2, 1)),
    ]
    assert [g[0] for g in got[10:]] == [0] * 5
    # The fetches of list 2 wait until the two that the nodes ask for are done.
    cycles = [g[3] for g in got]
    assert [b - a for a, b in pairwise(cycles[:7])] == [1, 1, 1, 1, 1, 2]
    assert cycles[10:] == list(range(cycles[10], cycles[10] + 5))


def test_an_aborted_job_is_forgotten():
    dut = WaySequencer(4, 2, 8)

    async def bench(ctx):
        ctx.set(dut.go, 1)
        ctx.set(dut.job.p, {"base": 0, "lists": 3, "tail": 2})
        for late in (0, 2):  # while it is taken, and afterwards
            ctx.set(dut.available, 1)
            ctx.set(dut.job.valid, 1)
            assert ctx.get(dut.job.ready)
            ctx.set(dut.abort, not late)
            await ctx.tick()
            ctx.set(dut.job.valid, 0)
            if late:
                await ctx.tick().repeat(late)
                assert not ctx.get(dut.job.ready)
                assert ctx.get(dut.asked)
                ctx.set(dut.abort, 1)
                await ctx.tick()
            ctx.set(dut.abort, 0)
            assert ctx.get(dut.job.ready)
            assert not ctx.get(dut.asked)

    simulate(dut, bench)
