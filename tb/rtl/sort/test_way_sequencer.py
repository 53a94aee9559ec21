"""Checks the order of a way merger's requests against a walk over the tree."""

import random
from itertools import pairwise

import pytest

from rtl.sort.way_sequencer import WaySequencer
from tb.bench.unit import simulate


def walk(levels, lists, rows):
    """Yields (level, list, place) of each request of a job of ``lists`` lists and ``rows`` rows."""
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
    """Returns the requests of each job, with their cycles; a job is (lists, rows of the last)."""
    dut = WaySequencer(ways, list_rows, ways * list_rows)
    levels, rng, requested = ways.bit_length() - 1, random.Random(seed), []

    async def bench(ctx):
        for lists, tail in jobs:
            requested.append([])
            ctx.set(dut.job.p, {"base": 0, "lists": lists, "tail": tail})
            ctx.set(dut.job.valid, 1)
            await ctx.tick().until(dut.job.ready)
            ctx.set(dut.job.valid, 0)
            available, wait_cycles, cycle = 0, pause, 0
            while not ctx.get(dut.job.ready):
                cycle += 1
                if wait_cycles:
                    wait_cycles -= 1
                elif available < lists:
                    available, wait_cycles = available + 1, pause
                ctx.set(dut.available, available)
                advances = rng.random() >= stall
                ctx.set(dut.advance, advances)
                previous, offer = ctx.get(dut.requested), ctx.get(dut.offer)
                await ctx.tick()
                if not advances:
                    assert ctx.get(dut.requested) == previous
                    continue
                new_levels = ctx.get(dut.requested) & ~(previous << 1)
                if new_levels:
                    assert new_levels == offer["level"]
                    level = new_levels.bit_length() - 1
                    assert level < levels or offer["list"] < available
                    requested[-1].append((level, offer["list"], offer["place"], cycle))

    simulate(dut, bench)
    return requested


@pytest.mark.parametrize(("ways", "list_rows"), [(2, 4), (4, 2), (16, 1), (8, 4)])
@pytest.mark.parametrize(("stall", "pause"), [(0.0, 0), (0.4, 0), (0.0, 9), (0.3, 3)])
def test_from_below_then_the_top(ways, list_rows, stall, pause):
    levels, rng = ways.bit_length() - 1, random.Random(ways)
    jobs = [(lists, rng.randint(1, list_rows)) for lists in range(1, ways + 1)]
    requested = run(ways, list_rows, jobs, stall=stall, pause=pause)
    for (lists, tail), requests in zip(jobs, requested, strict=True):
        rows = (lists - 1) * list_rows + tail
        walked = list(walk(levels, lists, rows))
        assert len(requests) == len(walked)
        for (level, list_, place, _), (*walked_level, node, walked_place) in zip(
            requests, walked, strict=True
        ):
            assert [level] == walked_level
            assert node is None or (list_, place) == (node, walked_place)


def test_three_lists_by_hand():
    """The requests are those of the docstring, in cycles in which no level above has a request."""
    (requests,) = run(4, 2, [(3, 1)])
    assert [g[:3] for g in requests[:10]] == [
        *((2, 0, 0), (2, 0, 1), (2, 1, 0), (2, 1, 1), (1, 1, 0), (1, 1, 1)),
        *((2, 2, 0), (2, 2, 1), (1, 2, 0), (1, 2, 1)),
    ]
    assert [g[0] for g in requests[10:]] == [0] * 5
    # The fetches of list 2 wait for two fetches that the nodes request.
    cycles = [g[3] for g in requests]
    assert [b - a for a, b in pairwise(cycles[:7])] == [1, 1, 1, 1, 1, 2]
    assert cycles[10:] == list(range(cycles[10], cycles[10] + 5))


def test_an_aborted_job_is_forgotten():
    dut = WaySequencer(4, 2, 8)

    async def bench(ctx):
        ctx.set(dut.advance, 1)
        ctx.set(dut.job.p, {"base": 0, "lists": 3, "tail": 2})
        for delay in (0, 2):  # while the job is taken, and 2 cycles later
            ctx.set(dut.available, 1)
            ctx.set(dut.job.valid, 1)
            assert ctx.get(dut.job.ready)
            ctx.set(dut.abort, not delay)
            await ctx.tick()
            ctx.set(dut.job.valid, 0)
            if delay:
                await ctx.tick().repeat(delay)
                assert not ctx.get(dut.job.ready)
                assert ctx.get(dut.requested)
                ctx.set(dut.abort, 1)
                await ctx.tick()
            ctx.set(dut.abort, 0)
            assert ctx.get(dut.job.ready)
            assert not ctx.get(dut.requested)

    simulate(dut, bench)
