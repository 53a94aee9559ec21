"""Checks walks of cached keys whose blocks form chains, while feedback of windows comes late."""

import random
from collections import deque
from dataclasses import dataclass, field, replace

import pytest

from rtl.keyed.cache.block_walks import BlockWalks
from rtl.keyed.codec.xor_chained import XorChained
from tb.bench.unit import simulate
from tb.rtl.keyed.cache.plans import plan_of

LINES, NUMBERS, CHAIN = 32, 1 << 8, 4


def chained_plan(places):
    """Returns a plan of rings of 32 blocks in chains of up to 4, with a cache."""
    plan = plan_of(places, 4)
    fold = replace(plan.fold, chain=CHAIN)
    return replace(plan, codec=XorChained(32, chain=CHAIN), blocks=LINES, fold=fold)


@dataclass
class Key:
    """A key: the first numbers of its blocks, which of them are heads, and its windows.

    ``end`` is the number of the next value and ``next`` the beginning of the next window. ``goal``
    is the block in which the last cached window ended. ``fed`` is the last block that was fed back,
    ``awaited`` the number of its windows that were read and have not returned.
    """

    entry: int
    life: int
    first_numbers: list = field(default_factory=lambda: [0])
    heads: list = field(default_factory=lambda: [True])
    end: int = 1
    next: int = 0
    goal: int = 0
    fed: int = 0
    awaited: int = 0
    hits: bool = False

    def first_of(self, number):
        """Returns the last block that begins at ``number`` or before it."""
        return max(k for k, begin in enumerate(self.first_numbers) if begin <= number)

    def head_of(self, block):
        """Returns the head of a block's chain."""
        return max(k for k in range(block + 1) if self.heads[k])

    @property
    def full(self):
        """True if a new block might overwrite a block that a window may need."""
        return len(self.first_numbers) - self.fed >= LINES - 2

    def take(self, rng):
        """Takes some values, and perhaps begins a block; returns the members of an event."""
        self.end += rng.randint(1, 9)
        noted = not self.full and rng.random() < 0.5
        if noted:
            self.first_numbers.append(self.end - 1)
            last = len(self.heads) - 1
            chain_is_full = last - self.head_of(last) == CHAIN - 1
            self.heads.append(chain_is_full or rng.random() < 0.1)
        self.next = rng.randint(self.next, min(self.end, self.next + 40))
        return {"noted": noted, "head": self.heads[-1], "number": (self.end - 1) % NUMBERS}

    def feedback(self, block):
        """Returns feedback for a block."""
        entry = {"block_index": block % LINES, "number": self.first_numbers[block] % NUMBERS}
        return {"index": self.entry, "entry": {"life": self.life, **entry}}


class Run:
    """Runs a key in each place, and keys without a place, and checks the feedback."""

    def __init__(self, places, seed):
        self.rng = random.Random(f"{places} {seed}")
        self.dut = BlockWalks(chained_plan(places))
        self.keys = [Key(entry=k, life=5) for k in range(places)]
        self.under_way = deque()  # windows that were read: key and block, or None for another key
        self.steps = 0

    def event(self, place):
        """Returns a window of the key at ``place``, which is read at first and then cached."""
        key, rng = self.keys[place], self.rng
        members = key.take(rng)
        block = key.first_of(key.next)
        key.hits |= rng.random() < 0.2
        kind = {"hit": 1} if key.hits else {"read": 1}
        if key.hits:
            key.goal = len(key.first_numbers) - 1
        else:
            self.under_way.append((key, block))
            key.awaited += 1
        members |= kind | {"index": key.entry, "next": key.next % NUMBERS}
        return members | {
            "valid": 1,
            "place": place,
            "block_index": (len(key.first_numbers) - 1) % LINES,
        }

    def returned(self):
        """Returns feedback of the oldest window under way, or None."""
        if not self.under_way or self.rng.random() < 0.7:
            return None
        key, block = self.under_way.popleft()
        if key is None:
            return {"index": 7, "entry": {"life": 1, "block_index": self.rng.randrange(LINES)}}
        key.awaited, key.fed = key.awaited - 1, block
        return key.feedback(block)

    def check_step(self, fed):
        """Checks the step of a walk: to the next head of a key without awaited windows."""
        key = self.keys[fed.index]
        assert key.hits
        assert not key.awaited
        following = next(k for k in range(key.fed + 1, len(key.first_numbers)) if key.heads[k])
        assert following <= min(key.goal, key.first_of(key.next))
        expected = key.feedback(following)
        assert all(fed.entry[name] == n for name, n in expected["entry"].items())
        key.fed, self.steps = following, self.steps + 1

    async def bench(self, ctx):
        dut, rng = self.dut, self.rng
        for place, key in enumerate(self.keys):
            claim = {"valid": 1, "claims": 1, "read": 1, "place": place, "index": key.entry}
            ctx.set(dut.window, claim)
            self.under_way.append((key, 0))
            key.awaited += 1
            await ctx.tick()
        for cycle in range(1200):
            event, ends = {"valid": 0}, cycle >= 800
            if not ends and rng.random() < 0.3:
                event = self.event(rng.randrange(len(self.keys)))
            elif not ends and rng.random() < 0.3:
                event = {"valid": 1, "read": 1}
                self.under_way.append((None, 0))
            ctx.set(dut.window, event)
            fed = self.returned()
            ctx.set(dut.fed.valid, fed is not None)
            if fed is not None:
                ctx.set(dut.fed.p, fed)
                assert ctx.get(dut.feedback.valid)
                assert ctx.get(dut.feedback.p.index) == fed["index"]
            elif ctx.get(dut.feedback.valid):
                self.check_step(ctx.get(dut.feedback.p))
            await ctx.tick()
        assert not self.under_way
        assert not ctx.get(dut.walking)


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("places", [1, 2, 4])
@pytest.mark.parametrize("seed", range(3))
def test_each_walk_feeds_back_heads_after_the_windows_that_were_read(places, seed):
    run = Run(places, seed)
    simulate(run.dut, run.bench)
    for key in run.keys:
        assert key.hits
        reached = key.head_of(min(key.goal, key.first_of(key.next)))
        assert key.fed >= reached
    assert run.steps > 5


