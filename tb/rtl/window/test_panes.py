"""The gate in front of the panes: what it lets through, how soon, and what it swallows."""

import random
from dataclasses import dataclass
from itertools import pairwise
from math import gcd

import pytest
from amaranth.hdl import unsigned
from amaranth.lib import data

from rtl.window.panes import PaneGate
from sim.errors import HangError
from tb.bench.payload import decode, encode
from tb.bench.unit import run_streams, simulate

ROW = data.StructLayout({"x": unsigned(4)})
WIDTH, PANES = 6, 8


@dataclass(frozen=True)
class Windows:
    """Of one stream."""

    range: int
    slide: int
    slack: int
    start: int

    @property
    def lengths(self):
        return self.range, self.slide, self.slack

    @property
    def fits(self):
        return 0 < self.slide <= self.range <= PANES * gcd(self.range, self.slide)

    @property
    def beside(self):
        """What the gate tells of the stream while it is inside."""
        pane = gcd(self.range, self.slide)
        return self.range // pane, self.slide // pane, self.start + self.range, self.slide


def stream_of(rng, windows, before, count):
    """Items of a stream, as what is in front gives them, and what must become of each."""
    pane = gcd(windows.range, windows.slide)
    items, panes = [], []
    for k in range(count + 1):
        last = k == count
        item = {
            "row": {"x": rng.randrange(16)},
            "time": rng.getrandbits(WIDTH),
            "punctuation": rng.choice([rng.getrandbits(WIDTH + 1), rng.randint(0, pane)]),
            "valid": 0 if last else rng.randrange(2),
            "last": int(last),
            "changed": int(windows.lengths != before),
            "context": vars(windows),
        }
        lengths = {"range": pane, "slide": pane, "slack": windows.slack + windows.slide - pane}
        time = max(0, item["punctuation"] - pane) if last else item["time"]
        items.append(item)
        context = {**lengths, "start": windows.start}
        panes.append(item | {"time": time, "context": context})
    return items, panes


def random_windows(rng, count):
    """Lengths often stay; some do not fit, and the very first are none."""
    found = [Windows(0, 0, 0, rng.randrange(-9, 9))]
    while len(found) < count:
        pane = rng.randint(1, 7)
        size = rng.randint(1, PANES + 1)
        lengths = (pane * size, pane * rng.randint(1, size), rng.getrandbits(WIDTH))
        lengths = rng.choice([lengths, lengths, (9, 0, 1), (4, 5, 0), (0, 3, 3)])
        for _ in range(rng.choice([1, 1, 3])):
            found.append(Windows(*lengths, rng.randrange(-(1 << WIDTH), 1 << WIDTH)))
    return [w for w in found if w.range < 1 << WIDTH]


class Behind:
    """What is behind the gate: takes items, and says when the last pane of a stream goes on.

    It does so while the last item waits (``early``), as it is taken (``now``), later (``late``), or
    for a stream that it swallows itself a cycle after its first item (``swallow``).
    """

    def __init__(self, dut, streams, rng, stall):
        self.dut, self.rng, self.stall = dut, rng, stall
        self.streams, self.panes, self.cycles = streams, [], 0
        self.seen = 0  # streams that have been shown
        self.inside = False

    async def run(self, ctx):
        for windows, panes in self.streams:
            way = self.rng.choice(["early", "now", "late", "swallow"])
            await self._stream(ctx, windows, panes, way)

    async def _stream(self, ctx, windows, panes, way):
        for k, pane in enumerate(panes):
            last = pane["last"]
            if last and way in ("early", "now"):
                await self._until_offered(ctx, windows)
                if way == "early":
                    await self._cycle(ctx, windows, 0, 1)
                await self._taken(ctx, windows, int(way == "now"))
            else:
                await self._taken(ctx, windows)
            if k == 0 and way == "swallow":
                await self._cycle(ctx, windows, 0, 1)
        if way == "late":
            for _ in range(self.rng.choice([0, 1, 2, 20])):
                await self._cycle(ctx, windows, 1, 0)
            await self._cycle(ctx, windows, 1, 1)

    async def _until_offered(self, ctx, windows):
        while not (await self._cycle(ctx, windows, 0, 0))[0]:
            pass

    async def _taken(self, ctx, windows, left=0):
        while True:
            willing = left or self.rng.random() >= self.stall
            valid, bits = await self._cycle(ctx, windows, int(willing), left)
            if valid and willing:
                self.panes.append(decode(self.dut.o.p.shape(), bits))
                return

    async def _cycle(self, ctx, windows, ready, left):
        dut = self.dut
        ctx.set(dut.o.ready, ready)
        ctx.set(dut.stream_done, left)
        beside = (dut.size, dut.step, dut.stamp, dut.stride)
        _, _, valid, bits, *told = await ctx.tick().sample(dut.o.valid, dut.o.p.as_value(), *beside)
        ctx.set(dut.stream_done, 0)
        ctx.set(dut.o.ready, 0)
        gone = len(self.panes) == sum(len(panes) for _, panes in self.streams[: self.seen])
        if gone and valid:
            assert not self.inside, "a stream is shown before the one before has left"
            self.inside, self.seen = True, self.seen + 1
        if self.inside:
            assert tuple(told) == windows.beside
        if left:
            self.inside = False
        self.cycles += 1
        assert self.cycles < 20_000, "hang"
        return valid, bits


