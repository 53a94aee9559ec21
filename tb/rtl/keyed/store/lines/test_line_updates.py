"""Checks lines that are read, changed and written, against lists; the memory answers at any
time.
"""

import random
from collections import Counter, deque

import pytest
from amaranth.hdl import ResetInserter, Signal, signed

from rtl.keyed.dram.lines import LineMap
from rtl.keyed.store.lines.line_plan import LinePlan
from rtl.keyed.store.lines.line_updates import LineUpdates
from tb.bench.sides import Rules, Sink, Source, as_unsigned
from tb.bench.unit import simulate

PLAN = LinePlan(item=signed(9), items=4, word_items=1)
LINES = LineMap(rings=4, ring_lines=4)
HANG = 400


def packed(items):
    """Returns a line of the memory: 128 bits for each item, whose lowest 9 bits count."""
    return sum((item & 0x1FF) << 128 * k for k, item in enumerate(items))


def items_of(rng, count, *, entries=4):
    """Returns items in bursts of one key, of two in turn, and of all; some lines begin fresh."""
    places, result = Counter(), []
    while len(result) < count:
        a, b = rng.randrange(entries), rng.randrange(entries)
        for entry in rng.choice([[a] * rng.randint(1, 9), [a, b] * 3, list(range(entries))]):
            at, valid = places[entry], rng.random() < 0.8
            fresh = at % 4 == 0 and rng.random() < 0.6
            places[entry] = (at + valid) % 16
            result.append(
                {
                    "entry": entry,
                    "number": at // 4,
                    "place": at % 4,
                    "item": rng.randrange(-256, 256),
                    "fresh": fresh,
                    "valid": valid,
                    "needed": not fresh and rng.random() < 0.6,
                    "passenger": rng.getrandbits(6),
                }
            )
    return result[:count]


class Bench:
    """Runs items through the updates and a memory, which serves reads and stores the lines of
    ``o``.

    A read sees all writes before the cycle in which it is taken. Its line comes ``latency`` cycles
    later, and up to ``delay`` more, in order. ``o`` stands still in the ``blocked`` cycles.
    """

    def __init__(self, items, seed, *, stall_in=0.0, stall_out=0.0, blocked=range(0), **memory):
        self.items, self.rng = items, random.Random(str(seed))
        self.stalls, self.blocked = (stall_in, stall_out), blocked
        self.latency, self.delay = memory.get("latency", 1), memory.get("delay", 0)
        self.bad = memory.get("bad", frozenset())
        self.slots = memory.get("slots", 8)
        self.dut = LineUpdates(PLAN, LINES, 6, slots=self.slots)
        self.memory = {n: [self.rng.randrange(256) for _ in range(4)] for n in range(16)}
        self.read, self.line_cycles, self.updated, self.failed = [], [], 0, []

    def run(self, reset_at=None):
        reset = Signal()

        async def bench(ctx):
            await self.drive(ctx, reset, reset_at)

        simulate(ResetInserter(reset)(self.dut), bench)
        return self

    def expected(self):
        """Returns the lines of ``o``, and pairs (line to be read, True if the line is changed)."""
        lines = {number: list(items) for number, items in self.first.items()}
        shown_lines, reads, last = [], [], {}
        for at, item in enumerate(self.items):
            number = 4 * item["entry"] + item["number"]
            if not (item["valid"] or item["needed"]):
                shown_lines.append(None)
                continue
            if item["fresh"]:
                lines[number] = [None] * 4
            elif last.get(number, at - 999) < at - self.slots:
                reads.append((number, item["valid"]))
            last[number] = at
            if item["valid"]:
                lines[number][item["place"]] = item["item"]
            shown_lines.append(list(lines[number]))
        return shown_lines, reads

    async def drive(self, ctx, reset, reset_at):
        if reset_at is not None:
            await self.cycles(ctx, self.items[::-1], reset_at)
            ctx.set(reset, 1)
            await ctx.tick()
            ctx.set(reset, 0)
            self.read, self.line_cycles, self.updated, self.failed = [], [], 0, []
        self.first = {number: list(items) for number, items in self.memory.items()}
        await self.cycles(ctx, self.items, None)

    async def cycles(self, ctx, items, most):
        dut, rng = self.dut, self.rng
        self.source = Source(dut.i, items, self.stalls[0], rng)
        self.sink = Sink(dut.o, self.stalls[1], rng)
        rules = [Rules(name) for name in ("i", "o", "reads")]
        streams = (dut.i, dut.o, dut.reads)
        ports = [p for s in streams for p in (s.valid, s.ready, as_unsigned(s.p))]
        status = [dut.lines.ready, dut.updated, dut.failed.valid, dut.failed.entry, dut.busy]
        pending, cycle, last = deque(), 0, 0
        while len(self.sink.run) < len(items) if most is None else cycle < most:
            self.source.drive(ctx)
            self.sink.drive(ctx)
            if cycle in self.blocked:
                ctx.set(dut.o.ready, 0)
            ctx.set(dut.reads.ready, rng.random() < 0.7 or not self.delay)
            due = pending and pending[0][0] <= cycle
            line, error = pending[0][1:] if due else (rng.getrandbits(512), 0)
            ctx.set(dut.lines.valid, bool(due))
            ctx.set(dut.lines.p.data, line)
            ctx.set(dut.lines.p.error, error)
            _, _, ready, updated, failed, entry, busy, *sampled = await ctx.tick().sample(
                *status, *ports
            )
            for k, rule in enumerate(rules):
                rule.sample(cycle, *sampled[3 * k : 3 * k + 3])
            self.updated += updated
            self.failed += [entry] if failed else []
            assert busy == (len(self.source.run) > len(self.sink.run))
            if due:
                assert ready, "a line is refused"
                pending.popleft()
                self.line_cycles.append(cycle)
            if sampled[6] and sampled[7]:
                self.take_read(pending, cycle, sampled[8])
            moved = self.source.sample(cycle, *sampled[:3]) | bool(due)
            if self.sink.sample(cycle, *sampled[3:6]):
                moved = True
                self.write(items[len(self.sink.run) - 1])
            last = cycle if moved or cycle in self.blocked else last
            assert cycle - last < HANG, f"hang with {len(self.sink.run)} of {len(items)}"
            cycle += 1
        ctx.set(dut.i.valid, 0)
        ctx.set(dut.lines.valid, 0)

    def take_read(self, pending, cycle, number):
        self.read.append(number)
        due = cycle + self.latency + self.rng.randint(0, self.delay)
        error = number in self.bad
        items = self.memory[number]
        rubbish = [self.rng.randrange(512) if error or v is None else v for v in items]
        pending.append((due, packed(rubbish), error))

    def write(self, item):
        if item["valid"]:
            line = self.sink.run.payloads[-1]["line"]
            self.memory[4 * item["entry"] + item["number"]] = list(line)


