"""Allots places of a chunk store to windows, and counts the chunks that have arrived."""

from amaranth.hdl import Array, Module, Mux, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.network.plan import log2
from rtl.sort.way_sequencer import job_layout

#: Greatest number of windows in a store.
SLOTS = 4


class WindowSlots(wiring.Component):
    """Allots places in a memory of W chunks to windows, and offers the windows to the mergers.

    A *place* is memory for one chunk. The memory has S slots of W/S places, S = min(4, W/2). A
    window of C chunks takes 1, 2 or 4 slots: the least power of two with room for C chunks. All
    windows inside take equally many slots, so the slots form a ring. For example, with W = 16: S is
    4, and a slot has 4 places.

    ==============  =====  ===========================
    chunks          slots  first places of the windows
    ==============  =====  ===========================
    2 to 4          1      0, 4, 8, 12, 0, ...
    5 to 8          2      0, 8, 0, ...
    9 to 16         4      0, 0, ...
    ==============  =====  ===========================

    If no window is inside, the next window begins at place 0. A window passes three events, which
    may interleave with those of other windows: the window *begins*; the mergers *take* it as a job,
    in order, possibly before its first chunk has arrived; the window is *free* when the reader of
    every bank has fetched all its rows.

    Latency: 1 cycle from the begin of a window to its job; 2 cycles from ``done`` to ``available``.
    Initiation interval: 2 cycles per window.

    Parameters
    ----------
    lanes : int
        P, the number of readers.
    chunk_rows : int
        K, rows of a chunk in a bank: a power of two.
    places : int
        W, a power of two of at least 2.

    Members
    -------
    room : Out(1)
        One more window may begin; from a register.
    begins : In(1)
        A window begins; only while ``room`` is high.
    beats : In(unsigned)
        Beats of the beginning window: more than one chunk, and as many as those of windows inside.
    place : Out(range(places))
        Place of the beginning window's first chunk.
    abort : In(1)
        Forgets the newest window, which must be the only one. No job is offered in this cycle.
    done : In(1)
        A chunk has been written.
    done_place : In(range(places))
        Place of the written chunk.
    fetched : In(lanes)
        For each reader, high for a cycle when it has fetched the last row of the window taken last,
        which is the oldest window inside.
    job : Out(stream.Signature(job_layout(places, chunk_rows, places * chunk_rows)))
        The oldest window that the mergers have not taken.
    available : Out(range(places + 1))
        Number of chunks of the window taken last that are in the memory.

    Source: ours.
    """

    initiation_interval = 1
    latency = 1

    def __init__(self, lanes, chunk_rows, places):
        self._lanes = lanes
        self._chunk_rows = chunk_rows
        self._places = places
        self._slots = self._slots_of(places)
        self._size = places // self._slots  # places of a slot
        super().__init__(
            {
                "room": Out(1),
                "begins": In(1),
                "beats": In(range(places * chunk_rows + 1)),
                "place": Out(range(places)),
                "abort": In(1),
                "done": In(1),
                "done_place": In(range(places)),
                "fetched": In(lanes),
                "job": Out(stream.Signature(job_layout(places, chunk_rows, places * chunk_rows))),
                "available": Out(range(places + 1)),
            }
        )

    @staticmethod
    def _slots_of(places):
        return min(SLOTS, places // 2)

    @classmethod
    def windows_of(cls, chunks, places):
        """Returns the number of windows of ``chunks`` chunks that fit."""
        slots = cls._slots_of(places)
        return next(n for n in (4, 2, 1) if n <= slots and chunks <= places // n)

    def elaborate(self, platform):
        m = Module()
        slot = range(self._slots)
        size = self._size
        step = Signal(range(self._slots + 1), init=1)  # slots of a window
        inside = Signal(range(self._slots + 1))  # windows inside
        untaken = Signal(range(self._slots + 1))  # windows not yet taken
        head = Signal(slot)  # first slot of the next window to begin
        tail = Signal(slot)  # first slot of the oldest untaken window
        current = Signal(slot)  # first slot of the window taken last
        first = Signal(slot)  # first slot of the window that begins now
        window_free = Signal()
        take = Signal()
        room = Signal()
        fetched_by = Signal(self._lanes)  # readers that have fetched all of the oldest window
        m.d.comb += [
            first.eq(Mux(inside == 0, 0, head)),
            self.place.eq(first << log2(size)),
            room.eq((inside == 0) | ((inside << (step >> 1)) + step <= self._slots)),
            window_free.eq((fetched_by | self.fetched).all()),
            take.eq(self.job.valid & self.job.ready),
            self.job.valid.eq((untaken != 0) & ~self.abort),
            self.job.p.base.eq(tail << log2(size * self._chunk_rows)),
        ]
        m.d.sync += [
            # A register, because long paths start here: a freed slot is usable after two cycles.
            self.room.eq(room & ~self.begins),
            inside.eq(Mux(self.abort, 0, inside + self.begins - window_free)),
            untaken.eq(Mux(self.abort, 0, untaken + self.begins - take)),
            fetched_by.eq(Mux(window_free | self.abort, 0, fetched_by | self.fetched)),
        ]
        new_step = self._shape(m)
        with m.If(self.begins):
            m.d.sync += [step.eq(new_step), head.eq(first + new_step)]
            with m.If(inside == 0):
                m.d.sync += tail.eq(0)
        with m.If(take):
            m.d.sync += [current.eq(tail), tail.eq(tail + step)]
        self._count(m, first, step, Mux(take, tail, current))
        return m

    def _shape(self, m):
        """Stores a beginning window's shape for the mergers; returns its number of slots."""
        last = Signal.like(self.beats)  # number of the last beat
        lists = Signal(range(self._places + 1))
        step = Signal(range(self._slots + 1))
        m.d.comb += [
            last.eq(self.beats - 1),
            lists.eq((last >> log2(self._chunk_rows)) + 1),
            step.eq(1),
        ]
        for factor in (2, 4):
            if factor <= self._slots:
                with m.If(lists > factor // 2 * self._size):
                    m.d.comb += step.eq(factor)
        tail = (last & self._chunk_rows - 1) + 1
        with m.If(self.begins):
            m.d.sync += [self.job.p.lists.eq(lists), self.job.p.tail.eq(tail)]
        return step

    def _count(self, m, first, step, current):
        """Counts the written chunks of each window in a counter of its first slot."""
        counts = [Signal(range(self._places + 1), name=f"count{k}") for k in range(self._slots)]
        done_slot = Signal(range(self._slots))
        m.d.comb += done_slot.eq((self.done_place >> log2(self._size)) & ~(step - 1))
        for k, count in enumerate(counts):
            with m.If(self.begins & (first == k)):
                m.d.sync += count.eq(0)
            with m.Elif(self.done & (done_slot == k)):
                m.d.sync += count.eq(count + 1)
        m.d.sync += self.available.eq(Array(counts)[current])
