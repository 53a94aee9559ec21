"""Checks where blocks lie in the rings of their keys, against counts, with late feedback."""

import random

from rtl.keyed.codec.base_delta.base_delta import BaseDelta
from rtl.keyed.store.blocks.block_ring import BlockRing
from rtl.keyed.store.blocks.ring_plan import RingPlan
from tb.bench.sides import Rules, Sink, Source, as_unsigned
from tb.bench.unit import simulate
from tb.rtl.keyed.store.blocks.key_bursts import ENTRIES, values_of

BLOCKS = 4
HANG = 100


class Reader:
    """Counts the growing block and the first needed block of each key, without wrapping.

    Free blocks are fed back only when the ring is full, each block once, and after any time: if the
    ring lost feedback, the value that waits for it would wait for ever.
    """

    def __init__(self, rng):
        self.rng = rng
        self.grows, self.first, self.life = [0] * ENTRIES, [0] * ENTRIES, [0] * ENTRIES
        self.feedback = [[] for _ in range(ENTRIES)]  # pairs (cycle, first) of this life
        self.feedback_count = 0

    def next_feedback(self, cycle):
        full = [e for e in range(ENTRIES) if self.grows[e] - self.first[e] == BLOCKS - 1]
        if not full or self.rng.random() < 0.7:
            return None
        entry = self.rng.choice(full)
        self.first[entry] += self.rng.randint(1, BLOCKS - 1)
        self.feedback[entry].append((cycle, self.first[entry]))
        self.feedback_count += 1
        place = {"life": self.life[entry], "block_index": self.first[entry] % BLOCKS}
        return {"index": entry, "entry": place | {"number": self.first[entry]}}

    def check_output(self, output, offered):
        """Checks a value that was first offered in cycle ``offered``."""
        entry = output["entry"]
        self.grows[entry] += output["closes"]
        if output["fresh"]:
            self.life[entry] += 1
            self.feedback[entry] = [(-HANG, self.grows[entry])]
            self.first[entry] = self.grows[entry]
        lies, first = self.grows[entry], output["first"]
        assert output["block_index"] == lies % BLOCKS
        assert first["life"] == self.life[entry]
        assert output["blocks"] == (output["block_index"] - first["block_index"]) % BLOCKS
        assert output["any"] == (output["blocks"] > 0)
        # The feedback so far leaves room, and feedback older than 5 cycles is in force.
        free_block = lies - output["blocks"]
        assert free_block in [line for cycle, line in self.feedback[entry] if cycle < offered]
        begin = self.feedback[entry][0][1]
        assert first["number"] == (free_block if free_block > begin else 0)
        assert free_block >= max(
            line for cycle, line in self.feedback[entry] if cycle < offered - 5
        )
        assert lies - free_block < BLOCKS


def test_no_place_is_lost_and_none_taken_twice():
    rng = random.Random(1)
    plan = RingPlan(codec=BaseDelta(32), entries=ENTRIES, blocks=BLOCKS, number_bits=10)
    dut = BlockRing(plan, 10)
    values, reader, rules = values_of(rng, 600, fresh_share=0.03), Reader(rng), Rules("o")
    source, sink = Source(dut.i, values, 0.2, rng), Sink(dut.o, 0.3, rng)

    async def bench(ctx):
        cycle = moved = offered = 0
        fed = dut.feedback
        while len(sink.run) < len(values):
            for side in (source, sink):
                side.drive(ctx)
            feedback = reader.next_feedback(cycle)
            ctx.set(fed.valid, feedback is not None)
            if feedback is not None:
                ctx.set(fed.p, feedback)
            ports = [p for s in (dut.i, dut.o) for p in (s.valid, s.ready, as_unsigned(s.p))]
            _, _, *sampled = await ctx.tick().sample(*ports)
            rules.sample(cycle, *sampled[3:])
            if not sampled[3]:
                offered = cycle + 1
            source.sample(cycle, *sampled[:3])
            if sink.sample(cycle, *sampled[3:]):
                output = sink.run.payloads[-1]
                assert output["passenger"] == len(sink.run) - 1
                reader.check_output(output, offered)
                moved, offered = cycle, cycle + 1
            cycle += 1
            assert cycle - moved < HANG, "hang"
        # Some 400 values close a block, each feedback frees at most 3 places, and a new life 3.
        assert reader.feedback_count > 80

    simulate(dut, bench)
