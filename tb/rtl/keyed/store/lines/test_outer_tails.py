"""Checks the growing lines of keys, with M2 outside of the chip, against lists."""

import random
from collections import Counter
from dataclasses import dataclass, field

import pytest
from amaranth.hdl import ResetInserter, Signal, signed

from rtl.keyed.dram.word_map import WORD_BYTES, WordMap
from rtl.keyed.store.lines.line_plan import LinePlan
from rtl.keyed.store.lines.outer_tails import OuterTails
from tb.bench.sides import Rules, Sink, Source, as_unsigned
from tb.bench.unit import simulate
from tb.rtl.keyed.dram.word_slave import PAGE, WordSlave

PLANS = {
    "8 in words of 2": LinePlan(item=64, items=8, word_items=2),
    "16 in words of 4": LinePlan(item=signed(9), items=16, word_items=4),
    "4, each a word": LinePlan(item=70, items=4, word_items=1),
}
MEMORIES = {
    "fast": {},
    "slow": {"latency": 12},
    "restless": {"latency": 3, "delay": 25, "stall": 0.3},
}
HANG = 300


def keys_of(rng, entries, count):
    """Returns random keys, with bursts of one key and rounds of all keys now and then."""
    keys = []
    while len(keys) < count:
        key = rng.randrange(entries)
        keys += rng.choice([[key], [key], [key], [key] * rng.randint(1, 12), range(entries)])
    return keys[:count]


def value_of(rng, item):
    return rng.randrange(-256, 256) if item == signed(9) else rng.getrandbits(item)


def items_of(rng, plan, entries, count, odd_ends=0.02):
    """Returns items with the line that each one shows and the line before, None where unknown."""
    lines, previous, numbers, result = {}, {}, Counter(), []
    for key in keys_of(rng, entries, count):
        line = lines.setdefault(key, [])
        if len(line) == plan.items:
            previous[key] = list(line)
            line.clear()
            numbers[key] += 1
        if numbers[key] + len(line) and rng.random() < odd_ends:  # begins anew
            previous.pop(key, None)
            line.clear()
            numbers[key] = 0
        valid = rng.random() < 0.9
        item = {"entry": key, "place": len(line), "valid": valid, "odd": numbers[key] % 2}
        item |= {"item": value_of(rng, plan.item), "passenger": rng.getrandbits(8)}
        item |= {"wanted": rng.random() < 0.4}
        item |= {"wants_previous": item["wanted"] and key in previous and rng.random() < 0.7}
        if valid:
            line.append(item["item"])
        is_shown = item["wanted"] or len(line) == plan.items
        result.append((item, list(line) if is_shown else None, previous.get(key)))
    return result


@dataclass
class Seen:
    lines: list = field(default_factory=list)
    output_cycles: list = field(default_factory=list)
    input_cycles: list = field(default_factory=list)
    failed: list = field(default_factory=list)
    slave: WordSlave = None


