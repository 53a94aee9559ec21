"""Windows of keys, out of the table and three levels of memory, against lists of each key."""

import random
from fractions import Fraction

import pytest
from amaranth.hdl import ResetInserter, Signal, signed

from rtl.engine.streamzip.key_windows import KeyWindows
from rtl.engine.streamzip.plan import KeyPlan
from rtl.memory.line_plan import LinePlan
from rtl.memory.lines import LineMap
from rtl.window.key_rows import KeyRows
from tb.harness.sides import Rules, Sink, Source, as_unsigned
from tb.harness.unit import simulate
from tb.rtl.memory.axi_slave import LINE, PAGE, AxiSlave
from tb.rtl.memory.line_bench import Together
from tb.rtl.table.models import TableModel

HANG = 3_000


def plan_of(
    memory="mlq",
    *,
    key=6,
    entries=8,
    ways=1,
    items=8,
    ring_lines=4,
    ports=1,
    width=512,
    word_items=2,
):
    places = ring_lines * items
    return KeyPlan(
        key=key,
        line=LinePlan(item=signed(16), items=items, word_items=word_items),
        rows=KeyRows(window_max=places, places=places, numbers=8),
        lines=LineMap(rings=entries, ring_lines=ring_lines, ports=ports, data_width=width),
        ways=ways,
        memory=memory,
    )


def entry_of(plan, key):
    """With one way."""
    return TableModel(key_width=plan.key, entries=plan.entries, ways=1).candidates(key)[0]


def apart(plan, count):
    """Keys that do not throw each other out."""
    keys = {}
    for key in range(1 << plan.key):
        keys.setdefault(entry_of(plan, key), key)
    return list(keys.values())[:count]


