"""Checks the pane gate: which items pass, in which cycles, and which streams are swallowed."""

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
    """Settings of one stream."""

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
    def window_ports(self):
        """Values of ``size``, ``step``, ``stamp`` and ``stride`` for the stream."""
        pane = gcd(self.range, self.slide)
        return self.range // pane, self.slide // pane, self.start + self.range, self.slide


def stream_of(rng, windows, previous_lengths, count):
    """Returns the items of a stream at the input of the gate, and the items at its output.

    The stream has ``count`` items and an end without a tuple.
    """
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
            "changed": int(windows.lengths != previous_lengths),
            "context": vars(windows),
        }
        lengths = {"range": pane, "slide": pane, "slack": windows.slack + windows.slide - pane}
        time = max(0, item["punctuation"] - pane) if last else item["time"]
        items.append(item)
        context = {**lengths, "start": windows.start}
        panes.append(item | {"time": time, "context": context})
    return items, panes


def random_windows(rng, count):
    """Returns random settings for about ``count`` streams; the first lengths are 0.

    Lengths often repeat, and some have too many panes or are not allowed.
    """
    windows = [Windows(0, 0, 0, rng.randrange(-9, 9))]
    while len(windows) < count:
        pane = rng.randint(1, 7)
        size = rng.randint(1, PANES + 1)
        lengths = (pane * size, pane * rng.randint(1, size), rng.getrandbits(WIDTH))
        lengths = rng.choice([lengths, lengths, (9, 0, 1), (4, 5, 0), (0, 3, 3)])
        for _ in range(rng.choice([1, 1, 3])):
            windows.append(Windows(*lengths, rng.randrange(-(1 << WIDTH), 1 << WIDTH)))
    return [w for w in windows if w.range < 1 << WIDTH]


class GateReceiver:
    """Stands for the window modules: accepts items, and sends ``stream_done`` for each stream.

    ``stream_done`` is high while the last item is offered but not accepted (``early``), in the
    cycle of its transfer (``now``), later (``late``), or, as if the modules swallowed the stream,
    in the cycle after the transfer of the first item (``swallow``).
    """

    def __init__(self, dut, streams, rng, stall):
        self.dut, self.rng, self.stall = dut, rng, stall
        self.streams, self.panes, self.cycles = streams, [], 0
        self.seen = 0  # number of streams whose first item was offered
        self.stream_open = False

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
                await self._accept(ctx, windows, int(way == "now"))
            else:
                await self._accept(ctx, windows)
            if k == 0 and way == "swallow":
                await self._cycle(ctx, windows, 0, 1)
        if way == "late":
            for _ in range(self.rng.choice([0, 1, 2, 20])):
                await self._cycle(ctx, windows, 1, 0)
            await self._cycle(ctx, windows, 1, 1)

    async def _until_offered(self, ctx, windows):
        while not (await self._cycle(ctx, windows, 0, 0))[0]:
            pass

    async def _accept(self, ctx, windows, stream_done=0):
        while True:
            willing = stream_done or self.rng.random() >= self.stall
            valid, bits = await self._cycle(ctx, windows, int(willing), stream_done)
            if valid and willing:
                self.panes.append(decode(self.dut.o.p.shape(), bits))
                return

    async def _cycle(self, ctx, windows, ready, stream_done):
        dut = self.dut
        ctx.set(dut.o.ready, ready)
        ctx.set(dut.stream_done, stream_done)
        window_ports = (dut.size, dut.step, dut.stamp, dut.stride)
        _, _, valid, bits, *settings = await ctx.tick().sample(
            dut.o.valid, dut.o.p.as_value(), *window_ports
        )
        ctx.set(dut.stream_done, 0)
        ctx.set(dut.o.ready, 0)
        previous_left = len(self.panes) == sum(len(panes) for _, panes in self.streams[: self.seen])
        if previous_left and valid:
            assert not self.stream_open, "a stream is offered before the previous stream has left"
            self.stream_open, self.seen = True, self.seen + 1
        if self.stream_open:
            assert tuple(settings) == windows.window_ports
        if stream_done:
            self.stream_open = False
        self.cycles += 1
        assert self.cycles < 20_000, "hang"
        return valid, bits


@dataclass(frozen=True)
class Cycle:
    """Signals of the gate in one cycle; ``item`` is the index of the item on offer, or None."""

    item: int | None
    ready: int
    bad_setting: int
    overrun: int
    swallows: int
    swallowed_end: int