class Bench:
    """Runs items through tails and a memory, which holds rubbish at first."""

    def __init__(self, plan, words, seed, *, slots=8, stall_in=0.0, stall_out=0.0, **memory):
        self.rng = rng = random.Random(str(seed))
        self.dut, self.plan, self.words = OuterTails(plan, words, 8, slots=slots), plan, words
        self.stalls, self.options = (stall_in, stall_out), memory
        self.base = rng.randrange(100)
        first = self.base * PAGE
        places = range(first, first + words.bytes, WORD_BYTES)
        self.memory = {address: rng.getrandbits(128) for address in places}

    def puts(self, item):
        """True if an item fills a word that M2 stores."""
        filled = item["place"] + 1
        in_m2 = self.words.lines == 2 or filled < self.plan.items
        return item["valid"] and filled % self.plan.word_items == 0 and in_m2

    def run(self, items, before=(), reset_at=None):
        reset, seen = Signal(), []

        async def bench(ctx):
            ctx.set(self.dut.base, self.base)
            if reset_at is not None:
                first = await self.drive(ctx, before, reset_at)
                ctx.set(reset, 1)
                await ctx.tick()
                ctx.set(reset, 0)
                assert first.input_cycles
            seen.append(await self.drive(ctx, items, None))

        simulate(ResetInserter(reset)(self.dut), bench)
        return seen[0]

    async def drive(self, ctx, items, until):
        """Runs until nothing moves; or ``until`` cycles, and then until no burst is under way."""
        dut, rng = self.dut, self.rng
        seen = Seen(slave=WordSlave(dut.m_axi, self.memory, rng, **self.options))
        source = Source(dut.i, [item for item, *_ in items], self.stalls[0], rng)
        sink, rules = Sink(dut.o, self.stalls[1], rng), (Rules("i"), Rules("o"))
        ports = [p for s in (dut.i, dut.o) for p in (s.valid, s.ready, as_unsigned(s.p))]
        status = [dut.failed.valid, dut.failed.entry, dut.busy]
        cycle = last = quiet = 0
        while cycle < until if until else quiet < 40:
            for side in (source, sink, seen.slave):
                side.drive(ctx)
            _, _, failed, entry, busy, *sampled = await ctx.tick().sample(
                *status, *ports, *seen.slave.ports
            )
            for k, rule in enumerate(rules):
                rule.sample(cycle, *sampled[3 * k : 3 * k + 3])
            if not busy:  # an item of the last cycle may still be on its way to busy
                items_inside = [item for item, *_ in items[: len(source.run)]]
                if source.run.cycles[-1:] == [cycle - 1]:
                    items_inside.pop()
                assert len(sink.run) >= len(items_inside), "items inside without busy"
                puts = sum(map(self.puts, items_inside))
                assert len(seen.slave.written) >= puts, "words inside without busy"
            moved = source.sample(cycle, *sampled[:3])
            moved |= sink.sample(cycle, *sampled[3:6])
            moved |= seen.slave.sample(*sampled[6:])
            seen.failed += [(cycle, entry)] if failed else []
            assert busy or seen.slave.idle, "bursts under way without busy"
            assert busy or not failed, "a failure is told when nothing is busy"
            last = cycle if moved else last
            assert cycle - last < HANG, f"hang: {len(source.run)} items, {len(sink.run)} lines"
            quiet = 0 if moved or not source.is_complete else quiet + 1
            cycle += 1
        if until:
            source.stop(ctx)
            await self.come_to_rest(ctx, seen.slave)
        seen.lines, seen.output_cycles, seen.input_cycles = (
            sink.run.payloads,
            sink.run.cycles,
            source.run.cycles,
        )
        return seen

    async def come_to_rest(self, ctx, slave):
        """Waits until no burst is under way, as the guard of a reset does."""
        quiet = 0
        while quiet < 20:
            slave.drive(ctx)
            _, _, *sampled = await ctx.tick().sample(*slave.ports)
            slave.sample(*sampled)
            quiet = quiet + 1 if slave.idle else 0


def check(items, shown, lines):
    """Checks the shown lines; returns the number of lines, and of kept lines."""
    count = kept_count = 0
    for (item, line, previous), actual in zip(items, shown, strict=True):
        for name in ("entry", "place", "valid", "passenger"):
            assert actual[name] == item[name]
        if line is not None:
            assert actual["line"][: len(line)] == line
            count += 1
        if item["wants_previous"] and lines == 2:
            assert actual["previous"] == previous
            kept_count += 1
    return count, kept_count


@pytest.mark.in_turn
@pytest.mark.parametrize(
    "memory", ["fast", pytest.param("slow", marks=pytest.mark.regress), "restless"]
)
@pytest.mark.parametrize("lines", [1, 2])
@pytest.mark.parametrize("name", PLANS)
def test_lines_are_shown_where_they_are_wanted(name, lines, memory):
    plan, rng = PLANS[name], random.Random(f"{name} {lines}")
    words = WordMap(entries=8, lines=lines)
    items = items_of(rng, plan, 8, 80 + 8 * plan.items)
    stalls = {"stall_in": 0.2, "stall_out": 0.2} if memory == "restless" else {}
    bench = Bench(plan, words, name, slots=4, **stalls, **MEMORIES[memory])
    seen = bench.run(items)
    count, kept_count = check(items, seen.lines, lines)
    assert count > 40
    assert kept_count > 10 or lines == 1
    assert not seen.failed
    assert len(seen.slave.read) > 20
    of_word = plan.word_items
    full = sum(item["valid"] and item["place"] % of_word == of_word - 1 for item, *_ in items)
    assert len(seen.slave.written) <= full


