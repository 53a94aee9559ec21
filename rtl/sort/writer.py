"""Deals the tuples of a sorted chunk to the banks of a store, one bank per leaf."""

from itertools import pairwise

from amaranth.hdl import Array, Cat, Module, Mux, Signal, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.network.plan import log2
from rtl.stream.beat import beat, split
from rtl.stream.order import equal


def stored_layout(order, capacity):
    """Layout of a tuple in a bank; its cardinality is as wide as ``capacity`` tuples require."""
    if not order.cardinality:
        return order.row
    return data.StructLayout({"tuple": order.tuple_layout, "cardinality": capacity.bit_length()})


class ChunkWriter(wiring.Component):
    """Deals sorted chunks to P banks: tuple r of the chunk at place c goes to bank (r + c) mod P.

    Each bank stores every P-th tuple of each chunk, a fair sample of the window for any data. So
    the P leaves, which merge one bank each, finish at about the same time. Without the rotation by
    c, bank 0 would store the least tuple of every chunk.

    A chunk is thus split into P lists, one per bank, and the mergers add the lists' cardinalities
    of a group. Invariant: *in the list with the group's first tuple, all tuples of the group carry
    the group's cardinality in the chunk; in the chunk's other lists they carry 0.* With P = 2 and
    the chunk at place 0, of groups 4, 4, 4, 7::

        bank 0    4 (3)  4 (3)      tuples 0 and 2
        bank 1    4 (0)  7 (1)      tuples 1 and 3

    and the sum over both lists is 3 for group 4, 1 for group 7.

    ``i.ready`` is always high. Latency: a tuple is in its bank 2 cycles after its transfer.
    Initiation interval 1 cycle.

    Parameters
    ----------
    order : SortOrder
    lanes : int
        P, a power of two.
    capacity : int
        k, the number of tuples in a chunk.
    places : int
        Number of chunks that the banks can hold.

    Members
    -------
    i : In(stream.Signature(beat(order.row, lanes)))
        Each chunk is a stream of full beats.
    place : In(range(places))
        Place of the chunk at ``i``.
    address : Out(unsigned)
        Address in every bank.
    enable : Out(1)
    data : Out(stored_layout(order, capacity)).array(lanes)
    done : Out(1)
        High for a cycle when the last beat of a chunk is being written.
    done_place : Out(range(places))
        Place of the chunk that is done.

    Source: ours; for seed 003, section 3.3 (sorted chunks in block RAM) and section 6 (its wish to
    split sorted lists).
    """

    latency = 2
    initiation_interval = 1

    def __init__(self, order, lanes, capacity, places):
        self._order = order
        self._lanes = lanes
        self._rows = capacity // lanes
        self._places = places
        self._stored = stored_layout(order, capacity)
        super().__init__(
            {
                "i": In(stream.Signature(beat(order.row, lanes), always_ready=True)),
                "place": In(range(places)),
                "address": Out(range(places * self._rows)),
                "enable": Out(1),
                "data": Out(self._stored).array(lanes),
                "done": Out(1),
                "done_place": Out(range(places)),
            }
        )

    def elaborate(self, platform):
        m = Module()
        row = Signal(range(self._rows))
        chunk_begins = Signal(init=1)
        items = split(m, self.i.p.tuples, "item")
        stored = items
        if self._order.cardinality:
            stored = self._count_once(m, items, chunk_begins)
        with m.If(self.i.valid):
            m.d.sync += [row.eq(Mux(self.i.p.last, 0, row + 1)), chunk_begins.eq(self.i.p.last)]
        m.d.sync += [
            self.enable.eq(self.i.valid),
            self.address.eq(Cat(row, self.place)),
            self.done.eq(self.i.valid & self.i.p.last),
            self.done_place.eq(self.place),
        ]
        # As wide as a lane's number, so that the differences below wrap modulo the lanes.
        turn = Signal(log2(self._lanes))
        m.d.comb += turn.eq(self.place)
        lanes = Array(Value.cast(item) for item in stored)
        for k in range(self._lanes):
            source = lanes[(k - turn)[: log2(self._lanes)]]
            m.d.sync += Value.cast(self.data[k]).eq(source)
        return m

    def _count_once(self, m, items, chunk_begins):
        """Returns the items, with cardinality 0 in all lanes but that of the group's first tuple.

        Each lane becomes one list, because all beats of a chunk are rotated by the same number of
        banks. A group is one run of tuples: tuples before a beat's first new group belong to the
        last group of the previous beat.
        """
        groups = [self._order.group_of(item) for item in items]
        carried = data.StructLayout({"group": len(groups[-1]), "lane": range(self._lanes)})
        previous = Signal(carried)
        first = Signal(self._lanes)
        continues = equal(previous.group, groups[0], ~chunk_begins)
        m.d.comb += first.eq(~Cat(continues, *(equal(a, b) for a, b in pairwise(groups))))

        # ``counts_group``: the group's first tuple is in this lane, of this or an earlier beat.
        stored = [Signal(self._stored, name=f"stored{k}") for k in range(self._lanes)]
        for lane in range(self._lanes):
            group_begun = first[: lane + 1].any()
            counts_group = Signal(name=f"own{lane}")
            m.d.comb += [
                counts_group.eq(first[lane] | (~group_begun & (previous.lane == lane))),
                stored[lane].tuple.eq(items[lane]["tuple"]),
                stored[lane].cardinality.eq(Mux(counts_group, items[lane]["cardinality"], 0)),
            ]
            with m.If(self.i.valid & first[lane]):
                m.d.sync += previous.lane.eq(lane)
        with m.If(self.i.valid):
            m.d.sync += previous.group.eq(groups[-1])
        return stored