def test_a_key_that_begins_anew_ends_the_walk_of_its_earlier_life():
    """The walk waits for feedback when the key begins anew; later feedback starts no step."""
    dut = BlockWalks(chained_plan(1))
    key = Key(entry=3, life=5, first_numbers=[0, 10, 20], heads=[True] * 3)
    walking = []

    async def bench(ctx):
        place = {"valid": 1, "place": 0, "index": 3}
        notes = [
            place | {"noted": 1, "head": 1, "block_index": k, "number": 10 * k} for k in (1, 2)
        ]
        hit = place | {"hit": 1, "block_index": 2, "next": 25}
        for event in (place | {"claims": 1, "read": 1}, *notes, hit):
            ctx.set(dut.window, event)
            await ctx.tick()
        ctx.set(dut.window.valid, 0)
        for begins in (0, 1, 0):
            walking.append(ctx.get(dut.walking))
            ctx.set(dut.fed.valid, begins or len(walking) == 3)
            ctx.set(dut.begins, begins)
            ctx.set(dut.fed.p, key.feedback(0))
            await ctx.tick()
        ctx.set(dut.fed.valid, 0)
        for _ in range(9):
            assert not ctx.get(dut.feedback.valid)
            await ctx.tick()

    simulate(dut, bench)
    assert walking == [1, 1, 0]


@pytest.mark.parametrize("reads", [1, 2])
def test_the_only_cached_window_is_fed_back_after_the_windows_before(reads):
    """Blocks 1 and 3 are heads; the feedback of the windows that were read comes later.

    Feedback of the first of two windows does not end the walk of the cached window after them.
    """
    dut = BlockWalks(chained_plan(1))
    key = Key(entry=3, life=5, first_numbers=[0, 10, 20, 30], heads=[True, True, False, True])
    fed_back, returns = [], (5, 12)[:reads]  # cycles of the feedback of the windows that were read

    async def bench(ctx):
        place = {"valid": 1, "place": 0, "index": 3}
        notes = [
            place
            | {"noted": 1, "head": key.heads[k], "block_index": k, "number": key.first_numbers[k]}
            for k in (1, 2, 3)
        ]
        # The walk of the place's last key has ended at block 3, as the walk of the next key will.
        ctx.set(dut.fed.valid, 1)
        ctx.set(dut.begins, 1)
        ctx.set(dut.fed.p, key.feedback(3) | {"index": 0})
        await ctx.tick()
        ctx.set(dut.fed.valid, 0)
        ctx.set(dut.begins, 0)
        claims = [place | {"claims": 1, "read": 1}, place | {"read": 1}][:reads]
        for event in (*claims, *notes, place | {"hit": 1, "block_index": 3, "next": 35}):
            ctx.set(dut.window, event)
            await ctx.tick()
        ctx.set(dut.window.valid, 0)
        for cycle in range(30):
            ctx.set(dut.fed.valid, cycle in returns)
            ctx.set(dut.fed.p, key.feedback(0))
            assert ctx.get(dut.walking) or cycle > returns[-1]
            if ctx.get(dut.feedback.valid) and cycle not in returns:
                assert cycle > returns[-1]
                fed_back.append(ctx.get(dut.feedback.p.entry.number))
            await ctx.tick()
        assert not ctx.get(dut.walking)

    simulate(dut, bench)
    assert fed_back == [10, 30]
