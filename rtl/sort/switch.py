"""A merge tree that several sorters share, list by list."""

from amaranth.hdl import Array, Module, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.fifo import SyncFIFO
from amaranth.lib.wiring import In, Out
from amaranth.utils import ceil_log2

from rtl.sort.tree import MergeTree
from rtl.stream.beat import beat
from rtl.stream.register import StreamRegister

#: Cycles from the transfer of a turn until the leaves follow it.
TURN_LATENCY = 2

#: Least number of turns that can be queued ahead of the list that leaves the tree.
LEAST_AHEAD = 32
#: Turns that can be queued ahead, besides one for each cycle of the tree's latency.
MORE_AHEAD = 8

#: Turns that can be queued at each leaf.
LEAF_AHEAD = 4


def turn_layout(sources, tag):
    """Returns the layout of a turn: ``source`` of the list, its ``tag``; ``empty``: no list."""
    return data.StructLayout({"source": range(sources), "tag": tag, "empty": 1})


class TreeSwitch(wiring.Component):
    """Merges lists of several sources with one tree, in the order of ``turns``.

    ::

        turns ---+-- of each leaf -----> which source?      +-- of the root: the tag
                 |                              |            |
        source 0, leaf 0..P-1 ------------------+--> merge tree --> o, tag
        source 1, leaf 0..P-1 ------------------+

    Each turn takes one list from every leaf of its source; all lists of a turn are equally long. A
    leaf moves on to its next turn independently of other leaves, so no cycle is lost between two
    lists. A leaf without a turn accepts no tuple. An ``empty`` turn takes no list, and produces an
    empty beat with ``last``.

    Latency: that of the tree; the leaves follow a turn after ``TURN_LATENCY``, which is 2 cycles.
    Initiation interval 1 cycle. A stall at ``o`` stalls the leaves. ``turns.ready`` comes from a
    register; it is low while the queue of the root or of a leaf has room for at most one turn. A
    leaf's queue has ``LEAF_AHEAD`` turns. The root's queue has room for a turn of each list inside
    of the tree, even if every list is a single beat: :meth:`ahead_of`.

    Parameters
    ----------
    order : SortOrder
    lanes : int
        P, a power of two.
    sources : int
    tag : ShapeLike
        Shape of the data that accompanies a list.

    Members
    -------
    turns : In(stream.Signature(turn_layout(sources, tag)))
    source0_leaf0, source0_leaf1, ... : In(stream.Signature(beat(order.row, 1)))
    o : Out(stream.Signature(beat(order.row, lanes)))
    tag : Out(tag)
        Tag of the list at ``o``.

    Source: seed 003, section 3.3 and figure 8: the two uses of one sorter.
    """

    initiation_interval = 1

    def __init__(self, order, lanes, sources, tag):
        self._order = order
        self._lanes = lanes
        self._sources = sources
        self._turn = turn_layout(sources, tag)
        self._source = data.StructLayout({"source": self._turn["source"].shape})
        self._tree = MergeTree(order, lanes) if lanes > 1 else None
        leaf = In(stream.Signature(beat(order.row, 1)))
        super().__init__(
            {
                "turns": In(stream.Signature(self._turn)),
                **{f"source{s}_leaf{k}": leaf for s in range(sources) for k in range(lanes)},
                "o": Out(stream.Signature(beat(order.row, lanes))),
                "tag": Out(tag),
            }
        )

    @classmethod
    def ahead_of(cls, order, lanes):
        """Returns the number of turns in the queue of the root, a power of two."""
        return max(LEAST_AHEAD, 1 << ceil_log2(cls.latency_of(order, lanes) + MORE_AHEAD))

    @staticmethod
    def latency_of(order, lanes):
        """Latency of the tree, in cycles."""
        return MergeTree.latency_of(order, lanes)

    @property
    def latency(self):
        return self.latency_of(self._order, self._lanes)

    def elaborate(self, platform):
        m = Module()
        turns = self.turns
        rooms = Signal(self._lanes + 1)
        queues = []
        for k in range(self._lanes + 1):  # one for each leaf, and the root's
            leaf = k < self._lanes
            # With one source a leaf's turn has no content; one bit, because a FIFO needs a width.
            width = max(1, self._source.size) if leaf else self._turn.size
            depth = LEAF_AHEAD if leaf else self.ahead_of(self._order, self._lanes)
            queue = SyncFIFO(width=width, depth=depth)
            m.submodules[f"turns{k}"] = queue
            m.submodules[f"turn{k}"] = current = StreamRegister(width)
            m.d.comb += [
                queue.w_data.eq(turns.p),
                queue.w_en.eq(turns.valid & turns.ready & ~(turns.p.empty & leaf)),
                rooms[k].eq(queue.level < queue.depth - 1),
                current.i.valid.eq(queue.r_rdy),
                current.i.p.eq(queue.r_data),
                queue.r_en.eq(current.i.ready),
            ]
            queues.append(current.o)
        # ``ready`` is decided one cycle early, so it leaves room for one more turn.
        m.d.sync += turns.ready.eq(rooms.all())

        if self._tree is None:
            merged = stream.Signature(self.o.p.shape()).create()
            leaves = [merged]
        else:
            m.submodules.tree = self._tree
            merged = self._tree.o
            leaves = [getattr(self._tree, f"leaf{k}") for k in range(self._lanes)]
        for k, leaf in enumerate(leaves):
            self._leaf(m, k, queues[k], leaf)
        self._root(m, queues[-1], merged)
        return m

    def _leaf(self, m, k, current, leaf):
        """Connects a leaf to the source of the current turn until the list's last tuple."""
        ports = [getattr(self, f"source{s}_leaf{k}") for s in range(self._sources)]
        turn = self._source(current.p[: self._source.size])
        valid = Array(port.valid for port in ports)[turn.source]
        payload = Array(port.p.as_value() for port in ports)[turn.source]
        m.d.comb += [
            leaf.valid.eq(valid & current.valid),
            leaf.p.as_value().eq(payload),
            current.ready.eq(leaf.valid & leaf.ready & leaf.p.last),
        ]
        for s, port in enumerate(ports):
            m.d.comb += port.ready.eq(leaf.ready & current.valid & (turn.source == s))

    def _root(self, m, current, merged):
        turn = self._turn(current.p)
        with m.If(turn.empty):
            m.d.comb += [self.o.valid.eq(current.valid), self.o.p.last.eq(1)]
        with m.Else():
            m.d.comb += [
                self.o.valid.eq(merged.valid & current.valid),
                self.o.p.eq(merged.p),
                merged.ready.eq(self.o.ready & current.valid),
            ]
        m.d.comb += [
            self.tag.eq(turn.tag),
            current.ready.eq(self.o.valid & self.o.ready & self.o.p.last),
        ]
