"""Checks how the oldest block of a full ring gives way, with a collector that answers late."""

import random
from collections import deque

import pytest
from amaranth.lib import data

from rtl.keyed.cache.no_cache import NoCache
from rtl.keyed.codec.base_delta.base_delta import BaseDelta
from rtl.keyed.store.blocks.block_ring import BlockRing
from rtl.keyed.store.blocks.ring_plan import RingPlan
from tb.bench.sides import Rules, Sink, Source, as_unsigned
from tb.bench.unit import simulate
from tb.rtl.keyed.store.blocks.key_bursts import ENTRIES, values_of

HANG = 200
#: Values in each block, in the answers of the collector.
BLOCK_VALUES = 5


class Collector:
    """Model of the data collector: it answers windows and requests in order, each after any time.

    Blocks are counted without wrapping: ``grows`` is the growing block of each key, ``first`` the
    first block of the key that was fed back or that is left after blocks gave way. A key whose
    number is odd needs old blocks for long, so its ring overflows.
    """

    def __init__(self, rng, blocks):
        self.rng, self.blocks = rng, blocks
        self.grows, self.first, self.life = [0] * ENTRIES, [0] * ENTRIES, [0] * ENTRIES
        self.life_begins = [0] * ENTRIES
        #: For each key, pairs (first, overflow): its begin, and all feedback of this life.
        self.fed = [set() for _ in range(ENTRIES)]
        self.pending = deque()
        self.drains = self.drops = 0

    def next_feedback(self):
        if not self.pending or self.rng.random() < 0.8:
            return None
        kind, entry, life, grows = self.pending.popleft()
        if kind == "drain":
            self.drains += 1
            return {"index": 0, "entry": {}, "drained": 1}
        if kind == "drop":
            # The feedback of all earlier windows has come, and the ring is still full.
            assert grows - self.first[entry] == self.blocks
            self.drops += 1
            self.first[entry] += 1
        elif life == self.life[entry]:
            low, high = self.first[entry], max(self.first[entry], grows - self.blocks + 1)
            self.first[entry] = self.rng.randint(high, grows) if entry == 0 else low
        else:
            return None
        place = {"life": life, "block_index": self.first[entry] % self.blocks}
        self.fed[entry].add((self.first[entry], kind == "drop"))
        number = {"number": BLOCK_VALUES * self.first[entry], "overflow": kind == "drop"}
        return {"index": entry, "entry": place | number, "drained": 0}

    def check_output(self, output):
        entry, kind = output["entry"], "window"
        request = output["ring_request"]
        if request["drain"] or request["drop"]:
            kind = "drain" if request["drain"] else "drop"
            assert request["drop"] or output["first"]["block_index"] == 0
            grows = self.grows[entry] + 1  # the waiting value closes this block
            if kind == "drop":
                assert output["first"]["block_index"] == self.first[entry] % self.blocks
                assert output["block_index"] == grows % self.blocks
            self.pending.append((kind, entry, output["first"]["life"], grows))
            return False
        self.grows[entry] += output["closes"]
        if output["fresh"]:
            self.life[entry] += 1
            self.first[entry] = self.life_begins[entry] = self.grows[entry]
            self.fed[entry] = {(self.life_begins[entry], False)}
        lies, first = self.grows[entry], output["first"]
        assert output["block_index"] == lies % self.blocks
        assert first["life"] == self.life[entry]
        assert output["blocks"] == (output["block_index"] - first["block_index"]) % self.blocks
        assert output["any"] == (output["blocks"] > 0)
        first_block = lies - output["blocks"]
        if first_block > self.life_begins[entry]:
            assert first["number"] == BLOCK_VALUES * first_block
        assert (first_block, first["overflow"]) in self.fed[entry]
        # No block before the first needed one gives way, and none that is read was overwritten.
        assert self.life_begins[entry] <= first_block <= self.first[entry]
        assert lies - self.first[entry] < self.blocks
        if self.rng.random() < 0.3:
            self.pending.append((kind, entry, self.life[entry], lies))
        return True