@dataclass(frozen=True)
class Cycle:
    """What a feeder saw of the gate: ``item`` is the number of the one offered, None in a gap."""

    item: int | None
    ready: int
    bad_setting: int
    overrun: int
    swallows: int


def feeder(dut, payloads, stall, rng, seen):
    """Offers items with gaps, in which all is rubbish but the settings: they stay as they were.

    ``seen`` is given a :class:`Cycle` for each cycle.
    """
    layout = dut.i.p.shape()
    ports = dut.i.ready, dut.bad_setting, dut.overrun, dut.swallows

    async def cycle(ctx, payload, item=None):
        ctx.set(dut.i.p.as_value(), encode(layout, payload))
        ctx.set(dut.i.valid, item is not None)
        _, _, *sampled = await ctx.tick().sample(*ports)
        seen.append(Cycle(item, *sampled))
        assert len(seen) < 20_000, "hang"
        return seen[-1].ready

    async def process(ctx):
        between = True
        for k, payload in enumerate(payloads):
            while rng.random() < stall:
                rubbish = decode(layout, rng.getrandbits(layout.size))
                await cycle(ctx, rubbish | ({} if between else {"context": payload["context"]}))
            while not await cycle(ctx, payload, k):
                pass
            between = payload["last"]
        ctx.set(dut.i.valid, 0)

    return process


def check_notes(seen, payloads, fits):
    """Of a stream that does not ``fit`` every item is noted, and taken at once; of others none."""
    noted = 0
    for before, now in pairwise([Cycle(None, 0, 0, 0, 0), *seen]):
        item = None if now.item is None else payloads[now.item]
        bad = item is not None and not fits[now.item]
        first = bad and (now.item == 0 or payloads[now.item - 1]["last"])
        taken = bad and now.ready
        assert now.swallows == (taken and not item["last"])
        assert now.overrun == (taken and item["valid"])
        assert taken or not bad or first, "a stream that is swallowed is held"
        # Once for each, in the cycle before its first item is taken.
        assert before.bad_setting == (first and taken)
        noted += now.bad_setting
    assert noted == sum(p["last"] for p, fit in zip(payloads, fits, strict=True) if not fit)


@pytest.mark.parametrize(("stall_in", "stall_out"), [(0.0, 0.0), (0.5, 0.5), (0.0, 0.7)])
@pytest.mark.parametrize("seed", range(3))
def test_streams_one_behind_the_other(seed, stall_in, stall_out):
    """Whenever the stream before leaves: items are the same, lengths those of its panes."""
    rng = random.Random(f"{seed} {stall_in} {stall_out}")
    dut = PaneGate(row=ROW, width=WIDTH, panes_max=PANES)
    payloads, fits, streams, before = [], [], [], (0, 0, 0)
    for windows in random_windows(rng, 50):
        items, panes = stream_of(rng, windows, before, rng.choice([0, 0, 1, 2, 9]))
        before = windows.lengths
        payloads += items
        fits += [windows.fits] * len(items)
        if windows.fits:
            streams.append((windows, panes))
    behind, seen = Behind(dut, streams, rng, stall_out), []
    feed = feeder(dut, payloads, stall_in, random.Random(seed), seen)
    simulate(dut, feed, behind.run, streams={"i": dut.i, "o": dut.o})
    assert behind.panes == [pane for _, panes in streams for pane in panes]
    check_notes(seen, payloads, fits)


