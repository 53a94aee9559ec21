"""Sorts windows of any size: small windows in one pass, large windows from sorted chunks."""

from amaranth.hdl import Array, Cat, Module, Mux, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.network.plan import log2
from rtl.sort.chunk import ChunkSorter
from rtl.sort.interval import interval_of
from rtl.sort.schedule import ChunkSchedule, tag_layout
from rtl.sort.store import ChunkStore
from rtl.sort.switch import TURN_LATENCY, TreeSwitch
from rtl.stream.beat import beat

PASSES = ("shared", "pipelined")


class MergeSorter(wiring.Component):
    """Sorts windows of up to ``window_max`` tuples, P tuples per cycle.

    ::

        passes=shared                               passes=pipelined

        i -> chunk sorter --+                       i -> chunk sorter -> tree --+--> window <= k
                            +-> tree --+--> o            +----------------------+
             +-> store -----+          |                 +-> store, even windows --+
             +-- chunks of a window ---+                 +-> store, odd windows ---+-> tree -> o

    The chunk sorter cuts a window into chunks of k tuples and sorts each chunk into P lists, which
    the merge tree merges. So a window of up to k tuples leaves from the merge tree directly. Of a
    larger window, the tree writes each sorted chunk into a store (first pass); then the mergers of
    the store merge the chunks into P lists, which a tree merges (second pass). "shared" has one
    merge tree that alternates between the passes: half the rate. "pipelined" has a tree for each
    pass, and two stores that take windows in turn: the second pass of a window runs during the
    first pass of the next window, at the full rate.

    The design of seed 003 merges in the cells of its linear sorters. While these cells merge k
    lists they cannot sort the next window, so that design needs windows of at least P * k tuples.
    Here the cells only sort, and P separate mergers in each store
    (:class:`~rtl.sort.ways.WayMerger`) take a P-th of every chunk each: any size, any data, and no
    gap between the passes.

    Windows leave in order, each as full beats with ``last`` on its final beat. A window cut short
    by the end of the stream is dropped. One empty beat with ``last`` and ``context`` follows the
    last window of a stream.

    Latency in cycles, from the first beat at ``i`` of a stream's first window (n tuples) to its
    first beat at ``o``, if neither stalls, and up to 4 P more depending on the data::

        k/P + 3 + tree                                                       n <= k
        C * k/P + 3 + tree + tail/P + 8 + log2 W + ceil(log2 C) + tree       n > k

    where C is the number of chunks, ``tree`` the merge tree's latency, ``tail`` the tuples of the
    window's last chunk, and W is window_max / k. The latency does not depend on the slide. With
    P = 4, k = W = 128 and a cardinality, ``tree`` is 11: a window of 128 tuples takes
    32 + 3 + 11 = 46 cycles, one of 1,024 takes 8 * 32 + 3 + 11 + 32 + 8 + 7 + 3 + 11 = 331.

    Initiation interval 1 cycle. The mean rate is P tuples per cycle, or P/2 for windows above k
    with "shared"; windows of few tuples above k are slower, see
    :func:`~rtl.sort.interval.interval_of`.

    Parameters
    ----------
    order : SortOrder
    lanes : int
        P, a power of two.
    capacity : int
        k, P times a power of two.
    window_max : int
        Tuples of the largest window, P times a power of two, at most k squared.
    passes : str
        "shared" or "pipelined".

    Members
    -------
    i : In(stream.Signature(beat(<user's tuple>, lanes, 1)))
        Windows of a :class:`~rtl.window.replay.ReplayBuffer`.
    rows : In(unsigned)
        Beats per window of the stream at ``i``.
    o : Out(stream.Signature(beat(order.row, lanes, 1)))

    Source: seed 003, section 3.3 and figure 8.
    """

    initiation_interval = 1

    def __init__(self, order, lanes, capacity, window_max, *, passes="shared"):
        stores = self._stores_of(capacity, window_max, passes)
        log2(lanes)  # raises ValueError unless it is a power of two
        if window_max < lanes or window_max & (window_max - 1):
            raise ValueError(f"window_max must be {lanes} times a power of two, not {window_max!r}")
        if window_max > capacity**2:
            raise ValueError(
                f"window_max must be at most capacity squared, {capacity**2}, not {window_max}"
            )
        self._order = order
        self._lanes = lanes
        self._capacity = capacity
        self._window_max = window_max
        self._passes = passes
        self._shared = passes == "shared"
        self._chunks = ChunkSorter(order, lanes, capacity, window_max)
        self._stores = [ChunkStore(order, lanes, capacity, window_max) for _ in range(stores)]
        self._tag = tag_layout(stores, window_max // capacity)
        sources = 1 + stores if self._shared else 1
        self._first = TreeSwitch(order, lanes, sources, self._tag)
        self._second = None
        if stores and not self._shared:
            self._second = TreeSwitch(order, lanes, stores, self._tag)
        super().__init__(
            {
                "i": In(stream.Signature(beat(order.tuple_layout, lanes, 1))),
                "rows": In(len(self._chunks.rows)),
                "o": Out(stream.Signature(beat(order.row, lanes, 1))),
            }
        )

    @staticmethod
    def _stores_of(capacity, window_max, passes):
        """Returns the number of stores."""
        if passes not in PASSES:
            raise ValueError(f"passes must be one of {', '.join(PASSES)}, not {passes!r}")
        if window_max <= capacity:
            return 0
        return 1 if passes == "shared" else 2

    @staticmethod
    def latency_of(tuples, *, order, lanes, capacity, window_max):
        """Latency of a stream's first window, from first beat to first beat, in cycles."""
        rows = tuples // lanes
        chunk = capacity // lanes
        lists = max(1, -(-rows // chunk))
        merge = TURN_LATENCY + TreeSwitch.latency_of(order, lanes)
        last_chunk_at = lists * chunk + 1 + merge  # the first beat of the last chunk
        if lists == 1:
            return last_chunk_at
        tail = rows - (lists - 1) * chunk
        filled = ChunkStore.latency_of(lists, capacity=capacity, window_max=window_max)
        return last_chunk_at + tail + filled + 1 + merge

    @staticmethod
    def interval_of(tuples, *, order, lanes, capacity, window_max, passes):
        """Mean interval between windows of ``tuples`` tuples, in cycles."""
        return interval_of(
            tuples // lanes,
            chunk_rows=capacity // lanes,
            places=window_max // capacity,
            tree=TreeSwitch.latency_of(order, lanes),
            shared=passes == "shared",
        )

    @property
    def latency(self):
        """Latency of a window of up to k tuples, in cycles."""
        return self.latency_of(
            self._capacity,
            order=self._order,
            lanes=self._lanes,
            capacity=self._capacity,
            window_max=self._window_max,
        )

    @property
    def queued_ends(self):
        """Greatest number of ends of streams in the queues of records and of turns."""
        records = ChunkSorter.records_of(self._lanes, self._capacity)
        return records + TreeSwitch.ahead_of(self._order, self._lanes)

    @classmethod
    def memory_bits_of(cls, order, capacity, window_max, *, passes="shared"):
        """Block RAM of the stores, in bits."""
        stores = cls._stores_of(capacity, window_max, passes)
        return stores * ChunkStore.memory_bits_of(order, capacity, window_max)

    @property
    def memory_bits(self):
        return self.memory_bits_of(
            self._order, self._capacity, self._window_max, passes=self._passes
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.chunks = self._chunks
        m.submodules.first = self._first
        wiring.connect(m, wiring.flipped(self.i), self._chunks.i)
        m.d.comb += self._chunks.rows.eq(self.rows)
        for k in range(self._lanes):
            leaf = getattr(self._first, f"source0_leaf{k}")
            wiring.connect(m, getattr(self._chunks, f"leaf{k}"), leaf)
        for s, store in enumerate(self._stores):
            m.submodules[f"store{s}"] = store
            self._to_tree(m, s, store)
        if self._second is not None:
            m.submodules.second = self._second
        finished = self._output(m)
        self._take_turns(m, self._schedule(m, finished))
        return m

    def _to_tree(self, m, s, store):
        """Connects the leaves of a store to the tree of the second pass."""
        tree, source = (self._first, s + 1) if self._shared else (self._second, s)
        for k in range(self._lanes):
            leaf = getattr(tree, f"source{source}_leaf{k}")
            wiring.connect(m, getattr(store, f"leaf{k}"), leaf)

    def _schedule(self, m, finished):
        """Builds the schedule of the first pass; returns its stream of turns.

        A turn lets the next chunk through the tree, or the end of the stream; its payload is the
        chunk's tag, which says where the chunk goes. Without stores every chunk is a window and may
        leave at once, so no schedule is built.
        """
        if not self._stores:
            turns = stream.Signature(self._tag).create()
            record = self._chunks.chunks
            m.d.comb += [
                turns.p.end.eq(record.p.end),
                turns.valid.eq(record.valid),
                record.ready.eq(turns.ready),
            ]
            return turns
        stores = self._stores
        m.submodules.schedule = schedule = ChunkSchedule(
            len(self.rows),
            len(stores),
            self._window_max // self._capacity,
            one_tree=self._shared,
            ahead=TreeSwitch.ahead_of(self._order, self._lanes),
        )
        wiring.connect(m, self._chunks.chunks, schedule.chunks)
        m.d.comb += [
            schedule.room.eq(Array(store.room for store in stores)[schedule.store]),
            schedule.place.eq(Array(store.place for store in stores)[schedule.store]),
            schedule.written.eq(Cat(store.written for store in stores).any()),
            schedule.granted.eq(stores[0].filled.valid & stores[0].filled.ready),
            schedule.finished.eq(finished),
        ]
        for s, store in enumerate(stores):
            m.d.comb += [
                store.begins.eq(schedule.begins & (schedule.store == s)),
                store.beats.eq(schedule.beats),
                store.abort.eq(schedule.abort & (schedule.store == s)),
            ]
        return schedule.turns

    def _take_turns(self, m, scheduled):
        """Gives turns to the trees, from the schedule and from stores that are filled.

        In a shared tree the turn of a filled store goes first.
        """
        first = self._first.turns
        filled = [store.filled for store in self._stores]
        m.d.comb += [
            first.valid.eq(scheduled.valid),
            first.p.tag.eq(scheduled.p),
            first.p.empty.eq(scheduled.p.end),
            scheduled.ready.eq(first.ready),
        ]
        if self._second is not None:
            oldest = Signal(range(len(filled)))  # the stores take windows in turn
            second = self._second.turns
            m.d.comb += [
                second.valid.eq(Array(each.valid for each in filled)[oldest]),
                second.p.source.eq(oldest),
                second.p.tag.merged.eq(1),
            ]
            for s, each in enumerate(filled):
                m.d.comb += each.ready.eq(second.ready & (oldest == s))
            with m.If(second.valid & second.ready):
                m.d.sync += oldest.eq(oldest + 1)
        elif filled:
            m.d.comb += filled[0].ready.eq(first.ready)
            with m.If(filled[0].valid):
                m.d.comb += [
                    first.valid.eq(1),
                    first.p.eq(0),
                    first.p.source.eq(1),
                    first.p.tag.merged.eq(1),
                    scheduled.ready.eq(0),
                ]

    def _output(self, m):
        """Routes the trees' outputs: chunks to their store, windows to ``o``.

        Returns a bit: the last beat of a window from a store leaves.
        """
        root = self._first.o
        tag = self._first.tag
        for s, store in enumerate(self._stores):
            m.d.comb += [
                store.i.p.eq(root.p),
                store.i_place.eq(tag.place),
                store.i.valid.eq(root.valid & tag.stored & (tag.store == s)),
            ]
        merged = Signal()
        finished = Signal()
        m.d.comb += [
            self.o.p.tuples.eq(root.p.tuples),
            self.o.p.valid.eq(Mux(tag.end, 0, root.p.valid)),
            self.o.p.last.eq(root.p.last),
            self.o.p.context.eq(tag.end),
            self.o.valid.eq(root.valid & ~tag.stored),
            root.ready.eq(self.o.ready | tag.stored),
            merged.eq(tag.merged),
        ]
        # Both trees drive ``o``, but never at once: the schedule lets a window of one chunk leave
        # the first tree only when no window is in the stores.
        if self._second is not None:
            second_root = self._second.o
            with m.If(second_root.valid):
                m.d.comb += [
                    self.o.p.tuples.eq(second_root.p.tuples),
                    self.o.p.valid.eq(second_root.p.valid),
                    self.o.p.last.eq(second_root.p.last),
                    self.o.p.context.eq(0),
                    self.o.valid.eq(1),
                    second_root.ready.eq(self.o.ready),
                    root.ready.eq(tag.stored),
                    merged.eq(1),
                ]
        m.d.comb += finished.eq(self.o.valid & self.o.ready & self.o.p.last & merged)
        return finished
