"""Checks the names that entered last against a list."""

import random

import pytest

from rtl.keyed.store.lines.recent_words import Recent
from tb.bench.unit import simulate


@pytest.mark.parametrize(("slots", "width"), [(2, 3), (8, 2), (4, 7)])
def test_the_youngest_of_a_name_is_found(slots, width):
    rng, dut = random.Random(f"{slots} {width}"), Recent(width, slots)
    names = [rng.getrandbits(width) for _ in range(3)]
    entered, seen = [], {0: 0, 1: 0}

    async def bench(ctx):
        for _ in range(600):
            name, named, enters = rng.choice(names), rng.random() < 0.7, rng.random() < 0.7
            ctx.set(dut.name, name)
            ctx.set(dut.named, named)
            ctx.set(dut.enter, enters)
            first = max(0, len(entered) - slots)
            places = [at for at in range(first, len(entered)) if entered[at] == name]
            is_found = ctx.get(dut.found)
            assert (is_found, ctx.get(dut.slot)) == ((1, places[-1] % slots) if places else (0, 0))
            seen[is_found] += 1
            await ctx.tick()
            if enters:
                entered.append(name if named else None)

    simulate(dut, bench)
    assert min(seen.values()) > 20


@pytest.mark.parametrize("slots", [0, 1, 12])
def test_slots_that_cannot_be(slots):
    with pytest.raises(
        ValueError, match=f"slots must be a power of two of at least 2, not {slots}"
    ):
        Recent(4, slots)