def test_a_stream_waits_for_the_one_before():
    """Until that is said to have left: of the next one nothing is shown, however long it takes."""
    dut = PaneGate(row=ROW, width=WIDTH, panes_max=PANES)
    rng, windows = random.Random(1), Windows(12, 4, 0, 0)
    one, _ = stream_of(rng, windows, (0, 0, 0), 1)
    two, _ = stream_of(rng, windows, windows.lengths, 1)
    with pytest.raises(HangError):
        run_streams(dut, {"i": one + two}, {"o": 4}, idle_timeout=50)
    assert len(run_streams(dut, {"i": one + two}, {"o": 4}, ports={"stream_done": 1})["o"]) == 4


def test_rate():
    """Nothing waits but the first item and the last: with other lengths as long as the measure."""
    dut = PaneGate(row=ROW, width=WIDTH, panes_max=PANES)
    rng, before, payloads, firsts = random.Random(2), (0, 0, 0), [], []
    plan = [((12, 4, 3), 3), ((12, 4, 3), 2), ((12, 4, 3), 0), ((40, 5, 0), 2), ((9, 9, 9), 0)]
    for lengths, count in plan:
        items, _ = stream_of(rng, Windows(*lengths, 0), before, count)
        firsts.append(len(payloads))
        payloads, before = payloads + items, lengths
    runs = run_streams(dut, {"i": payloads}, {"o": len(payloads)}, ports={"stream_done": 1})
    taken = runs["i"].cycles
    assert taken == runs["o"].cycles
    gaps = [b - a for a, b in pairwise([-1, *taken])]
    # With the same lengths a cycle more than in a stream; else one to start, and range / slide.
    assert [gaps[k] for k in firsts] == [2 + 1 + 3, 2, 2, 2 + 1 + 8, 2 + 1 + 1]
    inner = [(k, item) for k, item in enumerate(payloads) if k not in firsts]
    assert [gaps[k] for k, _ in inner] == [2 if item["last"] else 1 for _, item in inner]


def test_a_stream_that_is_swallowed_holds_nothing():
    """Its first item waits for the measure, and no other does, whatever is ready behind."""
    dut = PaneGate(row=ROW, width=WIDTH, panes_max=PANES)
    rng, before, payloads, firsts = random.Random(4), (0, 0, 0), [], []
    plan = [((0, 0, 0), 3), ((9, 0, 1), 3), ((9, 0, 1), 0), ((40, 1, 0), 9), ((40, 1, 0), 2)]
    for lengths, count in plan:
        items, _ = stream_of(rng, Windows(*lengths, 0), before, count)
        firsts.append(len(payloads))
        payloads, before = payloads + items, lengths
    taken = run_streams(dut, {"i": payloads}, {"o": 0})["i"].cycles
    gaps = [b - a for a, b in pairwise([-1, *taken])]
    # 40 slides are too many, which is found after PANES and one.
    assert [gaps[k] for k in firsts] == [2, 2 + 1, 2, 2 + 1 + PANES + 1, 2]
    assert {gaps[k] for k in range(len(gaps)) if k not in firsts} == {1}


def test_lengths_of_the_whole_width():
    """No sum is too wide: slack and slide in the slack, start and range in the stamp."""
    dut = PaneGate(row=ROW, width=WIDTH, panes_max=2)
    most = (1 << WIDTH) - 1
    windows = Windows(most, most, most, -(1 << WIDTH))
    narrow = Windows(62, 31, most, most)
    rng, found = random.Random(3), []
    one, panes = stream_of(rng, windows, (0, 0, 0), 2)
    two, more = stream_of(rng, narrow, windows.lengths, 2)
    one[-1]["punctuation"] = (1 << WIDTH + 1) - 1
    panes[-1] |= {"punctuation": (1 << WIDTH + 1) - 1, "time": (1 << WIDTH + 1) - 1 - most}

    async def bench(ctx):
        ctx.set(dut.o.ready, 1)
        for items, wanted, told in ((one, panes, windows), (two, more, narrow)):
            for item, pane in zip(items, wanted, strict=True):
                ctx.set(dut.i.p.as_value(), encode(dut.i.p.shape(), item))
                ctx.set(dut.i.valid, 1)
                (bits,) = await ctx.tick().sample(dut.o.p.as_value()).until(dut.i.ready)
                found.append((decode(dut.o.p.shape(), bits), pane))
            ctx.set(dut.i.valid, 0)
            ctx.set(dut.stream_done, 1)
            beside = await ctx.tick().sample(dut.size, dut.step, dut.stamp, dut.stride)
            ctx.set(dut.stream_done, 0)
            pane = gcd(told.range, told.slide)
            sizes = (told.range // pane, told.slide // pane)
            assert beside[2:] == (*sizes, told.start + told.range, told.slide)

    simulate(dut, bench)
    assert [got for got, _ in found] == [wanted for _, wanted in found]
