"""Runs a KeyWindows with a memory behind each port, and computes the windows from lists of each
key.
"""

import random

from amaranth.hdl import ResetInserter, Signal, signed

from rtl.keyed.dram.lines import LineMap
from rtl.keyed.key_windows import KeyWindows
from rtl.keyed.plan import KeyedPlan
from rtl.keyed.store.blocks.block_store import BlockStore
from rtl.keyed.store.blocks.ring_plan import RingPlan, ring_blocks
from rtl.keyed.store.lines.line_plan import LinePlan
from rtl.keyed.store.lines.line_store import LineStore
from rtl.keyed.store.lines.second_level import SecondLevel
from rtl.keyed.windows.key_rows import KeyRows
from rtl.keyed.windows.row_kind import RowKind
from tb.bench.sides import Rules, Sink, Source, as_unsigned
from tb.bench.unit import simulate
from tb.rtl.keyed.dram.axi_slave import LINE, PAGE, AxiSlave
from tb.rtl.keyed.dram.line_bench import Together
from tb.rtl.keyed.table.models import TableModel

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
    m2_lines=1,
    m2_kind="block",
    codec=None,
    earlier=0,
):
    """Returns a plan for windows of as many tuples as a ring of uncompressed lines stores.

    A ring of blocks also has room for ``earlier`` blocks before a window.
    """
    window_max = ring_lines * items
    places, item = window_max, signed(16)
    if codec is not None:
        places, item = 256 * window_max, signed(codec.width)
        ring_lines = ring_blocks(codec.format, window_max, ports, earlier)
        bits = (places - 1).bit_length()
        ring = RingPlan(codec=codec, entries=entries, blocks=ring_lines, number_bits=bits)
    line = LinePlan(item=item, items=items, word_items=word_items)
    if codec is None:
        store = LineStore(line=line, memory=memory, m2=SecondLevel(lines=m2_lines, kind=m2_kind))
    else:
        store = BlockStore(line=line, ring=ring)
    return KeyedPlan(
        key=key,
        window=RowKind(rows=KeyRows(window_max=window_max, places=places, number_bits=8)),
        store=store,
        lines=LineMap(rings=entries, ring_lines=ring_lines, ports=ports, data_width=width),
        ways=ways,
    )


def entry_of(plan, key):
    """Returns the entry of a key in a table with one way."""
    return TableModel(key_width=plan.key, entries=plan.entries, ways=1).candidates(key)[0]


def separate_keys(plan, count):
    """Returns keys with different entries, so that no key evicts another."""
    keys = {}
    for key in range(1 << plan.key):
        keys.setdefault(entry_of(plan, key), key)
    return list(keys.values())[:count]


