"""Checks the places of windows, and when they are free again, against a list of windows inside."""

import random
from collections import deque

import pytest

from rtl.sort.window_slots import WindowSlots
from tb.bench.unit import simulate

LANES, ROWS = 2, 4


def places_of(chunks, places, count):
    """Returns the first places of ``count`` windows by the docstring's rules, and the maximum."""
    slots = min(4, places // 2)
    size = places // slots
    step = next(s for s in (1, 2, 4) if s * size >= chunks)
    return [k * step % slots * size for k in range(count)], slots // step


class Store:
    """Begins, writes, takes and fetches windows at random times."""

    def __init__(self, places, beats, count, seed):
        self.dut = WindowSlots(LANES, ROWS, places)
        self.beats, self.count, self.rng = beats, count, random.Random(seed)
        self.chunks = -(-beats // ROWS)
        self.first_places, self.alone_flags, self.taken_count = [], [], 0
        self.writes, self.written = deque(), []
        self.readers_left = []  # readers that are still fetching the window taken last
        self.inside_count = self.greatest = 0
        simulate(self.dut, self.run)

    def chance(self):
        return self.rng.random() < 0.5

    async def run(self, ctx):
        dut = self.dut
        ctx.set(dut.beats, self.beats)
        while self.taken_count < self.count or self.readers_left:
            begins = ctx.get(dut.room) and len(self.first_places) < self.count and self.chance()
            ctx.set(dut.begins, begins)
            written_place = self.writes.popleft() if self.writes and self.chance() else None
            ctx.set(dut.done, written_place is not None)
            ctx.set(dut.done_place, written_place or 0)
            fetched = self.some_fetch()
            ctx.set(dut.fetched, sum(1 << k for k in fetched))
            accepts = not self.readers_left and self.chance()
            ctx.set(dut.job.ready, accepts)
            is_taken = accepts and ctx.get(dut.job.valid)
            job, place = ctx.get(dut.job.p), ctx.get(dut.place)
            await ctx.tick()
            if begins:
                self.first_places.append(place)
                self.alone_flags.append(not self.inside_count)
                self.writes += [place + k for k in range(self.chunks)]
                self.inside_count += 1
                self.greatest = max(self.greatest, self.inside_count)
            if written_place is not None:
                self.written.append(written_place)
            for k in fetched:
                self.readers_left.remove(k)
            self.inside_count -= bool(fetched) and not self.readers_left
            if is_taken:
                tail = (self.beats - 1) % ROWS + 1
                place = self.first_places[self.taken_count]
                assert job == {"base": place * ROWS, "lists": self.chunks, "tail": tail}
                self.taken_count += 1
                self.readers_left = list(range(LANES))
            await self.check_available(ctx)

    def some_fetch(self):
        """Draws the readers that finish; all chunks of their window must have been written."""
        if len(self.written) < self.taken_count * self.chunks:
            return []
        return [k for k in self.readers_left if self.chance()]

    async def check_available(self, ctx):
        """Checks ``available`` after two idle cycles: the chunks of the window taken last."""
        if not self.readers_left or self.chance():
            return
        for port in ("begins", "done", "fetched"):
            ctx.set(getattr(self.dut, port), 0)
        ctx.set(self.dut.job.ready, 0)
        await ctx.tick().repeat(2)
        arrived = len(self.written) - (self.taken_count - 1) * self.chunks
        assert ctx.get(self.dut.available) == min(self.chunks, arrived)


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("places", [2, 4, 16])
@pytest.mark.parametrize("share", [0.0, 0.3, 0.6, 1.0])
def test_windows_of_one_size(places, share):
    chunks = 2 + int(share * (places - 2))
    for beats in ((chunks - 1) * ROWS + 1, chunks * ROWS):
        store = Store(places, beats, 30, seed=beats)
        first, greatest = places_of(chunks, places, 30)
        if greatest == 1:
            assert set(store.first_places) == {0}
        else:
            ring = first[:greatest]
            successive = zip(
                store.first_places, store.first_places[1:], store.alone_flags[1:], strict=False
            )
            for previous, place, is_alone in successive:
                following = ring[(ring.index(previous) + 1) % greatest]
                assert place == (0 if is_alone else following)
        assert store.greatest == greatest


def test_the_size_changes_while_no_window_is_inside():
    """After a window of 16 chunks four windows of 2 chunks fit, then two of 5, and one of 16."""
    dut = WindowSlots(LANES, ROWS, 16)

    async def bench(ctx):
        for chunks, places in ((16, [0]), (2, [0, 4, 8, 12]), (5, [0, 8]), (16, [0])):
            ctx.set(dut.beats, chunks * ROWS)
            for place in places:
                await ctx.tick().repeat(3)
                assert (ctx.get(dut.room), ctx.get(dut.place)) == (1, place)
                ctx.set(dut.begins, 1)
                await ctx.tick()
                ctx.set(dut.begins, 0)
            await ctx.tick().repeat(3)
            assert not ctx.get(dut.room)
            for place in places:
                assert ctx.get(dut.job.valid)
                job = {"base": place * ROWS, "lists": chunks, "tail": ROWS}
                assert ctx.get(dut.job.p) == job
                ctx.set(dut.job.ready, 1)
                await ctx.tick()
                ctx.set(dut.job.ready, 0)
                ctx.set(dut.done, 1)
                for k in range(chunks):
                    ctx.set(dut.done_place, place + k)
                    await ctx.tick()
                ctx.set(dut.done, 0)
                await ctx.tick()
                assert ctx.get(dut.available) == chunks
                ctx.set(dut.fetched, (1 << LANES) - 1)
                await ctx.tick()
                ctx.set(dut.fetched, 0)

    simulate(dut, bench)


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
