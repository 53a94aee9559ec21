"""Checks walks of cached keys through their blocks against a list of the blocks of each key."""

import random
from dataclasses import dataclass, field, replace

import pytest

from rtl.keyed.cache.block_walks import BlockWalks
from tb.bench.unit import simulate
from tb.rtl.keyed.cache.plans import plan_of

LINES, NUMBERS = 8, 1 << 8
OTHER = 7  # an entry without a place


@dataclass
class Key:
    """A key with a place: the first numbers of its blocks, and the progress of its windows.

    ``first_numbers`` has the first number of block 0, 1, ...; ``end`` is the number of the next
    value, ``next`` the beginning of the next window, ``goal`` the block in which the last window
    ended.
    ``block`` is the last block that was fed back, and ``steps`` counts the steps of all walks of
    the key. ``walks`` is false between feedback of a window that was read and the key's next
    window, because no walk makes a step then.
    """

    entry: int
    first_numbers: list = field(default_factory=lambda: [0])
    end: int = 1
    next: int = 0
    goal: int = 0
    block: int = 0
    steps: int = 0
    walks: bool = False

    @property
    def block_index(self):
        """Index of the growing block."""
        return len(self.first_numbers) - 1

    @property
    def full(self):
        """True if a new block might overwrite a block that is not free yet."""
        return self.block_index - self.block >= LINES - 2

    @property
    def reached(self):
        """Block in which the next window begins, at most the block ``goal``."""
        return max(k for k in range(self.goal + 1) if self.first_numbers[k] <= self.next)

    def feedback(self, k):
        """Returns feedback for block ``k`` of the key."""
        entry = {"block_index": k % LINES, "number": self.first_numbers[k] % NUMBERS}
        return {"index": self.entry, "entry": {"life": 5 + self.entry} | entry}


def event(rng, key, place, is_last):
    """Returns a window of the key with this place, the beginning of a block of it, or both.

    A key's last event is a window.
    """
    noted = not key.full and rng.random() < 0.5
    key.end += rng.randint(1, 9)
    if noted:
        key.first_numbers.append(key.end - 1)
    hit = is_last or rng.random() < 0.6
    payload = {"valid": 1, "noted": noted, "hit": hit, "place": place}
    payload |= {"block_index": key.block_index % LINES, "number": (key.end - 1) % NUMBERS}
    if hit:
        key.next = rng.randint(key.next, min(key.end, key.next + 60))
        key.goal, key.walks = key.block_index, True
        payload["next"] = key.next % NUMBERS
    return payload


def place_of_event(rng, cycle, cycles, places):
    """Returns the place of the key with an event in a cycle, or None: random, then each place."""
    if cycle < cycles:
        return rng.randrange(places) if rng.random() < 0.7 else None
    return cycle - cycles if cycle < cycles + places else None


def feedback_of_read(rng, keys, place, gives_way):
    """Returns feedback of a window that was read: of a key without a place, or of one of the keys.

    The walk of the key ends at this block. The key with ``place``, or None, gets no feedback. With
    ``gives_way`` some feedback only answers a request of the ring, and changes no walk.
    """
    key = rng.choice(keys)
    if gives_way and rng.random() < 0.2:
        return key.feedback(rng.randrange(key.block_index + 1)) | {"drained": 1}
    if (place is not None and key is keys[place]) or rng.random() < 0.8:
        return {"index": OTHER, "entry": {"life": 1, "block_index": rng.randrange(LINES)}}
    key.block, key.walks = rng.randint(key.block, key.reached), False
    return key.feedback(key.block)


def run(places, seed, gives_way, cycles=600):
    """Runs random windows, blocks and feedback, checks each step, and returns the keys."""
    rng = random.Random(f"{places} {seed}")
    plan = replace(plan_of(places, 4), gives_way=gives_way)
    dut, keys = BlockWalks(plan), [Key(entry=k) for k in range(places)]
    busy = rng.choice([0.1, 0.5])  # share of cycles with feedback of windows that were read

    async def bench(ctx):
        for place, key in enumerate(keys):
            ctx.set(dut.window, {"valid": 1, "claims": 1, "place": place})
            ctx.set(dut.fed.valid, 1)
            ctx.set(dut.fed.p, key.feedback(0))
            assert ctx.get(dut.feedback.valid)
            await ctx.tick()
        for cycle in range(cycles + places + 200):
            for k, key in enumerate(keys):  # a walk goes on at least until its last step
                if key.walks and key.block < key.reached:
                    assert ctx.get(dut.walking) >> k & 1
            place = place_of_event(rng, cycle, cycles, places)
            expected = None
            if rng.random() < busy and cycle < cycles:
                expected = feedback_of_read(rng, keys, place, gives_way)
                ctx.set(dut.fed.p, expected)
            ctx.set(dut.fed.valid, expected is not None)
            window = {"valid": 0, "noted": 1, "hit": 1}
            if place is not None:
                window = event(rng, keys[place], place, is_last=cycle >= cycles)
            ctx.set(dut.window, window)
            if ctx.get(dut.feedback.valid):
                fed = ctx.get(dut.feedback.p)
                if expected is None:
                    key = keys[fed.index]
                    assert key.walks
                    key.block, key.steps = key.block + 1, key.steps + 1
                    expected = key.feedback(key.block)
                assert fed.index == expected["index"]
                assert all(fed.entry[name] == n for name, n in expected["entry"].items())
            else:
                assert expected is None
            await ctx.tick()
        assert not ctx.get(dut.walking)

    simulate(dut, bench)
    return keys


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("places", [1, 2, 4])
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("gives_way", [False, True])
def test_each_walk_steps_through_all_blocks_to_the_next_window(places, seed, gives_way):
    """No step is left out, even if several walks are ready for a step in the same cycle."""
    for key in run(places, seed, gives_way):
        assert key.block == key.reached
        assert key.steps > 15
