"""Checks the sorted values of cached keys by sorted lists of the values of each window."""

import random

import pytest

from rtl.keyed.cache.sorted_values import SortedValues
from tb.bench.unit import collect, put, run_stream, simulate
from tb.rtl.keyed.cache.plans import cache_of
from tb.rtl.keyed.cache.sorted_changes import FRACTIONS, TIMES, payloads, row_changes, time_changes

REGRESS = pytest.mark.regress
#: Places of the cache, and cells of a line, of 16 cells of a place.
SIZES = [(2, 4), (2, 1), *(pytest.param(*size, marks=REGRESS) for size in ((1, 16), (3, 8)))]


def check(plan, changes, answers, seed, **stalls):
    """Runs the changes, and checks the percentiles."""
    run = run_stream(
        SortedValues(plan), payloads(changes), expected=len(answers), seed=seed, **stalls
    )
    assert [list(payload) for payload in run.payloads] == answers


@pytest.mark.parametrize(("places", "lanes"), SIZES)
@pytest.mark.parametrize("size", [5, 16, pytest.param(1, marks=REGRESS)])
def test_windows_of_rows(places, lanes, size):
    rng, plan = random.Random(f"{places} {lanes} {size}"), cache_of(places, lanes, FRACTIONS)
    changes, answers = row_changes(rng, places, size, 160)
    assert len(answers) > 40
    check(plan, changes, answers, size, stall_in=0.2, stall_out=0.3)


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("joins", [True, pytest.param(False, marks=REGRESS)])
@pytest.mark.parametrize(("places", "lanes"), SIZES)
def test_windows_of_time(places, lanes, joins):
    """Values come out of order, several windows close at once, and numbers of slides jump."""
    plan = cache_of(places, lanes, FRACTIONS, TIMES)
    rng = random.Random(f"{places} {lanes} {joins}")
    changes, answers = time_changes(rng, places, 300, joins)
    assert len(answers) > 40
    check(plan, changes, answers, places, stall_in=0.2, stall_out=0.3)


def test_nothing_is_lost_while_no_percentiles_are_taken():
    """The output is blocked until more windows wait than the queue has places.

    Before, percentiles are taken in cycles in which other windows come.
    """
    plan = cache_of(1, 16, FRACTIONS)
    changes, answers = row_changes(random.Random(5), 1, 2, 260)
    dut, results = SortedValues(plan), []

    async def late(ctx):
        for count in (50, len(answers) - 50):
            run = await collect(ctx, dut.o, count)
            results.extend(list(payload) for payload in run.payloads)
            await ctx.tick().repeat(300)

    async def feed(ctx):
        await put(ctx, dut.i, changes)

    async def limit(ctx):  # a lost answer would be waited for without end
        await ctx.tick().repeat(1_000)
        assert len(results) == len(answers)

    assert len(answers) > 50 + 70
    simulate(dut, feed, late, limit)
    assert results == answers