def feeder(dut, payloads, stall, rng, seen):
    """Returns a process that offers items with gaps, in which ``i`` carries random data.

    In gaps inside a stream the settings stay those of the stream.

    The process appends a :class:`Cycle` to ``seen`` for each cycle.
    """
    layout = dut.i.p.shape()
    ports = dut.i.ready, dut.bad_setting, dut.overrun, dut.swallows, dut.swallowed_end

    async def cycle(ctx, payload, item=None):
        ctx.set(dut.i.p.as_value(), encode(layout, payload))
        ctx.set(dut.i.valid, item is not None)
        _, _, *sampled = await ctx.tick().sample(*ports)
        seen.append(Cycle(item, *sampled))
        assert len(seen) < 20_000, "hang"
        return seen[-1].ready

    async def process(ctx):
        between_streams = True
        for k, payload in enumerate(payloads):
            while rng.random() < stall:
                rubbish = decode(layout, rng.getrandbits(layout.size))
                await cycle(
                    ctx, rubbish | ({} if between_streams else {"context": payload["context"]})
                )
            while not await cycle(ctx, payload, k):
                pass
            between_streams = payload["last"]
        ctx.set(dut.i.valid, 0)

    return process


def check_notes(seen, payloads, fits):
    """Checks the notes of the gate.

    A stream that does not fit is swallowed: after its first item each item is accepted at once.
    Each valid item has an ``overrun``, the stream one ``bad_setting``. Other streams have no notes.
    """
    noted = 0
    for previous, current in pairwise([Cycle(None, 0, 0, 0, 0, 0), *seen]):
        item = None if current.item is None else payloads[current.item]
        bad = item is not None and not fits[current.item]
        first = bad and (current.item == 0 or payloads[current.item - 1]["last"])
        transferred = bad and current.ready
        assert current.swallows == (transferred and not item["last"])
        assert current.swallowed_end == (transferred and item["last"])
        assert current.overrun == (transferred and item["valid"])
        assert transferred or not bad or first, "an item of a swallowed stream waits"
        # One pulse for each stream, in the cycle before its first item transfers.
        assert previous.bad_setting == (first and transferred)
        noted += current.bad_setting
    assert noted == sum(p["last"] for p, fit in zip(payloads, fits, strict=True) if not fit)


@pytest.mark.in_turn(5)
@pytest.mark.parametrize(("stall_in", "stall_out"), [(0.0, 0.0), (0.5, 0.5), (0.0, 0.7)])
@pytest.mark.parametrize("seed", range(3))
def test_streams_in_turn(seed, stall_in, stall_out):
    """``stream_done`` comes at various times; items and lengths at ``o`` are those of the panes."""
    rng = random.Random(f"{seed} {stall_in} {stall_out}")
    dut = PaneGate(row=ROW, width=WIDTH, panes_max=PANES)
    payloads, fits, streams, previous_lengths = [], [], [], (0, 0, 0)
    for windows in random_windows(rng, 50):
        items, panes = stream_of(rng, windows, previous_lengths, rng.choice([0, 0, 1, 2, 9]))
        previous_lengths = windows.lengths
        payloads += items
        fits += [windows.fits] * len(items)
        if windows.fits:
            streams.append((windows, panes))
    receiver, seen = GateReceiver(dut, streams, rng, stall_out), []
    feed = feeder(dut, payloads, stall_in, random.Random(seed), seen)
    simulate(dut, feed, receiver.run, streams={"i": dut.i, "o": dut.o})
    assert receiver.panes == [pane for _, panes in streams for pane in panes]
    check_notes(seen, payloads, fits)


def test_a_stream_waits_for_the_previous_stream():
    """Until ``stream_done`` no item of the next stream leaves."""
    dut = PaneGate(row=ROW, width=WIDTH, panes_max=PANES)
    rng, windows = random.Random(1), Windows(12, 4, 0, 0)
    one, _ = stream_of(rng, windows, (0, 0, 0), 1)
    two, _ = stream_of(rng, windows, windows.lengths, 1)
    with pytest.raises(HangError):
        run_streams(dut, {"i": one + two}, {"o": 4}, idle_timeout=50)
    assert len(run_streams(dut, {"i": one + two}, {"o": 4}, ports={"stream_done": 1})["o"]) == 4


