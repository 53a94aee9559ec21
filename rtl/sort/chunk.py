"""Sorts chunks on the fly: linear sorters at the leaves of a merge tree."""

from amaranth.hdl import Array, Module, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.network.plan import log2
from rtl.sort.linear import LinearSorter
from rtl.sort.tree import MergeTree
from rtl.stream.beat import beat, split


class ChunkSorter(wiring.Component):
    """Sorts streams of up to k tuples each, P tuples per cycle in and out.

    ::

        i --> deal --> P linear sorters of k/P cells --> merge tree --> o
              lane i of beat t goes to sorter (i + t) mod P

    A chunk is a stream of full beats, at most k tuples, ``last`` on its final beat; so is what
    comes out. The next chunk goes in while the one before comes out. Dealing turns by one lane in
    every beat, so that a column which depends on the lane does not give all of the least tuples to
    one leaf, which could only give them away one by one.

    Ties come in any order: name fields that tell tuples apart where that matters.

    Latency: 1 cycle and that of the tree, from a chunk's last beat to the first that comes out; so
    ``n/P`` cycles more from the first beat of a chunk of n. Up to P cycles are added while the
    mergers' first rows fill, as the data has it. Initiation interval 1 cycle. Stalls ``i`` when
    ``o`` stalls, and when the tuples of a chunk are so unevenly spread over the leaves that a bank
    of the tree is full.

    Parameters
    ----------
    order : SortOrder
    lanes : int
        P, a power of two.
    capacity : int
        k, a multiple of P.
    depth : int
        Entries of each bank in the tree.

    Members
    -------
    i : In(stream.Signature(beat(order.row, lanes)))
    o : Out(stream.Signature(beat(order.row, lanes)))

    Source: seed 003, section 3.3 and figure 8, sorting mode; the turning is ours.
    """

    initiation_interval = 1

    def __init__(self, order, lanes, capacity, *, depth=16):
        log2(lanes)
        if not isinstance(capacity, int) or capacity < lanes or capacity % lanes:
            raise ValueError(f"capacity must be a multiple of {lanes}, not {capacity!r}")
        self._lanes = lanes
        self._sorters = [LinearSorter(order, capacity // lanes) for _ in range(lanes)]
        self._tree = MergeTree(order, lanes, depth=depth) if lanes > 1 else None
        wide = beat(order.row, lanes)
        super().__init__({"i": In(stream.Signature(wide)), "o": Out(stream.Signature(wide))})

    @property
    def latency(self):
        return self._sorters[0].latency + (self._tree.latency if self._tree else 0)

    def elaborate(self, platform):
        m = Module()
        for k, sorter in enumerate(self._sorters):
            m.submodules[f"sorter{k}"] = sorter
        self._deal(m)
        if self._tree is None:
            wiring.connect(m, self._sorters[0].o, wiring.flipped(self.o))
            return m
        m.submodules.tree = self._tree
        for k, sorter in enumerate(self._sorters):
            wiring.connect(m, sorter.o, getattr(self._tree, f"leaf{k}"))
        wiring.connect(m, self._tree.o, wiring.flipped(self.o))
        return m

    def _deal(self, m):
        """All sorters take a beat together, each the lane whose turn it is."""
        turn = Signal(range(self._lanes))
        ready = Signal(self._lanes)
        lanes = Array(lane.as_value() for lane in split(m, self.i.p.tuples, "lane"))
        for k, sorter in enumerate(self._sorters):
            others = ready | 1 << k
            m.d.comb += [
                sorter.i.p.tuples[0].as_value().eq(lanes[(k - turn)[: len(turn)]]),
                sorter.i.p.valid.eq(1),
                sorter.i.p.last.eq(self.i.p.last),
                sorter.i.valid.eq(self.i.valid & others.all()),
                ready[k].eq(sorter.i.ready),
            ]
        m.d.comb += self.i.ready.eq(ready.all())
        with m.If(self.i.valid & self.i.ready):
            m.d.sync += turn.eq(turn + 1)
