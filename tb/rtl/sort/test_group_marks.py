"""Checks the marks of groups against the groups in a list of cells."""

import random

import pytest

from rtl.sort.group_marks import PART, GroupMarks
from tb.bench.unit import simulate


def group_in_front(cells):
    """Returns the number of tuples of cell 0's group; a cell is (group, chunk)."""
    return next((k for k, cell in enumerate(cells) if cell != cells[0]), len(cells))


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("count", [1, 2, 7, 8, 20])
def test_the_length_of_the_group_that_leaves(count):
    """The length is right while one chunk leaves and the next one grows."""
    rng, dut = random.Random(count), GroupMarks(count)
    lengths = set()

    async def bench(ctx):
        cells, growing, begins_group = [], 0, True  # cell 0 begins a group
        for _ in range(3000):
            leaves = bool(cells) and cells[0][1] != growing
            pop = leaves and rng.random() < 0.5
            insert = len(cells) - pop < count and rng.random() < 0.6
            group = rng.randrange(rng.choice([1, 4]))
            place = sum(cell[1] != growing or cell[0] <= group for cell in cells)
            mask = (1 << count) - 1
            ctx.set(dut.same, sum((c == (group, growing)) << k for k, c in enumerate(cells)))
            ctx.set(dut.passes, mask >> place << place)
            ctx.set(dut.used, (1 << len(cells)) - 1)
            ctx.set(dut.insert, insert)
            ctx.set(dut.pop, pop)
            if leaves:
                search = ctx.get(dut.search)
                assert search["first"] == begins_group
                stops = [PART * p + s["at"] for p, s in enumerate(search["parts"]) if s["any"]]
                assert stops[0] == group_in_front(cells)
                lengths.add(stops[0])
            await ctx.tick()
            if insert:
                cells.insert(place, (group, growing))
            if pop:
                begins_group = cells.pop(0) != (cells or [None])[0]
            if rng.random() < 0.1 and (growing in (chunk for _, chunk in cells)):
                growing += 1

    simulate(dut, bench)
    assert {1, count // 2 + 1} <= lengths
