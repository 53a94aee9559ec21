"""Checks ChipMemory by a list of rows: bursts of random lengths in both directions, with stalls."""

import random
from dataclasses import dataclass, field

import pytest
from amaranth.hdl import ResetInserter, Signal

from rtl.memory.axi4 import INCR
from rtl.memory.chip_memory import OKAY, SLAVE_ERROR, ChipMemory
from tb.bench.unit import simulate


@dataclass
class Burst:
    """A burst: its ID, its first row, its byte address, and its beats with their strobes."""

    id: int
    row: int
    address: int
    beats: list[int]
    strobes: list[int] = field(default_factory=list)
    at: int = 0  # the next beat


class Master:
    """Sends bursts on both sides, of rows that no burst of the other side touches at the time."""

    def __init__(self, dut, depth, width, seed, stall):
        self.axi, self.depth, self.width = dut.axi, depth, width
        self.rng, self.stall = random.Random(str(seed)), stall
        self.rows = [None] * depth
        self.writes, self.reads = [], []  # bursts that are offered and not complete
        self.offers = {"aw": None, "ar": None}
        self.counts = {"aw": 0, "ar": 0, "errors": 0, "beats": 0}
        self.is_data_offered = False

    def busy_rows(self, bursts):
        return {(b.row + k) % self.depth for b in bursts for k in range(len(b.beats))}

    def offer(self, channel):
        """Makes an offer on a channel of addresses, if none is waiting."""
        if self.offers[channel] or self.rng.random() < self.stall:
            return
        length = self.rng.choice([1, 1, 2, 3, self.depth])
        row, above = self.rng.randrange(self.depth), self.rng.getrandbits(6)
        address = (above * self.depth + row) * self.width // 8  # bits above the memory are ignored
        burst = Burst(self.rng.randrange(16), row, address, [0] * length)
        touched = self.busy_rows([burst])
        others = self.reads if channel == "aw" else self.writes
        if touched & self.busy_rows(others):
            return
        if channel == "ar" and any(self.rows[row] is None for row in touched):
            return
        if channel == "aw":
            full_strobe = (1 << self.width // 8) - 1
            burst.beats = [self.rng.getrandbits(self.width) for _ in burst.beats]
            bad = self.rng.random() < 0.1
            burst.strobes = [
                self.rng.getrandbits(self.width // 8)
                if bad and self.rng.random() < 0.5
                else full_strobe
                for _ in burst.beats
            ]
        self.offers[channel] = burst
        (self.writes if channel == "aw" else self.reads).append(burst)

    def drive(self, ctx):
        axi, rng = self.axi, self.rng
        for channel in ("aw", "ar"):
            self.offer(channel)
            burst = self.offers[channel]
            ctx.set(getattr(axi, f"{channel}valid"), burst is not None)
            if burst is not None:
                ctx.set(getattr(axi, f"{channel}id"), burst.id)
                ctx.set(getattr(axi, f"{channel}addr"), burst.address)
                ctx.set(getattr(axi, f"{channel}len"), len(burst.beats) - 1)
                ctx.set(getattr(axi, f"{channel}burst"), INCR)
        self.data = next((b for b in self.writes if b.at < len(b.beats)), None)
        if self.data is None or (not self.is_data_offered and rng.random() < self.stall):
            ctx.set(axi.wvalid, 0)
            self.is_data_offered = False
        else:
            self.is_data_offered = True
            ctx.set(axi.wvalid, 1)
            ctx.set(axi.wdata, self.data.beats[self.data.at])
            ctx.set(axi.wstrb, self.data.strobes[self.data.at])
            ctx.set(axi.wlast, self.data.at == len(self.data.beats) - 1)
        ctx.set(axi.bready, rng.random() >= self.stall)
        ctx.set(axi.rready, rng.random() >= self.stall)

    def sample(self, ctx):
        axi = self.axi
        for channel in ("aw", "ar"):
            if self.offers[channel] and ctx.get(getattr(axi, f"{channel}ready")):
                self.offers[channel] = None
                self.counts[channel] += 1
        if self.is_data_offered and ctx.get(axi.wready):
            self.data.at += 1
            self.is_data_offered = False
        if ctx.get(axi.bvalid) and ctx.get(axi.bready):
            self.answer(ctx)
        if ctx.get(axi.rvalid) and ctx.get(axi.rready):
            self.take(ctx)

    def answer(self, ctx):
        burst, full_strobe = self.writes.pop(0), (1 << self.width // 8) - 1
        assert burst.at == len(burst.beats)
        assert ctx.get(self.axi.bid) == burst.id
        has_error = any(strobe != full_strobe for strobe in burst.strobes)
        assert ctx.get(self.axi.bresp) == (SLAVE_ERROR if has_error else OKAY)
        self.counts["errors"] += has_error
        for k, (beat, strobe) in enumerate(zip(burst.beats, burst.strobes, strict=True)):
            if strobe == full_strobe:
                self.rows[(burst.row + k) % self.depth] = beat

    def take(self, ctx):
        burst = self.reads[0]
        assert ctx.get(self.axi.rid) == burst.id
        assert ctx.get(self.axi.rresp) == OKAY
        assert ctx.get(self.axi.rdata) == self.rows[(burst.row + burst.at) % self.depth]
        burst.at += 1
        self.counts["beats"] += 1
        assert ctx.get(self.axi.rlast) == (burst.at == len(burst.beats))
        if burst.at == len(burst.beats):
            self.reads.pop(0)


def run(dut, master, cycles):
    async def bench(ctx):
        for _ in range(cycles):
            master.drive(ctx)
            await ctx.delay(1e-9)
            master.sample(ctx)
            await ctx.tick()

    simulate(dut, bench)


@pytest.mark.in_turn
@pytest.mark.parametrize("stall", [0.0, 0.4])
@pytest.mark.parametrize(("width", "depth", "kind"), [(128, 8, "block"), (512, 64, "ultra")])
def test_bursts_like_a_list(width, depth, kind, stall):
    dut = ChipMemory(data_width=width, address_width=20, depth=depth, kind=kind)
    master = Master(dut, depth, width, (width, stall), stall)
    run(dut, master, 1500)
    assert min(master.counts[name] for name in ("aw", "ar")) > 40
    assert master.counts["errors"] > 2
    assert master.counts["beats"] > 100


async def write_burst(ctx, axi, row, beats, strobe=~0):
    """Writes a burst, and returns the response; the strobe is that of the second beat."""
    ctx.set(axi.awvalid, 1)
    ctx.set(axi.awaddr, 16 * row)
    ctx.set(axi.awlen, len(beats) - 1)
    await ctx.tick().until(axi.awready)
    ctx.set(axi.awvalid, 0)
    for k, beat in enumerate(beats):
        ctx.set(axi.wvalid, 1)
        ctx.set(axi.wdata, beat)
        ctx.set(axi.wstrb, strobe if k == 1 else ~0)
        ctx.set(axi.wlast, k == len(beats) - 1)
        await ctx.tick().until(axi.wready)
    ctx.set(axi.wvalid, 0)
    ctx.set(axi.bready, 1)
    (response,) = await ctx.tick().sample(axi.bresp).until(axi.bvalid)
    ctx.set(axi.bready, 0)
    return response


async def read_burst(ctx, axi, row, count):
    """Reads a burst, and returns its beats."""
    ctx.set(axi.arvalid, 1)
    ctx.set(axi.araddr, 16 * row)
    ctx.set(axi.arlen, count - 1)
    await ctx.tick().until(axi.arready)
    ctx.set(axi.arvalid, 0)
    ctx.set(axi.rready, 1)
    beats = []
    for k in range(count):
        beat, last = await ctx.tick().sample(axi.rdata, axi.rlast).until(axi.rvalid)
        assert last == (k == count - 1)
        beats.append(beat)
    ctx.set(axi.rready, 0)
    return beats


@pytest.mark.parametrize("cut", range(1, 12))
def test_a_reset_drops_bursts_and_keeps_the_contents(cut):
    """Resets in each cycle of a write with a wrong strobe and of a read, each of four beats.

    The bursts after the reset are right: no row, error or beat is left of the bursts before.
    """
    dut, reset = ChipMemory(data_width=128, address_width=13, depth=16), Signal()
    axi, rows = dut.axi, [100 + row for row in range(16)]

    async def bench(ctx):
        assert await write_burst(ctx, axi, 0, rows) == OKAY
        for cycle in range(cut):
            ctx.set(axi.awvalid, cycle == 0)
            ctx.set(axi.awaddr, 16 * 4)
            ctx.set(axi.awlen, 3)
            ctx.set(axi.wvalid, 0 < cycle <= 4)
            ctx.set(axi.wdata, 200 + cycle)
            ctx.set(axi.wstrb, 1)
            ctx.set(axi.wlast, cycle == 4)
            ctx.set(axi.arvalid, cycle == 0)
            ctx.set(axi.araddr, 16 * 8)
            ctx.set(axi.arlen, 3)
            ctx.set(axi.rready, cycle % 2)
            ctx.set(reset, cycle == cut - 1)
            await ctx.tick()
        for signal in (reset, axi.awvalid, axi.wvalid, axi.arvalid, axi.rready):
            ctx.set(signal, 0)
        assert await read_burst(ctx, axi, 0, 16) == rows
        assert await write_burst(ctx, axi, 12, [300, 301]) == OKAY
        assert await read_burst(ctx, axi, 10, 6) == [*rows[10:12], 300, 301, *rows[14:]]
        assert await write_burst(ctx, axi, 12, [400, 401], strobe=1) == SLAVE_ERROR
        assert await read_burst(ctx, axi, 12, 2) == [400, 301]

    simulate(ResetInserter(reset)(dut), bench)


def test_latency_and_a_beat_in_every_cycle():
    """Two write bursts, then two read bursts, all of two beats, one directly after the other."""
    dut = ChipMemory(data_width=128, address_width=13, depth=8)
    axi, seen = dut.axi, {"b": [], "r": []}

    async def bench(ctx):
        ctx.set(axi.bready, 1)
        ctx.set(axi.rready, 1)
        ctx.set(axi.wstrb, ~0)
        ctx.set(axi.awlen, 1)
        ctx.set(axi.arlen, 1)
        for cycle in range(24):
            ctx.set(axi.awvalid, cycle in (0, 1))
            ctx.set(axi.awaddr, 32 * cycle)
            ctx.set(axi.wvalid, cycle in (1, 2, 3, 4))
            ctx.set(axi.wdata, cycle)
            ctx.set(axi.wlast, cycle in (2, 4))
            ctx.set(axi.arvalid, cycle in (10, 11))
            ctx.set(axi.araddr, 32 * (cycle - 10))
            for channel in ("b", "r"):
                if ctx.get(getattr(axi, f"{channel}valid")):
                    seen[channel].append((cycle, ctx.get(axi.rdata)))
            await ctx.tick()

    simulate(dut, bench)
    assert [cycle for cycle, _ in seen["b"]] == [3, 5]  # a cycle after the last beat
    first = 10 + ChipMemory.latency
    assert seen["r"] == [(first + k, 1 + k) for k in range(4)]


def test_sizes():
    assert ChipMemory.depth_of(1, 128) == 2
    assert ChipMemory.depth_of(4096, 512) == 64
    assert ChipMemory.depth_of(4097, 512) == 128
    with pytest.raises(ValueError, match=r"^address_width must be at least 14 "):
        ChipMemory(data_width=512, address_width=13, depth=256)