class Answer:
    """What each stream gives, one after the other: lines of windows, and keys thrown out."""

    def __init__(self, plan, streams):
        self.plan, self.windows, self.evicted = plan, [], []
        self.table = TableModel(key_width=plan.key, entries=plan.entries, ways=plan.ways)
        for size, slide, tuples in streams:
            self.stream(size, slide, tuples)

    def stream(self, size, slide, tuples):
        items = {}
        for number, (key, item) in enumerate(tuples):
            thrown = self.table.arrive(key, lambda state: state)["evicted"]
            if thrown is not None:
                self.evicted.append((thrown, number))
                del items[thrown]
            mine = items.setdefault(key, [])
            mine.append(item)
            full = len(mine) - size
            if full >= 0 and full % slide == 0:
                self.windows.append((key, full // slide % 256, mine[-size:]))
        self.windows.append(None)  # the end of the stream
        self.evicted.append(None)
        self.table.end()


def tuples_of(rng, count, keys):
    """Bursts of one key, two in turn, any of them."""
    found = []
    while len(found) < count:
        a, b = rng.randrange(keys), rng.randrange(keys)
        found += rng.choice(
            [[a] * rng.randint(1, 30), [a, b] * rng.randint(1, 9), rng.sample(range(keys), keys)]
        )
    return [(key, rng.randrange(-(1 << 15), 1 << 15)) for key in found[:count]]


def streams_of(rng, plan, counts, keys):
    streams = []
    for count in counts:
        size = rng.choice([1, 2, plan.rows.window_max, rng.randint(1, plan.rows.window_max)])
        slide = rng.choice([1, size, rng.randint(1, size)])
        streams.append((size, slide, tuples_of(rng, count, keys)))
    return streams


def beats_of(streams):
    """A beat for each tuple; some streams end with a beat that has none, as empty ones must."""
    beats = []
    for size, slide, tuples in streams:
        settings = {"size": size, "slide": slide}
        rows = [{"key": k, "item": i, "valid": 1, "last": 0} for k, i in tuples]
        if not rows or len(rows) % 2:
            rows.append({"key": 5, "item": 77, "valid": 0, "last": 0})
        rows[-1]["last"] = 1
        beats += [row | {"settings": settings} for row in rows]
    return beats


class Bench:
    """Runs streams through a KeyWindows with a slave behind each port.

    ``held`` are cycles in which no line is taken; ``sizes`` are those of the memory's ports,
    ``built`` those of the queues.
    """

    beats = staticmethod(beats_of)

    def __init__(self, plan, seed, *, stall_in=0.0, stall_out=0.0, held=range(0), **memory):
        self.plan, self.rng, self.held = plan, random.Random(str(seed)), held
        sizes = {"buffer_lines": 16} | memory.pop("sizes", {})
        self.dut = KeyWindows(plan, memory=sizes, table={"epoch": 2}, **memory.pop("built", {}))
        self.stalls = stall_in, stall_out
        lines = plan.lines
        self.bases = [self.rng.randrange(1 << 12) for _ in range(lines.ports)]
        self.memories = [
            {
                base * PAGE + k * LINE: self.rng.getrandbits(512)
                for k in range(lines.lines // lines.ports)
            }
            for base in self.bases
        ]
        self.slaves = [
            AxiSlave(getattr(self.dut, f"m_axi_{k}"), lines.data_width, mine, self.rng, **memory)
            for k, mine in enumerate(self.memories)
        ]

    def run(self, streams, windows):
        """Feeds streams until so many windows and ends have come, and nothing more does."""
        self.source = Source(self.dut.i, self.beats(streams), self.stalls[0], self.rng)
        self.sinks = [
            Sink(port, self.stalls[1], self.rng) for port in (self.dut.o, self.dut.evicted)
        ]
        self.cycles = 0

        async def bench(ctx):
            await self.drive(ctx, windows)

        simulate(self.dut, bench)
        return self

    def run_after_reset(self, before, streams, windows):
        """The same, behind a reset in the midst of other streams, when the memory is quiet."""
        dut, reset = self.dut, Signal()
        before = Source(dut.i, self.beats(before), 0.1, self.rng)

        async def test(ctx):
            ctx.set(dut.bases, self.bases)
            await self.abandon(ctx, before)
            ctx.set(reset, 1)
            await ctx.tick()
            ctx.set(reset, 0)
            for slave in self.slaves:
                slave.held = dict.fromkeys(slave.held)
            self.source = Source(dut.i, self.beats(streams), 0, self.rng)
            self.sinks = [Sink(p, 0.2, self.rng) for p in (dut.o, dut.evicted)]
            self.cycles = 0
            await self.drive(ctx, windows)

        simulate(ResetInserter(reset)(dut), test)

    async def abandon(self, ctx, before):
        """Feeds some of a source, and waits until no burst is under way."""
        together, told = Together(), [p for s in self.slaves for p in s.ports]
        stop, cycle, i = self.rng.randrange(20, 200), 0, self.dut.i
        while cycle < stop or not all(slave.idle for slave in self.slaves):
            for side in (before, *self.slaves):
                side.drive(together)
            together.apply(ctx)
            _, _, *sampled = await ctx.tick().sample(i.valid, i.ready, as_unsigned(i.p), *told)
            before.sample(cycle, *sampled[:3])
            for k, slave in enumerate(self.slaves):
                slave.sample(*sampled[3 + 5 * k : 8 + 5 * k])
            cycle += 1
        ctx.set(i.valid, 0)

    async def drive(self, ctx, windows):
        dut, together, quiet, last = self.dut, Together(), 0, 0
        sides = [self.source, *self.sinks]
        rules = [Rules("i"), Rules("o"), Rules("evicted")]
        ports = [
            p for s in (dut.i, dut.o, dut.evicted) for p in (s.valid, s.ready, as_unsigned(s.p))
        ]
        ports += [port for slave in self.slaves for port in slave.ports]
        counters = list(dut.events.shape().members)
        told = [dut.busy, *(dut.events[name] for name in counters)]
        self.counted = dict.fromkeys(counters, 0)
        ctx.set(dut.bases, self.bases)
        while quiet < 40:
            for side in (*sides, *self.slaves):
                side.drive(together)
            if self.cycles in self.held:
                together.set(dut.o.ready, 0)
            together.apply(ctx)
            _, _, busy, *sampled = await ctx.tick().sample(*told, *ports)
            for name in counters:
                self.counted[name] += sampled.pop(0)
            moved = False
            for k, (side, rule) in enumerate(zip(sides, rules, strict=True)):
                rule.sample(self.cycles, *sampled[3 * k : 3 * k + 3])
                moved |= side.sample(self.cycles, *sampled[3 * k : 3 * k + 3])
            for k, slave in enumerate(self.slaves):
                moved |= slave.sample(*sampled[9 + 5 * k : 14 + 5 * k])
            self.cycles += 1
            last = self.cycles if moved else last
            over = self.source.done and not busy and self.windows_seen() >= windows
            quiet = quiet + 1 if over and not moved else 0
            assert self.cycles - last < HANG, f"hang with {self.windows_seen()} of {windows}"

    @property
    def read(self):
        return self.counted["m3_lines_read"]

    @property
    def written(self):
        return self.counted["m3_lines_written"]

    def windows_seen(self):
        return sum(p["last"] for p in self.sinks[0].run.payloads)

    @property
    def windows(self):
        """(key, number, items, error) of each window, None for the end of a stream."""
        found, items = [], []
        for beat in self.sinks[0].run.payloads:
            lanes = range(self.plan.line.items)
            items += [beat["tuples"][k] for k in lanes if beat["valid"] >> k & 1]
            if beat["last"]:
                told = beat["passenger"]["passenger"]
                error = beat["passenger"]["error"]
                if told["end"]:
                    assert not items
                    found.append(None)
                else:
                    found.append((told["key"], told["window"], items, error))
                items = []
        return found

    @property
    def evicted(self):
        """(key, arrival) of each key that was thrown out, None for the end of a stream."""
        found = []
        for beat in self.sinks[1].run.payloads:
            told = beat["tuples"][0]
            found += [(told["key"], told["arrival"])] if beat["valid"] else []
            found += [None] if beat["last"] else []
        return found


def check(plan, streams, seed, **options):
    answer = Answer(plan, streams)
    bench = Bench(plan, seed, **options).run(streams, len(answer.windows))
    assert [w and w[:3] for w in bench.windows] == answer.windows
    assert not any(w[3] for w in bench.windows if w)
    assert bench.evicted == answer.evicted
    return bench, answer


POINTS = {
    "one port": {},
    "two ways, words of 1": {"ways": 2, "word_items": 1, "items": 4},
    "four ports of 128 bits": {"ports": 4, "width": 128, "ring_lines": 8, "items": 4},
    "a line is a word": {"word_items": 4, "items": 4, "ports": 2, "width": 256},
}
MEMORIES = {
    "quick": {},
    "late": {"latency": 20, "delay": 30},
    "restless": {"delay": 12, "stall": 0.3, "stall_in": 0.3, "stall_out": 0.4},
}


QUICK = [
    ("one port", "restless", "mlq"),
    ("two ways, words of 1", "late", "mlq"),
    ("four ports of 128 bits", "quick", "mlq"),
    ("a line is a word", "restless", "mlq"),
    ("one port", "restless", "dram-only"),
    ("four ports of 128 bits", "quick", "dram-only"),
]
KINDS = ["mlq", "dram-only"]
EACH_KIND = pytest.mark.parametrize("kind", KINDS)


@pytest.mark.parametrize(
    ("point", "memory", "kind"),
    [
        (point, memory, kind)
        if (point, memory, kind) in QUICK
        else pytest.param(point, memory, kind, marks=pytest.mark.regress)
        for point in POINTS
        for memory in MEMORIES
        for kind in KINDS
    ],
)
def test_windows_are_those_of_lists(point, memory, kind):
    rng = random.Random(f"{point} {memory}")
    plan = plan_of(kind, **POINTS[point])
    streams = streams_of(rng, plan, [90, 0, 1, 150, 33], keys=4)
    bench, answer = check(plan, streams, f"{point} {memory}", **MEMORIES[memory])
    assert len(answer.windows) > 20
    assert bench.written > 10


@pytest.mark.parametrize("ways", [1, 2])
def test_keys_that_are_thrown_out_are_told(ways):
    rng = random.Random(ways)
    plan = plan_of(entries=8, ways=ways, items=4)
    streams = streams_of(rng, plan, [150, 250], keys=14)
    _, answer = check(plan, streams, ways, latency=4, stall_in=0.1, stall_out=0.2)
    assert len(answer.evicted) > 20 + len(streams)


@EACH_KIND
def test_latency(kind):
    plan = plan_of(kind)
    bench, _ = check(plan, [(1, 1, [(3, 77)])], "latency")
    assert bench.sinks[0].run.cycles[0] - bench.source.run.cycles[0] == bench.dut.latency == 10


def test_every_line_is_written_once_and_no_more_is_read_than_windows_have():
    """A key's every 8th item makes a line; windows of 32 every 32 have 3 lines and the tail."""
    plan = plan_of()
    tuples = [(key, k) for k in range(128) for key in apart(plan, 4)]
    bench, answer = check(plan, [(32, 32, tuples)], "counts", latency=10)
    assert len(answer.windows) == 4 * 4 + 1
    assert (bench.read, bench.written) == (4 * 4 * 3, 4 * 128 // 8)
    assert bench.counted["m3_read_modify_writes"] == 0


class Reads:
    """What dram-only reads, out of the order of tuples alone.

    A tuple reads its line unless it is the line's first, or one of the last 32 was in it; a tuple
    that begins a line reads it, too, if windows go so far back as to begin there, a ring ago.
    """

    def __init__(self, plan, streams):
        self.updates = self.windows = 0
        items, ring = plan.line.items, plan.lines.ring_lines
        last, places = {}, {}
        for number, beat in enumerate(beats_of(streams)):
            if beat["valid"]:
                size, slide = beat["settings"]["size"], beat["settings"]["slide"]
                at = places[beat["key"]] = places.get(beat["key"], -1) + 1
                line = beat["key"], at // items % ring
                fresh = at % items == 0 and -(-(size - 1) // items) < ring
                self.updates += not fresh and number - last.get(line, -99) > 32
                if at + 1 >= size and (at + 1 - size) % slide == 0:
                    self.windows += at // items - (at + 1 - size) // items
                last[line] = number
            if beat["last"]:
                places = {}


@pytest.mark.parametrize("few", [3, 40])
def test_dram_only_reads_what_the_order_of_tuples_says(few):
    rng = random.Random(few)
    plan = plan_of("dram-only", key=12, entries=64, items=8, ports=2)
    keys = apart(plan, few)
    streams = [
        (size, slide, [(rng.choice(keys), k) for k in range(count)])
        for size, slide, count in ((32 if few < 9 else 7, 5, 300), (6, 6, 250))
    ]
    bench, answer = check(plan, streams, few, latency=5, stall_in=0.1, stall_out=0.1)
    wanted = Reads(plan, streams)
    assert bench.counted["m3_read_modify_writes"] == wanted.updates > 2
    assert bench.read == wanted.updates + wanted.windows
    assert bench.written == sum(len(tuples) for _, _, tuples in streams)
    assert len(answer.windows) > 20


@pytest.mark.parametrize(
    ("latency", "reads", "writes", "limit"),
    [
        (20, 8, 32, Fraction(8, 20 + 2) / Fraction(7, 8)),  # reads under way
        pytest.param(20, 32, 8, Fraction(8, 20 + 2), marks=pytest.mark.regress),  # writes
        (8, 32, 32, 1 / (1 + Fraction(7, 8))),  # one command in a cycle
        pytest.param(60, 64, 64, Fraction(32, 60 + 12), marks=pytest.mark.regress),  # in flight
    ],
)
def test_rate_of_dram_only(latency, reads, writes, limit):
    """Keys in turn, each tuple but an eighth of them reads its line, and each writes it."""
    count = 120 if latency > 20 else 64
    plan = plan_of("dram-only", key=12, entries=256)
    keys = apart(plan, count)
    before = [(key, 1) for k, key in enumerate(keys) for _ in range(k % 8)]
    tuples = before + [(keys[k % count], k) for k in range(count * 4)]
    sizes = {"reads": reads, "writes": writes, "commands": 24, "buffer_lines": 64}
    bench, _ = check(plan, [(20, 20, tuples)], latency, latency=latency, sizes=sizes)
    taken = bench.source.run.cycles[len(before) + count :]
    rate = (len(taken) - 1) / (taken[-1] - taken[0])
    assert 0.97 * limit <= rate <= 1.03 * limit, (rate, float(limit))


@pytest.mark.parametrize(("burst", "limit"), [(160, 1), (8, Fraction(8, 9))])
def test_bursts_of_a_key_are_read_once(burst, limit):
    """With dram-only, and a window with every tuple: all are written, and a burst reads a line."""
    plan = plan_of("dram-only", key=12, entries=64)
    keys = apart(plan, 40)
    tuples = [(key, 1) for k, key in enumerate(keys) for _ in range(k % 7 + 1)]
    begin = len(tuples)
    tuples += [(keys[k // burst % 40], k) for k in range(400)]
    sizes = {"writes": 32, "commands": 24}
    bench, _ = check(plan, [(1, 1, tuples)], burst, latency=6, sizes=sizes)
    taken = bench.source.run.cycles[begin + 80 :]
    assert 0.95 * limit <= (len(taken) - 1) / (taken[-1] - taken[0]) <= 1.05 * limit


@EACH_KIND
def test_an_output_that_stands_still_for_long(kind):
    """All that can wait does, in small queues, and goes on where it stood."""
    rng = random.Random(kind)
    plan = plan_of(kind, items=4, ring_lines=4)
    tuples = tuples_of(rng, 100, 4)
    sizes = {"reads": 1, "writes": 1, "commands": 2, "buffer_lines": 4, "turns": 2}
    held = range(60, 500)
    options = {"built": {"windows": 2}, "sizes": sizes, "held": held, "latency": 3}
    bench, _ = check(plan, [(13, 1, tuples)], kind, **options)
    taken = [sum(cycle < end for cycle in bench.source.run.cycles) for end in (300, 500)]
    assert taken[0] == taken[1] < 100


@pytest.mark.parametrize(("size", "slide"), [(32, 32), (31, 17)])
def test_a_tuple_in_every_cycle_where_windows_are_few(size, slide):
    plan = plan_of(ring_lines=8, items=4, ports=2)
    keys = apart(plan, 4)
    tuples = [(keys[k // 4 % 4], k) for k in range(600)]
    bench, _ = check(plan, [(size, slide, tuples)], "rate", latency=10)
    taken = bench.source.run.cycles
    assert taken[-1] - taken[100] <= 1.02 * 499


def test_a_window_with_every_tuple_takes_its_lines_and_one_cycle():
    """One key, slide 1: 3 or 4 lines from M3 for each window of 15, and the tail."""
    plan = plan_of(ring_lines=8, items=4, ports=2)
    tuples = [(3, k) for k in range(200)]
    bench, _ = check(plan, [(15, 1, tuples)], "slides", latency=6)
    given = bench.sinks[0].run.cycles
    assert len(given) / (given[-1] - given[0] + 1) > 0.9


@pytest.mark.parametrize("errors", ["bad_reads", "bad_writes"])
@EACH_KIND
def test_errors_of_the_memory_mark_the_windows_of_their_key(kind, errors):
    plan = plan_of(kind, items=4, ring_lines=4)
    keys = apart(plan, 3)
    tuples = [(keys[k % 3], k) for k in range(240)]
    streams = [(11, 4, tuples)]
    answer = Answer(plan, streams)
    bench = Bench(plan, errors, latency=8)
    (slave,) = bench.slaves
    line = entry_of(plan, keys[1]) * 4 + 2
    slave.bad[errors[4:]] = {bench.bases[0] * PAGE + line * LINE}
    bench.run(streams, len(answer.windows))
    wrong = 0
    for got, wanted in zip(bench.windows, answer.windows, strict=True):
        if wanted is None or not got[3]:
            assert got is wanted if wanted is None else got[:3] == wanted
        else:
            assert got[0] == keys[1]
            wrong += 1
    assert wrong > 5


def test_a_line_that_was_not_read_spoils_its_key_from_then_on():
    """Keys in turn, so that all tuples read their lines; one line gives an error."""
    plan = plan_of("dram-only", key=12, entries=64, items=4)
    keys = apart(plan, 34)
    tuples = [(keys[k % 34], k) for k in range(34 * 8)]
    streams = [(1, 1, tuples)]
    answer = Answer(plan, streams)
    bench = Bench(plan, "spoilt", latency=2)
    address = bench.bases[0] * PAGE + (entry_of(plan, keys[7]) * 4 + 1) * LINE
    bench.slaves[0].bad["reads"] = {address}
    bench.run(streams, len(answer.windows))
    # Tuple 4 of the key begins line 1, and its 5 is the first to read it.
    wrong = [window[:2] for window in bench.windows if window and window[3]]
    assert wrong == [(keys[7], number) for number in range(5, 8)]
    assert [w and w[:3] for w in bench.windows] == answer.windows


@pytest.mark.parametrize(("kind", "seed"), [*(("mlq", k) for k in range(3)), ("dram-only", 3)])
def test_a_reset_between_bursts(kind, seed):
    """Whatever was inside when the memory was quiet, streams fed after it are answered."""
    rng = random.Random(seed)
    plan = plan_of(kind, items=4)
    streams = streams_of(rng, plan, [60, 80], keys=4)
    answer = Answer(plan, streams)
    bench = Bench(plan, seed, latency=3)
    before = streams_of(rng, plan, [200], keys=4)
    bench.run_after_reset(before, streams, len(answer.windows))
    assert [w and w[:3] for w in bench.windows] == answer.windows
    assert bench.evicted == answer.evicted
