"""Where the tuples of a sorted chunk go: dealt to the banks, one part of it for each leaf."""

from itertools import pairwise

from amaranth.hdl import Array, Cat, Module, Mux, Signal, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.network.plan import log2
from rtl.stream.beat import beat, split
from rtl.stream.order import equal


def stored_layout(order, capacity):
    """A tuple in a bank: of its cardinality no more than a chunk of ``capacity`` asks for."""
    if not order.cardinality:
        return order.row
    return data.StructLayout({"tuple": order.tuple_layout, "cardinality": capacity.bit_length()})


class ChunkWriter(wiring.Component):
    """Deals sorted chunks to P banks: tuple r of chunk c goes to bank (r + c) mod P.

    So each bank has every P-th tuple of each chunk, a fair sample of the window whatever the data:
    P leaves that merge one bank each come to the end of it close together. Were tuple 0 of every
    chunk in bank 0, that bank would have the least of all chunks; hence the turn by c.

    A chunk is so cut into P lists, one in each bank, and the mergers add up what each list says of
    a group. Always true: *of the lists of a chunk that have tuples of a group, the one that has the
    group's first tuple says its cardinality in the chunk, on all its tuples, and the others say 0.*
    With P = 2 and chunk 0, of groups 4, 4, 4, 7::

        bank 0    4 (3)  4 (3)      tuples 0 and 2
        bank 1    4 (0)  7 (1)      tuples 1 and 3

    and the sum over both lists is 3 for group 4, 1 for group 7.

    Every beat is taken: ``i.ready`` is always high. Latency: a tuple is in its bank 2 cycles after
    it was taken. Initiation interval 1 cycle.

    Parameters
    ----------
    order : SortOrder
    lanes : int
        P, a power of two.
    capacity : int
        k, tuples of a chunk.
    places : int
        Chunks that a bank has place for.

    Members
    -------
    i : In(stream.Signature(beat(order.row, lanes)))
        Each chunk a stream of full beats.
    place : In(range(places))
        Of the chunk that ``i`` is giving.
    address : Out(unsigned)
        The same for all banks.
    enable : Out(1)
    data : Out(stored_layout(order, capacity)).array(lanes)
    done : Out(1)
        High for a cycle when the last beat of a chunk is being written.
    done_place : Out(range(places))
        Of that chunk.

    Source: ours; for seed 003, section 3.3 (sorted chunks in block RAM) and section 6 (its wish to
    split sorted lists).
    """

    latency = 2
    initiation_interval = 1

    def __init__(self, order, lanes, capacity, places):
        self._order, self._lanes = order, lanes
        self._rows, self._places = capacity // lanes, places
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
        begins = Signal(init=1)
        items = split(m, self.i.p.tuples, "item")
        stored = items
        if self._order.cardinality:
            stored = self._count_once(m, items, begins)
        with m.If(self.i.valid):
            m.d.sync += [row.eq(Mux(self.i.p.last, 0, row + 1)), begins.eq(self.i.p.last)]
        m.d.sync += [
            self.enable.eq(self.i.valid),
            self.address.eq(Cat(row, self.place)),
            self.done.eq(self.i.valid & self.i.p.last),
            self.done_place.eq(self.place),
        ]
        # As wide as a lane's number, or the differences would be too narrow to go round.
        turn = Signal(log2(self._lanes))
        m.d.comb += turn.eq(self.place)
        lanes = Array(Value.cast(item) for item in stored)
        for k in range(self._lanes):
            source = lanes[(k - turn)[: log2(self._lanes)]]
            m.d.sync += Value.cast(self.data[k]).eq(source)
        return m

    def _count_once(self, m, items, begins):
        """The items, whose cardinality is kept only in the lane where their group began.

        A lane of the beats is a list, which is turned to its bank as a whole. A group is one run of
        tuples: those in front of the first new group of a beat are of the group of the beat before.
        """
        groups = [self._order.group_of(item) for item in items]
        carried = data.StructLayout({"group": len(groups[-1]), "lane": range(self._lanes)})
        before = Signal(carried)
        first = Signal(self._lanes)
        goes_on = equal(before.group, groups[0], ~begins)
        m.d.comb += first.eq(~Cat(goes_on, *(equal(a, b) for a, b in pairwise(groups))))

        # The group's first tuple is this one, or was in this lane of an earlier beat.
        stored = [Signal(self._stored, name=f"stored{k}") for k in range(self._lanes)]
        for lane in range(self._lanes):
            known = first[: lane + 1].any()
            own = Signal(name=f"own{lane}")
            m.d.comb += [
                own.eq(first[lane] | (~known & (before.lane == lane))),
                stored[lane].tuple.eq(items[lane]["tuple"]),
                stored[lane].cardinality.eq(Mux(own, items[lane]["cardinality"], 0)),
            ]
            with m.If(self.i.valid & first[lane]):
                m.d.sync += before.lane.eq(lane)
        with m.If(self.i.valid):
            m.d.sync += before.group.eq(groups[-1])
        return stored
