"""Where windows come to lie and when they are free again, against a list of those inside."""

import random
from collections import deque

import pytest

from rtl.sort.window_slots import WindowSlots
from tb.bench.unit import simulate

LANES, ROWS = 2, 4


def places_of(chunks, places, count):
    """First places of ``count`` windows: as in the docstring."""
    slots = min(4, places // 2)
    size = places // slots
    step = next(s for s in (1, 2, 4) if s * size >= chunks)
    return [k * step % slots * size for k in range(count)], slots // step


class Store:
    """Begins windows, writes their chunks, takes them as jobs and fetches them, by chance."""

    def __init__(self, places, beats, count, seed):
        self.dut = WindowSlots(LANES, ROWS, places)
        self.beats, self.count, self.rng = beats, count, random.Random(seed)
        self.chunks = -(-beats // ROWS)
        self.begun, self.taken = [], 0
        self.writes, self.written = deque(), []
        self.left = []  # readers that have not fetched all of the window taken last
        self.inside = self.most = 0
        simulate(self.dut, self.run)

    def chance(self):
        return self.rng.random() < 0.5

    async def run(self, ctx):
        dut = self.dut
        ctx.set(dut.beats, self.beats)
        while self.taken < self.count or self.left:
            begins = ctx.get(dut.room) and len(self.begun) < self.count and self.chance()
            ctx.set(dut.begins, begins)
            done = self.writes.popleft() if self.writes and self.chance() else None
            ctx.set(dut.done, done is not None)
            ctx.set(dut.done_place, done or 0)
            fetched = self.some_fetch()
            ctx.set(dut.fetched, sum(1 << k for k in fetched))
            takes = not self.left and self.chance()
            ctx.set(dut.job.ready, takes)
            taken = takes and ctx.get(dut.job.valid)
            job, place = ctx.get(dut.job.p), ctx.get(dut.place)
            await ctx.tick()
            if begins:
                self.begun.append(place)
                self.writes += [place + k for k in range(self.chunks)]
                self.inside += 1
                self.most = max(self.most, self.inside)
            if done is not None:
                self.written.append(done)
            for k in fetched:
                self.left.remove(k)
            self.inside -= bool(fetched) and not self.left
            if taken:
                tail = (self.beats - 1) % ROWS + 1
                place = self.begun[self.taken]
                assert job == {"base": place * ROWS, "lists": self.chunks, "tail": tail}
                self.taken += 1
                self.left = list(range(LANES))
            await self.check_available(ctx)

    def some_fetch(self):
        """Readers finish when all chunks of their window have been written for a while."""
        if len(self.written) < self.taken * self.chunks:
            return []
        return [k for k in self.left if self.chance()]

    async def check_available(self, ctx):
        """Once nothing more happens for two cycles, the chunks of the window taken last."""
        if not self.left or self.chance():
            return
        for port in ("begins", "done", "fetched"):
            ctx.set(getattr(self.dut, port), 0)
        ctx.set(self.dut.job.ready, 0)
        await ctx.tick().repeat(2)
        there = len(self.written) - (self.taken - 1) * self.chunks
        assert ctx.get(self.dut.available) == min(self.chunks, there)


@pytest.mark.parametrize("places", [2, 4, 16])
@pytest.mark.parametrize("share", [0.0, 0.3, 0.6, 1.0])
def test_windows_of_one_size(places, share):
    chunks = 2 + int(share * (places - 2))
    for beats in ((chunks - 1) * ROWS + 1, chunks * ROWS):
        store = Store(places, beats, 30, seed=beats)
        first, most = places_of(chunks, places, 30)
        if most == 1:
            assert set(store.begun) == {0}
        else:
            around = first[:most]
            for a, b in zip(store.begun, store.begun[1:], strict=False):
                assert b in (0, around[(around.index(a) + 1) % most])  # 0 too when none was inside
        assert store.most == most


def test_an_abort_forgets_the_only_window():
    dut = WindowSlots(LANES, ROWS, 16)

    async def bench(ctx):
        for _ in range(3):
            await ctx.tick().until(dut.room)
            assert ctx.get(dut.place) == 0
            ctx.set(dut.beats, 9)
            ctx.set(dut.begins, 1)
            await ctx.tick()
            ctx.set(dut.begins, 0)
            assert ctx.get(dut.job.valid)
            ctx.set(dut.abort, 1)
            assert not ctx.get(dut.job.valid)
            await ctx.tick()
            ctx.set(dut.abort, 0)
            assert not ctx.get(dut.job.valid)

    simulate(dut, bench)
