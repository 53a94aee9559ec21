"""Where blocks lie in the rings of their keys, against counts; who reads feeds back late."""

import random

from rtl.keyed.codec.base_delta.base_delta import BaseDelta
from rtl.keyed.store.blocks.block_ring import BlockRing, RingPlan
from tb.bench.sides import Rules, Sink, Source, as_unsigned
from tb.bench.unit import simulate

BLOCKS, ENTRIES = 4, 2
HANG = 100


def values_of(rng, count):
    """Of two keys in bursts, each of which begins anew now and then; most of them close a block."""
    found, begun = [], set()
    for number in range(count):
        entry = found[-1]["entry"] if found and rng.random() < 0.7 else rng.randrange(ENTRIES)
        fresh = entry not in begun or rng.random() < 0.03
        begun.add(entry)
        closes = not fresh and rng.random() < 0.7
        value = {"entry": entry, "fresh": fresh, "closes": closes, "valid": 1, "passenger": number}
        found.append(value)
    return found


class Reader:
    """Of each key the block that grows and the first one that is needed, counted without end.

    What is free it tells only when the ring is full, each place once, and after any time: what is
    told and gets lost, the value that waits for it would wait for ever.
    """

    def __init__(self, rng):
        self.rng = rng
        self.grows, self.first, self.life = [0] * ENTRIES, [0] * ENTRIES, [0] * ENTRIES
        self.told = [[] for _ in range(ENTRIES)]  # of this life (cycle, first)

    def tells(self, cycle):
        full = [e for e in range(ENTRIES) if self.grows[e] - self.first[e] == BLOCKS - 1]
        if not full or self.rng.random() < 0.7:
            return None
        entry = self.rng.choice(full)
        self.first[entry] += self.rng.randint(1, BLOCKS - 1)
        self.told[entry].append((cycle, self.first[entry]))
        known = {"life": self.life[entry], "block_index": self.first[entry] % BLOCKS}
        return {"index": entry, "entry": known | {"number": self.first[entry]}}

    def takes(self, given, offered):
        """Checks a value that was first offered in that cycle."""
        entry = given["entry"]
        self.grows[entry] += given["closes"]
        if given["fresh"]:
            self.life[entry] += 1
            self.told[entry] = [(-HANG, self.grows[entry])]
            self.first[entry] = self.grows[entry]
        lies, first = self.grows[entry], given["first"]
        assert given["block_index"] == lies % BLOCKS
        assert first["life"] == self.life[entry]
        assert given["blocks"] == (given["block_index"] - first["block_index"]) % BLOCKS
        assert given["any"] == (given["blocks"] > 0)
        # There is room, by what it was told; and what it was told long before it knows.
        known = lies - given["blocks"]
        assert known in [line for cycle, line in self.told[entry] if cycle < offered]
        if known > self.told[entry][0][1]:
            assert first["number"] == known
        assert known >= max(line for cycle, line in self.told[entry] if cycle < offered - 5)
        assert lies - known < BLOCKS


def test_no_place_is_lost_and_none_taken_twice():
    rng = random.Random(1)
    plan = RingPlan(codec=BaseDelta(32), entries=ENTRIES, blocks=BLOCKS, number_bits=10)
    dut = BlockRing(plan, 10)
    values, reader, rules = values_of(rng, 600), Reader(rng), Rules("o")
    source, sink = Source(dut.i, values, 0.2, rng), Sink(dut.o, 0.3, rng)

    async def bench(ctx):
        cycle = moved = offered = 0
        fed = dut.feedback
        while len(sink.run) < len(values):
            for side in (source, sink):
                side.drive(ctx)
            told = reader.tells(cycle)
            ctx.set(fed.valid, told is not None)
            if told is not None:
                ctx.set(fed.p, told)
            ports = [p for s in (dut.i, dut.o) for p in (s.valid, s.ready, as_unsigned(s.p))]
            _, _, *sampled = await ctx.tick().sample(*ports)
            rules.sample(cycle, *sampled[3:])
            if not sampled[3]:
                offered = cycle + 1
            source.sample(cycle, *sampled[:3])
            if sink.sample(cycle, *sampled[3:]):
                given = sink.run.payloads[-1]
                assert given["passenger"] == len(sink.run) - 1
                reader.takes(given, offered)
                moved, offered = cycle, cycle + 1
            cycle += 1
            assert cycle - moved < HANG, "hang"
        assert sum(len(told) for told in reader.told)

    simulate(dut, bench)
