"""Checks walks of cached keys through their blocks against a list of the blocks of each key."""

import random
from dataclasses import dataclass, field

import pytest

from rtl.keyed.cache.block_walks import BlockWalks
from tb.bench.unit import simulate
from tb.rtl.keyed.cache.plans import plan_of

LINES, NUMBERS = 8, 1 << 8
OTHER = 7  # an entry without a place


@dataclass
class Key:
    """A key with a place: the first numbers of its blocks, and the progress of its windows.

    ``begins`` has the first number of block 0, 1, ...; ``end`` is the number of the next value,
    ``next`` the beginning of the next window, ``goal`` the block in which the last window ended.
    ``steps`` has the blocks that were fed back.
    """

    entry: int
    begins: list = field(default_factory=lambda: [0])
    end: int = 1
    next: int = 0
    goal: int = 0
    steps: list = field(default_factory=list)

    @property
    def block_index(self):
        """Index of the growing block."""
        return len(self.begins) - 1

    @property
    def full(self):
        """True if a new block might overwrite a block that is not free yet."""
        return self.block_index - len(self.steps) >= LINES - 2

    @property
    def reached(self):
        """Block in which the next window begins, at most the block ``goal``."""
        return max(k for k in range(self.goal + 1) if self.begins[k] <= self.next)


def event(rng, keys):
    """Returns a window of one of the keys, the beginning of a block of the key, or both."""
    place = rng.randrange(len(keys))
    key = keys[place]
    noted = not key.full and rng.random() < 0.5
    key.end += rng.randint(1, 9)
    if noted:
        key.begins.append(key.end - 1)
    hit = rng.random() < 0.6
    payload = {"valid": 1, "noted": noted, "hit": hit, "place": place}
    payload |= {"block_index": key.block_index % LINES, "last": (key.end - 1) % NUMBERS}
    if hit:
        key.next = rng.randint(key.next, min(key.end, key.next + 60))
        key.goal = key.block_index
        payload["next"] = key.next % NUMBERS
    return payload


def run(places, seed, cycles=600):
    """Runs random windows and blocks; returns the keys.

    In a random share of the cycles another key's block is fed back.
    """
    rng = random.Random(f"{places} {seed}")
    dut, keys = BlockWalks(plan_of(places, 4)), [Key(entry=k) for k in range(places)]
    busy = rng.choice([0.1, 0.5])  # share of cycles with feedback of another key

    async def bench(ctx):
        for place, key in enumerate(keys):
            ctx.set(dut.window, {"valid": 1, "takes": 1, "place": place})
            ctx.set(dut.fed.valid, 1)
            ctx.set(dut.fed.p, {"index": key.entry, "entry": {"life": 5 + place}})
            assert ctx.get(dut.feedback.valid)
            await ctx.tick()
        for cycle in range(cycles + 200):
            feeds = rng.random() < busy
            other = {"index": OTHER, "entry": {"life": 1, "block_index": rng.randrange(LINES)}}
            ctx.set(dut.fed.valid, feeds)
            ctx.set(dut.fed.p, other)
            moves = cycle < cycles and rng.random() < 0.7
            ctx.set(dut.window, event(rng, keys) if moves else {"valid": 0, "noted": 1, "hit": 1})
            valid, fed = ctx.get(dut.feedback.valid), ctx.get(dut.feedback.p)
            if feeds:
                assert valid
                assert fed.index == OTHER
                assert fed.entry.block_index == other["entry"]["block_index"]
            elif valid:
                keys[fed.index].steps.append(
                    (fed.entry.life, fed.entry.block_index, fed.entry.number)
                )
            await ctx.tick()
        assert not ctx.get(dut.walking)

    simulate(dut, bench)
    return keys


@pytest.mark.parametrize("places", [1, 2, 4])
@pytest.mark.parametrize("seed", range(2))
def test_each_walk_steps_through_all_blocks_to_the_next_window(places, seed):
    """No step is left out, even if several walks are ready for a step in the same cycle."""
    for place, key in enumerate(run(places, seed)):
        blocks = range(1, key.reached + 1)
        life = 5 + place
        assert key.steps == [(life, k % LINES, key.begins[k] % NUMBERS) for k in blocks]
        assert len(key.steps) > 15