def test_rate():
    """Only the first and the last item of a stream wait.

    The first item waits for a measurement if the lengths differ from the previous stream's.
    """
    dut = PaneGate(row=ROW, width=WIDTH, panes_max=PANES)
    rng, previous_lengths, payloads, firsts = random.Random(2), (0, 0, 0), [], []
    plan = [((12, 4, 3), 3), ((12, 4, 3), 2), ((12, 4, 3), 0), ((40, 5, 0), 2), ((9, 9, 9), 0)]
    for lengths, count in plan:
        items, _ = stream_of(rng, Windows(*lengths, 0), previous_lengths, count)
        firsts.append(len(payloads))
        payloads, previous_lengths = payloads + items, lengths
    runs = run_streams(dut, {"i": payloads}, {"o": len(payloads)}, ports={"stream_done": 1})
    input_cycles = runs["i"].cycles
    assert input_cycles == runs["o"].cycles
    gaps = [b - a for a, b in pairwise([-1, *input_cycles])]
    # With equal lengths the first item takes 2 cycles. A measurement adds one cycle to start, and
    # range / slide cycles, because slide divides range.
    assert [gaps[k] for k in firsts] == [2 + 1 + 3, 2, 2, 2 + 1 + 8, 2 + 1 + 1]
    inner = [(k, item) for k, item in enumerate(payloads) if k not in firsts]
    assert [gaps[k] for k, _ in inner] == [2 if item["last"] else 1 for _, item in inner]


def test_a_swallowed_stream_causes_no_stall():
    """Only the first item waits for the measurement; all others transfer in successive cycles."""
    dut = PaneGate(row=ROW, width=WIDTH, panes_max=PANES)
    rng, previous_lengths, payloads, firsts = random.Random(4), (0, 0, 0), [], []
    plan = [((0, 0, 0), 3), ((9, 0, 1), 3), ((9, 0, 1), 0), ((40, 1, 0), 9), ((40, 1, 0), 2)]
    for lengths, count in plan:
        items, _ = stream_of(rng, Windows(*lengths, 0), previous_lengths, count)
        firsts.append(len(payloads))
        payloads, previous_lengths = payloads + items, lengths
    input_cycles = run_streams(dut, {"i": payloads}, {"o": 0})["i"].cycles
    gaps = [b - a for a, b in pairwise([-1, *input_cycles])]
    # 40 slides are too many: the measurement stops after PANES + 1 cycles.
    assert [gaps[k] for k in firsts] == [2, 2 + 1, 2, 2 + 1 + PANES + 1, 2]
    assert {gaps[k] for k in range(len(gaps)) if k not in firsts} == {1}


def test_lengths_of_the_whole_width():
    """At the largest lengths slack + slide and start + range do not overflow."""
    dut = PaneGate(row=ROW, width=WIDTH, panes_max=2)
    max_length = (1 << WIDTH) - 1
    windows = Windows(max_length, max_length, max_length, -(1 << WIDTH))
    narrow = Windows(62, 31, max_length, max_length)
    rng = random.Random(3)
    pairs = []
    one, panes = stream_of(rng, windows, (0, 0, 0), 2)
    two, narrow_panes = stream_of(rng, narrow, windows.lengths, 2)
    one[-1]["punctuation"] = (1 << WIDTH + 1) - 1
    panes[-1] |= {"punctuation": (1 << WIDTH + 1) - 1, "time": (1 << WIDTH + 1) - 1 - max_length}

    async def bench(ctx):
        ctx.set(dut.o.ready, 1)
        for items, expected, settings in ((one, panes, windows), (two, narrow_panes, narrow)):
            for item, pane in zip(items, expected, strict=True):
                ctx.set(dut.i.p.as_value(), encode(dut.i.p.shape(), item))
                ctx.set(dut.i.valid, 1)
                (bits,) = await ctx.tick().sample(dut.o.p.as_value()).until(dut.i.ready)
                pairs.append((decode(dut.o.p.shape(), bits), pane))
            ctx.set(dut.i.valid, 0)
            ctx.set(dut.stream_done, 1)
            window_ports = await ctx.tick().sample(dut.size, dut.step, dut.stamp, dut.stride)
            ctx.set(dut.stream_done, 0)
            pane = gcd(settings.range, settings.slide)
            sizes = (settings.range // pane, settings.slide // pane)
            assert window_ports[2:] == (*sizes, settings.start + settings.range, settings.slide)

    simulate(dut, bench)
    assert [actual for actual, _ in pairs] == [expected for _, expected in pairs]
