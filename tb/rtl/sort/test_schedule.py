"""Checks the turns of chunks against the rules of the docstring, with modelled stores."""

import random
from collections import deque
from dataclasses import dataclass

import pytest

from rtl.sort.schedule import ChunkSchedule
from tb.bench.payload import decode
from tb.bench.sides import as_unsigned
from tb.bench.unit import simulate

PLACES, SLOTS = 16, 2


@dataclass(eq=False)
class Window:
    """A window inside a store, with its remaining events."""

    store: int
    place: int
    ordered: int = 0  # chunks that have had their turn
    written: int = 0
    complete: bool = False
    granted: bool = False
    lasts: int = 0  # cycles until the window has left


def records_of(streams):
    """Returns the records of streams (beats of a window, chunks, windows, chunks cut short)."""
    previous_beats, records = 0, []
    for beats, chunks, windows, cut_chunks in streams:
        for number in range(windows + bool(cut_chunks)):
            for k in range(chunks if number < windows else cut_chunks):
                final = k == chunks - 1
                marks = {"first": k == 0, "final": final, "changed": beats != previous_beats}
                records.append(marks | {"beats": beats, "end": False})
                previous_beats = beats if final else previous_beats
        end = {"first": not cut_chunks, "final": True, "end": True}
        records.append(end | {"beats": beats, "changed": beats != previous_beats})
    return records


class Bench:
    def __init__(self, stores, one_tree, streams, seed):
        self.dut = ChunkSchedule(8, stores, PLACES, one_tree=one_tree)
        self.stores, self.one_tree, self.rng = stores, one_tree, random.Random(seed)
        self.records = deque(records_of(streams))
        self.windows, self.arriving = [], deque()
        self.store, self.fresh, self.aborts, self.direct = 0, True, 0, 0
        self.together = 0  # cycles in which a window begins and another window leaves
        simulate(self.dut, self.run)

    def chance(self, share=0.5):
        return self.rng.random() < share

    async def run(self, ctx):
        dut, cycle, offers = self.dut, 0, False
        while self.records or self.windows:
            cycle += 1
            assert cycle < 20_000
            offers = bool(self.records) and (offers or self.chance(0.8))
            if offers:
                ctx.set(dut.chunks.p, self.records[0] | {"timed": 0})
            store = ctx.get(dut.store) if self.stores > 1 else 0
            store_windows = [w for w in self.windows if w.store == store]
            room, place = len(store_windows) < SLOTS and self.chance(0.8), self.rng.randrange(8)
            written = self.arriving.popleft() if self.arriving and self.chance(0.3) else None
            granted, finished = self.serve()
            for port, value in (
                *((dut.chunks.valid, offers), (dut.turns.ready, self.chance(0.7))),
                *((dut.room, room), (dut.place, place), (dut.written, written is not None)),
                *((dut.granted, granted is not None), (dut.finished, finished is not None)),
            ):
                ctx.set(port, value)
            if ctx.get(dut.begins) and self.chance(0.8):
                finished = self.leaver(finished)
                ctx.set(dut.finished, finished is not None)
            turns = dut.turns
            _, _, valid, ready, chunk_taken, tag, begins, abort, beats = await ctx.tick().sample(
                turns.valid,
                turns.ready,
                dut.chunks.ready,
                as_unsigned(turns.p),
                dut.begins,
                dut.abort,
                dut.beats,
            )
            turn = bool(valid and ready)
            assert turn == bool(offers and chunk_taken)
            assert bool(begins) <= turn
            if turn:
                self.follow(decode(turns.p.shape(), tag), begins, room, place, store, beats)
            offers = offers and not turn
            if written is not None:
                written.written += 1
            if abort:
                self.forget()
            if granted is not None:
                granted.granted, self.fresh = True, False
            if finished is not None:
                self.windows.remove(finished)

    def serve(self):
        """Merges the oldest window once it is complete; merging takes a random time."""
        if not self.windows:
            return None, None
        oldest = self.windows[0]
        if not oldest.granted:
            complete = oldest.complete and oldest.written == oldest.ordered
            oldest.lasts = self.rng.randrange(1, 30)
            return (oldest if complete and self.chance() else None), None
        oldest.lasts -= 1
        return None, (None if oldest.lasts else oldest)

    def leaver(self, finished):
        """Returns the window that leaves in a cycle in which another window begins, or None."""
        may_leave = bool(self.windows) and self.windows[0].granted
        self.together += may_leave
        return self.windows[0] if may_leave else finished

    def follow(self, tag, begins, room, place, store, beats):
        record = self.records.popleft()
        large = not record["end"] and not (record["first"] and record["final"])
        assert (tag["end"], tag["stored"], tag["merged"]) == (record["end"], large, 0)
        assert bool(begins) == (large and record["first"])
        if not large:  # the store must hold no window
            assert not self.windows
            self.fresh |= record["end"]
            self.direct += not record["end"]
            return
        if begins:
            assert room
            assert (beats, store) == (record["beats"], self.store)
            assert not (record["changed"] and self.windows)
            assert not (self.one_tree and self.fresh and self.windows)
            self.windows.append(Window(store, place))
        newest = self.windows[-1]
        assert (tag["store"], tag["place"]) == (newest.store, newest.place + newest.ordered)
        newest.ordered += 1
        newest.complete = bool(record["final"])
        self.arriving.append(newest)
        if newest.complete:
            self.store = (self.store + 1) % self.stores

    def forget(self):
        """Checks that the newest window is cut short, alone, and has all its chunks written."""
        assert self.records[0]["end"]
        (window,) = self.windows
        assert not window.complete
        assert window.written == window.ordered
        self.windows.clear()
        self.aborts += 1


def some_streams(rng, count):
    """Draws streams of single-chunk windows and of larger ones, some of them cut short."""
    streams = []
    for _ in range(count):
        beats = rng.choice([1, 2, 6, 8])
        chunks = -(-beats // 2)
        cut_chunks = rng.randrange(chunks) if rng.random() < 0.7 else 0
        streams.append((beats, chunks, rng.choice([0, 1, 2, 5]), cut_chunks))
    return streams


@pytest.mark.in_turn(5)
@pytest.mark.parametrize(("stores", "one_tree"), [(1, True), (1, False), (2, False)])
def test_turns(stores, one_tree):
    streams = some_streams(random.Random(stores), 80)
    bench = Bench(stores, one_tree, streams, seed=5)
    assert bench.aborts == sum(cut_chunks > 0 for *_, cut_chunks in streams) > 5
    assert bench.direct == sum(windows for _, chunks, windows, _ in streams if chunks == 1) > 5
    assert bench.together > 2
