"""Counters in a memory: each read returns the exact total of its first cycle, and each copy that of
the snapshot, while events, reads, snapshots and clears come at random and as fast as they may."""

import random
from dataclasses import dataclass, field

import pytest

from rtl.bus.counter_memory import CounterMemory, recent_bits
from rtl.contract.counters import Counter
from tb.bench.unit import simulate

#: Cycles from the first cycle of a read's visit, whose total the read returns, to its value.
READ = 3


def counters_of(count):
    """Returns counters of different widths; the low word of the last overflows every 2 cycles."""
    increments = [(1, 4, 17)[k % 3] for k in range(count - 1)] + [(1 << 31) - 1]
    return [
        Counter(name=f"c{k}", doc="an event", max_increment=increment)
        for k, increment in enumerate(increments)
    ]


@dataclass
class Model:
    """Totals and copies at the beginning of each cycle, one list of numbers for each cycle."""

    count: int
    totals: list = field(default_factory=list)
    copies: list = field(default_factory=list)

    def __post_init__(self):
        self.totals.append([0] * self.count)
        self.copies.append(None)

    def step(self, increments, clear, snapshot):
        totals = self.totals[-1]
        self.copies.append(totals if snapshot else self.copies[-1])
        self.totals.append(
            [0] * self.count if clear else [a + b for a, b in zip(totals, increments, strict=True)]
        )


@dataclass(frozen=True)
class Traffic:
    """Probabilities of each cycle; ``full`` is that of the largest increment."""

    full: float
    read: float
    snapshot: float = 0.0
    clear: float = 0.0


TRAFFIC = {
    "events": Traffic(full=1, read=0),
    "reads": Traffic(full=1, read=1),
    "snapshots": Traffic(full=1, read=1, snapshot=1),
    "few snapshots": Traffic(full=1, read=1, snapshot=0.02),
    "random": Traffic(full=0.3, read=0.3, snapshot=0.004, clear=0.002),
    "clears": Traffic(full=0.5, read=0.9, snapshot=0.03, clear=0.02),
}


class Driver:
    """Drives random traffic, and compares each read with the model.

    After a clear the copies are not shown until the next snapshot, as the registers do it.
    """

    def __init__(self, count, traffic, seed):
        self.counters, self.traffic = counters_of(count), traffic
        self.rng, self.model = random.Random(seed), Model(count)
        self.dut = CounterMemory(self.counters)
        self.copy_flags, self.reads, self.copies_read, self.longest_read = [], 0, 0, 0

    def chance(self, probability):
        return self.rng.random() < probability

    def increments(self):
        return [
            c.max_increment if self.chance(self.traffic.full) else self.rng.choice((0, 0, 1))
            for c in self.counters
        ]

    async def cycle(self, ctx, index, *, clear=False, snapshot=False, shows_copy=False):
        """Runs a cycle that reads the counter ``index`` or None; returns True if the read is
        done."""
        dut, increments = self.dut, self.increments()
        for counter, increment in zip(self.counters, increments, strict=True):
            ctx.set(dut.increments[counter.name], increment)
        ctx.set(dut.clear, clear)
        ctx.set(dut.snapshot, snapshot)
        ctx.set(dut.shows_snapshot, shows_copy)
        ctx.set(dut.read, index is not None)
        ctx.set(dut.index, index or 0)
        self.copy_flags.append(shows_copy)
        _, _, is_complete, value = await ctx.tick().sample(dut.done, dut.value)
        if is_complete:
            assert index is not None
            first = len(self.copy_flags) - 1 - READ
            values = self.model.copies if self.copy_flags[first] else self.model.totals
            assert value == values[first][index]
            self.reads += 1
            self.copies_read += self.copy_flags[first]
        self.model.step(increments, clear, snapshot)
        return is_complete

    async def run(self, ctx, cycles):
        index, wants_copy, snapshot, has_copy, wait = None, False, False, False, 0
        for _ in range(cycles):
            clear = self.chance(self.traffic.clear)
            snapshot = self.chance(self.traffic.snapshot) and not snapshot
            if index is None and self.chance(self.traffic.read):
                index, wait = self.rng.randrange(len(self.counters)), 0
                wants_copy = self.chance(0.6)
            shows_copy = has_copy and wants_copy
            is_complete = await self.cycle(
                ctx, index, clear=clear, snapshot=snapshot, shows_copy=shows_copy
            )
            has_copy = (has_copy or snapshot) and not clear
            # The turns begin again with each snapshot and each clear.
            wait = 1 if snapshot or clear else wait + 1
            if is_complete:
                index, self.longest_read = None, max(self.longest_read, wait)
                await self.cycle(ctx, None)
                snapshot = False
        await self.read_all(ctx, index)

    async def read_all(self, ctx, index):
        """Ends the read under way, and reads every counter."""
        for counter in (index, *range(len(self.counters))):
            is_complete = counter is None
            while not is_complete:
                is_complete = await self.cycle(ctx, counter)
            await self.cycle(ctx, None)


@pytest.mark.in_turn
@pytest.mark.parametrize("traffic", TRAFFIC)
@pytest.mark.parametrize(("count", "cycles"), [(1, 800), (2, 800), (5, 3000), (41, 700)])
def test_every_read_is_exact(count, cycles, traffic):
    driver = Driver(count, TRAFFIC[traffic], seed=count)

    async def bench(ctx):
        await driver.run(ctx, cycles)

    simulate(driver.dut, bench)
    assert driver.reads >= count
    if traffic in ("few snapshots", "clears") and count < 41:
        assert driver.copies_read > 5
    # A visit with a copy and a delay by a snapshot takes 7 cycles; earlier visits and the read 16.
    assert driver.longest_read <= 7 * count + 16


def test_recent_has_bits_for_the_longest_round():
    """41 counters have their turns within 12 * 41 cycles: 492 single events need 9 bits."""
    assert recent_bits(Counter(name="one", doc="an event"), 41) == 9
    assert recent_bits(Counter(name="two", doc="an event", max_increment=2), 41) == 10


def test_counters_are_needed():
    with pytest.raises(ValueError, match="counters must be at least one"):
        CounterMemory(())
