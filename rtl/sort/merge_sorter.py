"""Sorts windows of any size: chunks on the fly, and large windows out of sorted chunks."""

from amaranth.hdl import Array, Cat, Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.network.plan import log2
from rtl.sort.chunk import ChunkSorter
from rtl.sort.store import ChunkStore
from rtl.sort.switch import AHEAD, TreeSwitch
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

    A window of up to k tuples is one chunk, and leaves as it comes out of the merge tree. A larger
    one is sorted chunk by chunk into the store, and comes out in a second pass. With "shared" there
    is one merge tree, which takes turns between the passes: half the rate. With "pipelined" there
    is a tree for each pass, and two stores, which take windows in turn: the second pass of one
    window runs during the first pass of the next, at the whole rate.

    The seed merges in the cells of its linear sorters, which so hold k lists and cannot sort in the
    meantime: that is why it needs ws to be at least P * k. Here the cells sort all the time, and
    mergers of their own (:class:`~rtl.sort.ways.WayMerger`) take P parts of every chunk, hence any
    size, any data, and no gap between the passes.

    Windows come out in order, each a stream of full beats with ``last`` on its final one; a window
    that the end of the stream cut short never comes out. Behind a stream's last window comes one
    empty beat, with ``last`` and ``context``.

    Latency, from the first beat of a stream's first window of n tuples at ``i`` to its first at
    ``o``, when neither stalls, in cycles, and up to 4 P more as the data has it::

        k/P + 3 + tree                                                  n <= k
        C * k/P + 3 + tree + tail/P + 8 + log2 W + log2 C + tree        n > k

    where C is the number of chunks, its logarithm rounded up, ``tree`` the merge tree's latency,
    ``tail`` the tuples of the window's last chunk, and W is window_max / k. It does not depend on
    the slide. Initiation interval 1 cycle; in the long run P tuples per cycle, or P/2 for
    windows above k with "shared".

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
    depth : int
        Entries of each bank in the merge trees.

    Members
    -------
    i : In(stream.Signature(beat(<user's tuple>, lanes, 1)))
        Windows, as :class:`~rtl.window.replay.ReplayBuffer` gives them.
    rows : In(unsigned)
        Beats of a window of the stream that ``i`` is giving.
    o : Out(stream.Signature(beat(order.row, lanes, 1)))

    Source: seed 003, section 3.3 and figure 8.
    """

    initiation_interval = 1

    def __init__(self, order, lanes, capacity, window_max, *, passes="shared", depth=16):
        if passes not in PASSES:
            raise ValueError(f"passes must be one of {', '.join(PASSES)}, not {passes!r}")
        log2(window_max // lanes)
        self._shared = passes == "shared"
        self._chunks = ChunkSorter(order, lanes, capacity, window_max)
        count = 0 if window_max <= capacity else 1 if self._shared else 2
        self._stores = [ChunkStore(order, lanes, capacity, window_max) for _ in range(count)]
        self._tag = data.StructLayout(
            {
                "end": 1,
                "stored": 1,
                "merged": 1,
                "store": range(max(1, count)),
                "place": range(max(1, window_max // capacity)),
            }
        )
        self._lanes, self._capacity = lanes, capacity
        sources = 1 + count if self._shared else 1
        self._first = TreeSwitch(order, lanes, sources, self._tag, depth=depth)
        self._second = None
        if count and not self._shared:
            self._second = TreeSwitch(order, lanes, count, self._tag, depth=depth)
        super().__init__(
            {
                "i": In(stream.Signature(beat(order.tuple_layout, lanes, 1))),
                "rows": In(len(self._chunks.rows)),
                "o": Out(stream.Signature(beat(order.row, lanes, 1))),
            }
        )

    @property
    def latency(self):
        """That of a window of up to k tuples."""
        return self.latency_of(self._capacity)

    def latency_of(self, tuples):
        """Cycles from the first beat of a stream's first window of so many tuples to its first."""
        rows, chunk, tree = (
            tuples // self._lanes,
            self._capacity // self._lanes,
            self._first.latency,
        )
        if tuples <= self._capacity:
            return chunk + 3 + tree
        lists = -(-rows // chunk)
        steps = (lists - 1).bit_length()
        tail = rows - (lists - 1) * chunk
        return lists * chunk + 3 + tree + tail + 8 + log2(self._stores[0].ways) + steps + tree

    @property
    def memory_bits(self):
        return sum(store.memory_bits for store in self._stores)

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

        written = Cat(store.written for store in self._stores).any()
        finished = Signal()
        turn = self._schedule(m, written, finished)
        self._turns(m, turn)
        self._give(m, finished)
        return m

    def _to_tree(self, m, s, store):
        """The leaves of a store are a source of the tree of the second pass."""
        tree, source = (self._first, s + 1) if self._shared else (self._second, s)
        for k in range(self._lanes):
            leaf = getattr(tree, f"source{source}_leaf{k}")
            wiring.connect(m, getattr(store, f"leaf{k}"), leaf)

    def _schedule(self, m, written, finished):
        """First pass: what becomes of each chunk, in order.

        A chunk waits for a slot of a store, or, when it is a window, for larger ones to be out.
        """
        record = self._chunks.chunks
        turn = stream.Signature(self._first.turns.p.shape()).create()
        chunk = record.p
        whole, ends = Signal(), Signal()
        m.d.comb += [
            ends.eq(record.valid & chunk.end),
            whole.eq(chunk.first & chunk.final),
            turn.p.tag.end.eq(chunk.end),
            turn.p.empty.eq(chunk.end),
        ]
        if not self._stores:
            m.d.comb += [turn.valid.eq(record.valid), record.ready.eq(turn.ready)]
            return turn

        open_ = Signal()  # the newest window has begun in a store, and waits for chunks
        inside = Signal(range(2 * AHEAD))  # chunks between their turn and the store
        windows = Signal(range(2 * AHEAD))  # begun in a store, and not yet out
        none = Signal(init=1)  # there are none
        place, store = Signal(self._tag["place"].shape), Signal(range(len(self._stores)))
        names = "begins", "abort", "taken", "out", "starts"
        begins, abort, taken, out, starts = (Signal(name=name) for name in names)
        held = self._hold(m, turn, open_, none)
        room = Array(each.allocate.ready for each in self._stores)[store]
        m.d.comb += [
            turn.p.tag.stored.eq(~chunk.end & ~whole),
            turn.p.tag.store.eq(store),
            turn.p.tag.place.eq(
                Mux(chunk.first, Array(each.place for each in self._stores)[store], place)
            ),
            abort.eq(ends & open_ & (inside == 0) & (windows == 1)),
            turn.valid.eq(
                record.valid
                & Mux(
                    chunk.end | whole,
                    ~open_ & none,
                    ~chunk.first | starts,
                )
            ),
            record.ready.eq(turn.valid & turn.ready),
            taken.eq(record.ready & turn.p.tag.stored),
            # As taken & chunk.first, but not by way of turn.valid: what follows takes long.
            starts.eq(room & ~held & (~chunk.changed | none)),
            begins.eq(record.valid & turn.ready & chunk.first & ~chunk.final & ~chunk.end & starts),
            out.eq(finished | abort),
        ]
        for s, each in enumerate(self._stores):
            m.d.comb += [
                each.allocate.p.eq(chunk.rows),
                each.allocate.valid.eq(begins & (store == s)),
                each.abort.eq(abort & (store == s)),
            ]
        m.d.sync += [
            inside.eq(inside + taken - written),
            windows.eq(windows + begins - out),
            none.eq(~begins & (none | (out & (windows == 1)))),
        ]
        with m.If(taken):
            m.d.sync += [place.eq(turn.p.tag.place + 1), open_.eq(~chunk.final)]
        with m.If(abort):
            m.d.sync += open_.eq(0)
        if not self._shared:
            # The store of the next window; one that is cut short leaves its turn to the next.
            with m.If(taken & chunk.final):
                m.d.sync += store.eq(store + 1)
        return turn

    def _hold(self, m, turn, open_, none):
        """A shared tree is kept free for a stream's first window, which is all in the store.

        Else the second window's first chunk could go before it, or not, as the slide has it, and
        the latency with it. The windows after it must not wait for each other so.
        """
        fresh = Signal(init=1)
        granted = self._stores[0].filled
        with m.If(turn.valid & turn.ready & turn.p.tag.end):
            m.d.sync += fresh.eq(1)
        with m.Elif(granted.valid & granted.ready):
            m.d.sync += fresh.eq(0)
        return fresh & ~open_ & ~none if self._shared else 0

    def _turns(self, m, turn):
        """Second pass: as soon as a store has a window ready, it is its turn."""
        first = self._first.turns
        if self._second is not None:
            wiring.connect(m, turn, first)
            oldest = Signal(range(len(self._stores)))
            filled = [store.filled for store in self._stores]
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
            return
        if not self._stores:
            wiring.connect(m, turn, first)
            return
        filled = self._stores[0].filled
        m.d.comb += [
            first.valid.eq(filled.valid | turn.valid),
            filled.ready.eq(first.ready),
            turn.ready.eq(first.ready & ~filled.valid),
        ]
        with m.If(filled.valid):
            m.d.comb += [first.p.source.eq(1), first.p.tag.merged.eq(1)]
        with m.Else():
            m.d.comb += first.p.eq(turn.p)

    def _give(self, m, finished):
        """What comes out of the trees: chunks go to their store, windows to ``o``."""
        root, tag = self._first.o, self._first.tag
        for s, store in enumerate(self._stores):
            m.d.comb += [
                store.i.p.eq(root.p),
                store.i_place.eq(tag.place),
                store.i.valid.eq(root.valid & tag.stored & (tag.store == s)),
            ]
        merged = Signal()
        out = [
            self.o.p.tuples.eq(root.p.tuples),
            self.o.p.valid.eq(Mux(tag.end, 0, root.p.valid)),
            self.o.p.last.eq(root.p.last),
            self.o.p.context.eq(tag.end),
            self.o.valid.eq(root.valid & ~tag.stored),
            root.ready.eq(self.o.ready | tag.stored),
            merged.eq(tag.merged),
        ]
        if self._second is None:
            m.d.comb += out
        else:  # no window comes directly while larger ones are inside
            late = self._second.o
            with m.If(late.valid):
                m.d.comb += [
                    self.o.p.tuples.eq(late.p.tuples),
                    self.o.p.valid.eq(late.p.valid),
                    self.o.p.last.eq(late.p.last),
                    self.o.valid.eq(1),
                    late.ready.eq(self.o.ready),
                    root.ready.eq(tag.stored),
                    merged.eq(1),
                ]
            with m.Else():
                m.d.comb += out
        m.d.comb += finished.eq(self.o.valid & self.o.ready & self.o.p.last & merged)