@pytest.mark.in_turn(5)
@pytest.mark.parametrize(
    "blocks", [3, *(pytest.param(n, marks=pytest.mark.regress) for n in (2, 4, 7))]
)
def test_the_oldest_block_of_a_full_ring_gives_way(blocks):
    rng = random.Random(blocks)
    plan = RingPlan(
        codec=BaseDelta(32), entries=ENTRIES, blocks=blocks, number_bits=14, gives_way=True
    )
    dut = BlockRing(plan, 10)
    values = values_of(rng, 500, fresh_share=0.02)
    collector, rules = Collector(rng, blocks), Rules("o")
    source, sink = Source(dut.i, values, 0.2, rng), Sink(dut.o, 0.3, rng)

    async def bench(ctx):
        cycle = moved = passed = 0
        fed = dut.feedback
        while passed < len(values):
            for side in (source, sink):
                side.drive(ctx)
            feedback = collector.next_feedback()
            ctx.set(fed.valid, feedback is not None)
            if feedback is not None:
                ctx.set(fed.p, feedback)
            ports = [p for s in (dut.i, dut.o) for p in (s.valid, s.ready, as_unsigned(s.p))]
            _, _, *sampled = await ctx.tick().sample(*ports)
            rules.sample(cycle, *sampled[3:])
            source.sample(cycle, *sampled[:3])
            if sink.sample(cycle, *sampled[3:]):
                output = sink.run.payloads[-1]
                if collector.check_output(output):
                    assert output["passenger"] == passed
                    passed += 1
                moved = cycle
            cycle += 1
            assert cycle - moved < HANG, "hang"
        assert collector.drops > 20
        assert collector.drains > collector.drops

    simulate(dut, bench)


class SomeCache(NoCache):
    """Stands for a cache: the ring only reads ``stores_values``, which is true."""

    stores_values = True


def some_times(rng, count, blocks):
    """Returns values of windows of time: each key closes a window before its ring is full.

    At most ``blocks`` - 2 values in a row close a block of a key and no window.
    """
    values, since = values_of(rng, count, fresh_share=0.02), [0] * ENTRIES
    for number, value in enumerate(values):
        entry, closes = value["entry"], 0
        if value["fresh"]:
            since[entry] = 0
        elif since[entry] + value["closes"] > blocks - 2 or rng.random() < 0.2:
            closes, since[entry] = 1, 0
        else:
            since[entry] += value["closes"]
        value["passenger"] = {"closes": closes, "number": number}
    return values


@pytest.mark.parametrize("blocks", [4, pytest.param(8, marks=pytest.mark.regress)])
def test_a_window_goes_before_a_value_that_waits_for_room(blocks):
    """Only the feedback of a window frees blocks: all blocks before the value of the window.

    Each window, and each value, comes once, in order, and no block overwrites a block that a window
    still needs.
    """
    rng = random.Random(blocks)
    codec = BaseDelta(32, stamp_bits=6)
    sizes = {"entries": ENTRIES, "blocks": blocks, "number_bits": 14}
    plan = RingPlan(codec=codec, cache=SomeCache(), **sizes)
    dut = BlockRing(plan, data.StructLayout({"closes": 1, "number": 10}))
    values, rules = some_times(rng, 600, blocks), Rules("o")
    source, sink = Source(dut.i, values, 0.1, rng), Sink(dut.o, 0.3, rng)
    pending, grows, first, life = deque(), [0] * ENTRIES, [0] * ENTRIES, [0] * ENTRIES
    fed = [set() for _ in range(ENTRIES)]  # first blocks of this life: its begin, and feedback
    early = []

    def check(output):
        """Checks an item of the ring; returns whether it has the value."""
        entry, number = output["entry"], output["passenger"]["number"]
        if output["fresh"]:
            life[entry] += 1
            first[entry] = grows[entry]
            fed[entry] = {grows[entry]}
        begin = output["first"]["block_index"]
        if not output["late"]:
            assert output["blocks"] == (grows[entry] - begin) % blocks
            assert grows[entry] - output["blocks"] in fed[entry]
            assert output["any"] == (output["blocks"] > 0)
            if output["passenger"]["closes"]:
                pending.append((entry, life[entry], grows[entry]))
        if output["early"]:
            early.append(number)
            return False
        assert output["late"] == (early[-1:] == [number])
        grows[entry] += output["closes"]
        assert output["block_index"] == grows[entry] % blocks
        assert grows[entry] - first[entry] < blocks
        return True

    def feedback():
        if not pending or rng.random() < 0.9:
            return None
        entry, of_life, index = pending.popleft()
        if of_life == life[entry]:
            first[entry] = index
            fed[entry].add(index)
        place = {"life": of_life % 4096, "block_index": index % blocks, "number": 0}
        return {"index": entry, "entry": place}

    async def bench(ctx):
        cycle = moved = passed = 0
        while passed < len(values):
            for side in (source, sink):
                side.drive(ctx)
            answer = feedback()
            ctx.set(dut.feedback.valid, answer is not None)
            if answer is not None:
                ctx.set(dut.feedback.p, answer)
            ports = [p for s in (dut.i, dut.o) for p in (s.valid, s.ready, as_unsigned(s.p))]
            _, _, *sampled = await ctx.tick().sample(*ports)
            rules.sample(cycle, *sampled[3:])
            source.sample(cycle, *sampled[:3])
            if sink.sample(cycle, *sampled[3:]):
                output = sink.run.payloads[-1]
                assert output["passenger"]["number"] == passed
                passed += check(output)
                moved = cycle
            cycle += 1
            assert cycle - moved < HANG, "hang"
        assert len(early) >= 10

    simulate(dut, bench)
