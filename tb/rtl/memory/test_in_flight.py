"""What is in flight against a list of it."""

import random

import pytest

from rtl.memory.in_flight import InFlight
from tb.harness.unit import simulate


@pytest.mark.parametrize(("slots", "width"), [(2, 3), (8, 2), (4, 7)])
def test_the_youngest_of_a_name_is_found(slots, width):
    rng, dut = random.Random(f"{slots} {width}"), InFlight(width, slots)
    names = [rng.getrandbits(width) for _ in range(3)]
    inside, number, seen = [], 0, 0  # (slot, name or None), the oldest first

    async def bench(ctx):
        nonlocal number, seen
        for cycle in range(600):
            busy = cycle // 50 % 2  # sometimes nearly full, sometimes nearly empty
            name, named = rng.choice(names), rng.random() < 0.8
            enters = len(inside) < slots and rng.random() < (0.9 if busy else 0.4)
            leaves = bool(inside) and rng.random() < (0.4 if busy else 0.9)
            for signal, value in (("name", name), ("named", named)):
                ctx.set(getattr(dut, signal), value)
            ctx.set(dut.enter, enters)
            ctx.set(dut.leave, leaves)
            found, slot, full, empty = (
                ctx.get(signal) for signal in (dut.found, dut.slot, dut.full, dut.empty)
            )
            wanted = [at for at, known in inside if known == name]
            assert (found, slot) == ((1, wanted[-1]) if wanted else (0, 0))
            assert (full, empty) == (len(inside) == slots, not inside)
            seen += len(wanted) > 1
            await ctx.tick()
            if leaves:
                inside.pop(0)
            if enters:
                inside.append((number % slots, name if named else None))
                number += 1

    simulate(dut, bench)
    assert number > 3 * slots
    assert seen > 10 or slots == 2


@pytest.mark.parametrize("slots", [0, 1, 12])
def test_slots_that_cannot_be(slots):
    with pytest.raises(
        ValueError, match=f"slots must be a power of two of at least 2, not {slots}"
    ):
        InFlight(4, slots)
