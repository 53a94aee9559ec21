"""Checks how the oldest block of a full ring gives way, with a collector that answers late."""

import random
from collections import deque

import pytest

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
        self.begun = [0] * ENTRIES
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
            # All windows before were fed back, and the ring is still full.
            assert grows - self.first[entry] == self.blocks
            self.drops += 1
            self.first[entry] += 1
        elif life == self.life[entry]:
            low, high = self.first[entry], max(self.first[entry], grows - self.blocks + 1)
            self.first[entry] = self.rng.randint(high, grows) if entry == 0 else low
        else:
            return None
        place = {"life": life, "block_index": self.first[entry] % self.blocks}
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
            self.first[entry] = self.begun[entry] = self.grows[entry]
        lies, first = self.grows[entry], output["first"]
        assert output["block_index"] == lies % self.blocks
        assert first["life"] == self.life[entry]
        assert output["blocks"] == (output["block_index"] - first["block_index"]) % self.blocks
        assert output["any"] == (output["blocks"] > 0)
        first_block = lies - output["blocks"]
        if first_block > self.begun[entry]:
            assert first["number"] == BLOCK_VALUES * first_block
        # No block before the first needed one gives way, and none that is read was overwritten.
        assert self.begun[entry] <= first_block <= self.first[entry]
        assert lies - self.first[entry] < self.blocks
        if self.rng.random() < 0.3:
            self.pending.append((kind, entry, self.life[entry], lies))
        return True


@pytest.mark.parametrize(
    "blocks", [3, *(pytest.param(n, marks=pytest.mark.regress) for n in (2, 4, 7))]
)
def test_the_oldest_block_of_a_full_ring_gives_way(blocks):
    rng = random.Random(blocks)
    plan = RingPlan(
        codec=BaseDelta(32), entries=ENTRIES, blocks=blocks, number_bits=14, gives_way=True
    )
    dut = BlockRing(plan, 10)
    values, collector, rules = values_of(rng, 500, begins=0.02), Collector(rng, blocks), Rules("o")
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