def item_of(entry, number, **requests):
    """Returns item ``number`` of a key, its line of 8 items, and the line before."""
    line, place = divmod(number, 8)
    requests = {"wanted": 0, "wants_previous": 0} | requests
    item = {"entry": entry, "place": place, "valid": 1, "odd": line % 2, "item": number}
    lines = [list(range(8 * at, 8 * at + 8)) for at in (line, line - 1)]
    is_shown = requests["wanted"] or place == 7
    return (
        item | {"passenger": 0} | requests,
        lines[0][: place + 1] if is_shown else None,
        lines[1],
    )


def test_nothing_is_read_of_a_key_that_comes_alone():
    plan = PLANS["8 in words of 2"]
    items = [item_of(3, number, wanted=1, wants_previous=number > 7) for number in range(64)]
    seen = Bench(plan, WordMap(entries=8, lines=2), 1, slots=32, latency=20).run(items)
    assert check(items, seen.lines, 2) == (64, 56)
    assert not seen.slave.read
    assert len(seen.slave.written) == 32
    assert seen.input_cycles == list(range(64))
    assert seen.output_cycles == [cycle + OuterTails.latency for cycle in seen.input_cycles]


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("lines", [1, 2])
def test_a_tuple_in_each_cycle_of_keys_in_turn(lines):
    """Only full lines are wanted, of more keys than slots: each line reads 3 words."""
    plan, keys = PLANS["8 in words of 2"], 48
    items = [item_of(key, number) for number in range(8) for key in range(keys)]
    seen = Bench(plan, WordMap(entries=64, lines=lines), 1, slots=32, latency=12).run(items)
    assert check(items, seen.lines, lines) == (keys, 0)
    # With one line no last word is stored: the slots still have the third word of 32 keys.
    word_count = 2 if lines == 1 else 3
    assert [len(words) for words in seen.slave.read] == [3] * 16 + [word_count] * 32
    assert len(seen.slave.written) == (3 if lines == 1 else 4) * keys
    # A full line reads three words, which take three cycles.
    assert seen.input_cycles[: 7 * keys] == list(range(7 * keys))


def test_an_item_that_is_not_valid_fills_no_line():
    """An invalid item in the last place of its line reads no word of the line."""
    plan, keys = PLANS["8 in words of 2"], 24
    items = [item_of(key, number) for number in range(7) for key in range(keys)]
    items += [item_of(key, 7, valid=0) for key in range(keys)]
    seen = Bench(plan, WordMap(entries=keys + 8), 1, slots=4).run(items)
    assert not seen.slave.read
    assert len(seen.slave.written) == 3 * keys


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("lines", [1, 2])
def test_a_line_is_full_and_the_next_begins_at_once(lines):
    """With one line in M2, the new line overwrites words that are still to be read."""
    plan, keys = PLANS["8 in words of 2"], 8
    places = [(-1, 0, 1, 2), (3,), (4, 5), (6,)]  # of a key, in order
    numbers = [[8 * line + at for at in part] for line in range(4) for part in places]
    turns = [range(keys), range(keys)[::-1]]  # so that the slots keep the last word of some keys
    order = [(key, n) for part in numbers for key in turns[len(part) > 2] for n in part if n >= 0]
    items = [
        item_of(key, n, wanted=n % 8 == 2, wants_previous=n % 8 == 2 and n > 7) for key, n in order
    ]
    bench = Bench(plan, WordMap(entries=keys, lines=lines), 1, slots=4, latency=12)
    seen = bench.run(items)
    assert check(items, seen.lines, lines) == (7 * keys, (3 if lines == 2 else 0) * keys)
    assert len(seen.slave.read) >= 3 * keys