def check(items, seed, *, reset_at=None, **options):
    bench = Bench(items, seed, **options).run(reset_at)
    shown_lines, reads = bench.expected()
    for actual, item, expected in zip(bench.sink.run.payloads, items, shown_lines, strict=True):
        for name in ("entry", "place", "valid", "passenger"):
            assert actual[name] == item[name]
        if expected is not None:
            assert [
                None if item_expected is None else item_out
                for item_out, item_expected in zip(actual["line"], expected, strict=True)
            ] == (expected)
    assert bench.read == [number for number, _ in reads]
    assert bench.updated == sum(changed for _, changed in reads)
    return bench


MEMORIES = {
    "quick": {},
    "late": {"latency": 30, "delay": 9},
    "restless": {"latency": 3, "delay": 12, "stall_in": 0.3, "stall_out": 0.5},
    "slow to write": {"latency": 2, "stall_out": 0.8},
}


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("name", MEMORIES)
def test_lines_grow_item_by_item(name):
    """Lines are also returned where they are needed without an item."""
    items = items_of(random.Random(name), 240)
    assert sum(item["needed"] and not item["valid"] for item in items) > 15
    bench = check(items, name, **MEMORIES[name])
    assert not bench.failed
    assert 10 < len(bench.read) < 200
    assert len(bench.line_cycles) == len(bench.read)


@pytest.mark.parametrize("slots", [2, 16])
def test_other_slots(slots):
    check(items_of(random.Random(slots), 120), slots, slots=slots, latency=9, stall_out=0.3)


def test_errors_tell_their_entry():
    rng = random.Random(1)
    items = items_of(rng, 200)
    bench = Bench(items, 1, latency=6, bad={5, 11}, stall_out=0.3).run()
    assert bench.failed == [number // 4 for number in bench.read if number in (5, 11)]
    assert set(bench.failed) == {1, 2}


def test_lines_come_while_nothing_leaves():
    """``o`` stands still for long: all requested lines are taken, and no more are requested."""
    items = [
        {"entry": k % 4, "number": k // 4 % 4, "place": 1, "item": k, "fresh": 0, "valid": 1}
        | {"needed": 0, "passenger": 0}
        for k in range(32)
    ]
    bench = check(items, "held", latency=5, blocked=range(300))
    assert sum(cycle < 300 for cycle in bench.line_cycles) == 8
    assert sum(cycle < 300 for cycle in bench.source.run.cycles) == 8


@pytest.mark.parametrize("seed", range(4))
def test_a_reset_forgets_what_is_in_flight(seed):
    rng = random.Random(f"reset {seed}")
    items = items_of(rng, 60)
    check(items, seed, latency=8, delay=3, stall_out=0.3, reset_at=rng.randrange(3, 60))


def one(entry, number, **changes):
    item = {"entry": entry, "number": number, "place": 1, "item": 7, "fresh": 0, "valid": 1}
    return item | {"needed": 0, "passenger": 0} | changes


@pytest.mark.parametrize("memory", [1, 17])
def test_latency(memory):
    bench = check([one(1, 2)], memory, latency=memory)
    assert bench.sink.run.cycles[0] - bench.source.run.cycles[0] == LineUpdates.latency_of(memory)
    assert LineUpdates.latency_of(memory) == 3 + memory
    bench = check([one(1, 2, fresh=1)], memory, latency=memory)
    assert bench.sink.run.cycles[0] - bench.source.run.cycles[0] == LineUpdates.latency == 2


@pytest.mark.parametrize(("slots", "memory", "period"), [(4, 12, 16), (8, 12, 16), (8, 2, 8)])
def test_as_many_as_there_are_slots_in_a_round_of_the_memory(slots, memory, period):
    """The lines differ: ``slots`` items take ``memory + 4`` cycles, and at least one cycle each."""
    items = [one(k % 4, k // 4 % 4) for k in range(10 * 16)]
    bench = check(items, slots, slots=slots, latency=memory)
    input_cycles = bench.source.run.cycles
    assert input_cycles[48 + 16] - input_cycles[48] == 16 // slots * period
    assert len(bench.read) == len(items)


def test_items_of_one_line_wait_for_the_memory_once():
    bench = check([one(3, 1, place=k % 4) for k in range(100)], "one", latency=25)
    assert bench.read == [13]
    output_cycles = bench.sink.run.cycles
    assert output_cycles[-1] - output_cycles[0] <= 110


def test_a_line_of_one_item_is_none():
    with pytest.raises(ValueError, match="items must be at least 2, not 1"):
        LineUpdates(LinePlan(item=8, items=1, word_items=1), LINES)