class Answer:
    """Computes the windows and the evictions of successive streams from lists.

    ``lines`` counts the lines that windows read: lines before the growing line, minus a line that
    M2 keeps. ``values`` counts the values of all windows; ``on_chip`` counts the values in the
    growing line, or in a kept line before it.
    """

    def __init__(self, plan, streams):
        self.plan, self.windows, self.evicted = plan, [], []
        self.lines = self.values = self.on_chip = 0
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
            begin = len(mine) - size
            if begin >= 0 and begin % slide == 0:
                self.windows.append((key, begin // slide % 256, mine[-size:]))
                lanes, kept_lines = self.plan.line.items, self.plan.m2.lines - 1
                line, place = divmod(len(mine) - 1, lanes)
                self.lines += max(0, line - begin // lanes - kept_lines)
                self.values += size
                self.on_chip += min(size, place + 1 + kept_lines * lanes)
        self.windows.append(None)  # the end of the stream
        self.evicted.append(None)
        self.table.end()


def tuples_of(rng, count, keys):
    """Returns tuples in bursts of one key, of two keys in turn, and of all keys."""
    order = []
    while len(order) < count:
        a, b = rng.randrange(keys), rng.randrange(keys)
        order += rng.choice(
            [[a] * rng.randint(1, 30), [a, b] * rng.randint(1, 9), rng.sample(range(keys), keys)]
        )
    return [(key, rng.randrange(-(1 << 15), 1 << 15)) for key in order[:count]]


def streams_of(rng, plan, counts, keys):
    streams = []
    for count in counts:
        size = rng.choice(
            [1, 2, plan.window.rows.window_max, rng.randint(1, plan.window.rows.window_max)]
        )
        slide = rng.choice([1, size, rng.randint(1, size)])
        streams.append((size, slide, tuples_of(rng, count, keys)))
    return streams


def beats_of(streams):
    """Returns a beat for each tuple; some streams end with a beat without a tuple, as empty ones
    must.
    """
    beats = []
    for size, slide, tuples in streams:
        settings = {"size": size, "slide": slide}
        rows = [{"key": k, "item": i, "valid": 1, "last": 0} for k, i in tuples]
        if not rows or len(rows) % 2:
            rows.append({"key": 5, "item": 77, "valid": 0, "last": 0})
        rows[-1]["last"] = 1
        beats += [row | {"settings": settings} for row in rows]
    return beats


def with_gaps(beats, rng):
    """Returns the beats with extra beats between them, which have no tuple and no effect.

    The key of an extra beat is in the table or not; its settings are those of its stream.
    """
    spaced = []
    for beat in beats:
        for _ in range(rng.choice([0, 0, 1, 2])):
            key = rng.choice([5, rng.choice(beats)["key"]])
            spaced.append(beat | {"key": key, "item": 77, "valid": 0, "last": 0})
        spaced.append(beat)
    return spaced


class Bench:
    """Runs streams through a KeyWindows with a slave behind each port.

    The output takes no line in ``blocked`` cycles. With ``gaps`` the input has beats without a
    tuple. ``sizes`` are the sizes of the memory's ports, ``built`` the sizes of the queues.
    """

    beats = staticmethod(beats_of)

    def __init__(
        self, plan, seed, *, stall_in=0.0, stall_out=0.0, blocked=range(0), gaps=False, **memory
    ):
        self.plan, self.rng, self.blocked = plan, random.Random(str(seed)), blocked
        if gaps:
            self.beats = lambda streams: with_gaps(beats_of(streams), random.Random(str(seed)))
        sizes = {"buffer_lines": max(16, plan.lines.segments.unit_lines)} | memory.pop("sizes", {})
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
        """Feeds streams until all windows and ends have come and nothing moves."""
        self.source = Source(self.dut.i, self.beats(streams), self.stalls[0], self.rng)
        self.sinks = [
            Sink(port, self.stalls[1], self.rng) for port in (self.dut.o, self.dut.evicted)
        ]
        self.cycles = 0

        async def bench(ctx):
            await self.drive(ctx, windows)

        simulate(self.dut, bench)
        return self

    def run_after_reset(self, earlier, streams, windows):
        """Runs streams after a reset in the middle of other streams, when the memory is quiet."""
        dut, reset = self.dut, Signal()
        earlier = Source(dut.i, self.beats(earlier), 0.1, self.rng)

        async def test(ctx):
            ctx.set(dut.bases, self.bases)
            await self.abandon(ctx, earlier)
            ctx.set(reset, 1)
            await ctx.tick()
            ctx.set(reset, 0)
            for slave in self.slaves:
                slave.pending = dict.fromkeys(slave.pending)
            self.source = Source(dut.i, self.beats(streams), 0, self.rng)
            self.sinks = [Sink(p, 0.2, self.rng) for p in (dut.o, dut.evicted)]
            self.cycles = 0
            await self.drive(ctx, windows)

        simulate(ResetInserter(reset)(dut), test)

    async def abandon(self, ctx, before):
        """Feeds a part of a source, and waits until no burst is under way."""
        together, slave_ports = Together(), [p for s in self.slaves for p in s.ports]
        stop, cycle, i = self.rng.randrange(20, 200), 0, self.dut.i
        while cycle < stop or not all(slave.idle for slave in self.slaves):
            for side in (before, *self.slaves):
                side.drive(together)
            together.apply(ctx)
            _, _, *sampled = await ctx.tick().sample(
                i.valid, i.ready, as_unsigned(i.p), *slave_ports
            )
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
        status = [dut.busy, dut.failed, *(dut.events[name] for name in counters)]
        self.counted, self.has_failed = dict.fromkeys(counters, 0), False
        ctx.set(dut.bases, self.bases)
        while quiet < 40:
            for side in (*sides, *self.slaves):
                side.drive(together)
            if self.cycles in self.blocked:
                together.set(dut.o.ready, 0)
            together.apply(ctx)
            _, _, busy, failed, *sampled = await ctx.tick().sample(*status, *ports)
            self.has_failed |= bool(failed)
            assert busy or all(slave.idle for slave in self.slaves), "a burst is under way"
            for name in counters:
                self.counted[name] += sampled.pop(0)
            has_moved = False
            for k, (side, rule) in enumerate(zip(sides, rules, strict=True)):
                rule.sample(self.cycles, *sampled[3 * k : 3 * k + 3])
                has_moved |= side.sample(self.cycles, *sampled[3 * k : 3 * k + 3])
            for k, slave in enumerate(self.slaves):
                has_moved |= slave.sample(*sampled[9 + 5 * k : 14 + 5 * k])
            self.cycles += 1
            last = self.cycles if has_moved else last
            is_over = self.source.is_complete and not busy and self.windows_seen() >= windows
            quiet = quiet + 1 if is_over and not has_moved else 0
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
    def overflowed(self):
        """For each window and end of a stream, whether it is wrong because blocks gave way."""
        lasts = [beat["passenger"] for beat in self.sinks[0].run.payloads if beat["last"]]
        return [bool(info["error"] and info["passenger"]["overflow"]) for info in lasts]

    @property
    def windows(self):
        """Windows as (key, number, items, error), with None for the end of a stream."""
        result, items = [], []
        for beat in self.sinks[0].run.payloads:
            lanes = range(self.plan.line_format.lanes)
            items += [beat["tuples"][k] for k in lanes if beat["valid"] >> k & 1]
            if beat["last"]:
                window_info = beat["passenger"]["passenger"]
                error = beat["passenger"]["error"]
                if window_info["end"]:
                    assert not items
                    result.append(None)
                else:
                    assert len(items) <= window_info["bound"]
                    result.append((window_info["key"], window_info["window"], items, error))
                items = []
        return result

    @property
    def evicted(self):
        """Pairs (key, arrival) of evicted keys, with None for the end of a stream."""
        result = []
        for beat in self.sinks[1].run.payloads:
            eviction = beat["tuples"][0]
            result += [(eviction["key"], eviction["arrival"])] if beat["valid"] else []
            result += [None] if beat["last"] else []
        return result


def check(plan, streams, seed, **options):
    answer = Answer(plan, streams)
    bench = Bench(plan, seed, **options).run(streams, len(answer.windows))
    assert [w and w[:3] for w in bench.windows] == answer.windows
    assert not any(w[3] for w in bench.windows if w)
    assert bench.evicted == answer.evicted
    counted = bench.counted
    assert counted["window_values"] == answer.values
    if plan.store.ring is None:
        assert counted["m3_window_values"] == answer.values - answer.on_chip
        assert plan.memory != "mlq" or bench.read == answer.lines
    assert counted["collision"] == sum(key is not None for key in answer.evicted)
    return bench, answer


MEMORIES = {
    "quick": {},
    "late": {"latency": 20, "delay": 30},
    "restless": {"delay": 12, "stall": 0.3, "stall_in": 0.3, "stall_out": 0.4},
}