@pytest.mark.in_turn
@pytest.mark.parametrize("at", range(15, 160, 36))
def test_a_reset_forgets_what_is_inside(at):
    plan, rng = PLANS["8 in words of 2"], random.Random(at)
    earlier, items = (items_of(rng, plan, 4, 80) for _ in range(2))
    bench = Bench(plan, WordMap(entries=4, lines=2), at, slots=4, latency=5, delay=9, stall=0.2)
    seen = bench.run(items, earlier, reset_at=at)
    assert check(items, seen.lines, 2)[0] > 25


#: Entries whose words the memory fails to read, or to write.
BAD = {"reads": (1, 3, 5, 7), "writes": (0, 2, 3, 6)}


@pytest.mark.in_turn
@pytest.mark.parametrize("kinds", [("reads",), ("writes",), ("reads", "writes")], ids="-".join)
@pytest.mark.parametrize("lines", [1, 2])
def test_errors_are_reported_before_what_they_spoil(lines, kinds):
    """Each error is reported by itself, and no entry without errors is reported."""
    plan, rng = PLANS["8 in words of 2"], random.Random(f"{lines} {kinds}")
    items = items_of(rng, plan, 8, 160, odd_ends=0)
    words = WordMap(entries=8, lines=lines)
    bench = Bench(plan, words, kinds, slots=4, stall_out=0.3, latency=2, delay=4)

    def entry_of(address):
        return (address - bench.base * PAGE) // (64 * lines)

    for kind in kinds:
        bench.options[f"bad_{kind}"] = {a for a in bench.memory if entry_of(a) in BAD[kind]}
    seen = bench.run(items)
    assert Counter(entry for _, entry in seen.failed) == Counter(map(entry_of, seen.slave.failed))
    assert len(seen.failed) > 10
    first_failure = {entry: cycle for cycle, entry in reversed(seen.failed)}
    wrong_count = 0
    for (item, line, _), actual, cycle in zip(items, seen.lines, seen.output_cycles, strict=True):
        is_right = line is None or actual["line"][: len(line)] == line
        assert is_right or first_failure[item["entry"]] <= cycle
        wrong_count += not is_right
    assert wrong_count


@pytest.mark.parametrize("word", range(3))
def test_one_word_of_a_burst_has_an_error(word):
    """Any word of the burst may have the error; the next burst has none."""
    plan, keys = PLANS["8 in words of 2"], 8
    items = [item_of(key, number) for number in range(8) for key in range(keys)]
    bench = Bench(plan, WordMap(entries=keys), 1, slots=4, latency=2)
    bench.options["bad_reads"] = {bench.base * PAGE + 64 * 2 + WORD_BYTES * word}
    seen = bench.run(items)
    assert [len(words) for words in seen.slave.read[:3]] == [3, 3, 3]
    assert [entry for _, entry in seen.failed] == [2]


def test_busy_until_the_failure_of_the_last_write_is_told():
    """A user who sees no ``busy`` and no error may rely on all writes."""
    bench = Bench(PLANS["8 in words of 2"], WordMap(entries=8), 1, latency=2)
    bench.options["bad_writes"] = set(bench.memory)
    seen = bench.run([item_of(3, 0), item_of(3, 1)])
    assert [entry for _, entry in seen.failed] == [3]


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"lines": 3}, "lines must be 1 or 2, not 3"),
        ({"address_width": 12}, "address_width must be from 13 to 64, not 12"),
        ({"entries": 1 << 14, "address_width": 19}, "address_width must be from 20 to 64, not 19"),
    ],
)
def test_maps_that_cannot_be(fields, text):
    with pytest.raises(ValueError, match=text):
        WordMap(**({"entries": 8} | fields))


@pytest.mark.parametrize(("items", "word_items"), [(2, 1), (8, 4)])
def test_lines_that_have_not_four_words(items, word_items):
    plan = LinePlan(item=9, items=items, word_items=word_items)
    with pytest.raises(ValueError, match="a line must have 4 words of at most 128 bits, not 2 of"):
        OuterTails(plan, WordMap(entries=8))
