"""Sums the group cardinalities of two merged lists."""

from functools import reduce
from itertools import pairwise
from operator import or_

from amaranth.hdl import Array, Cat, Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.sort.order import entry_layout
from rtl.stream.beat import build, split
from rtl.stream.order import equal
from rtl.stream.register import StreamRegister
from rtl.stream.skid import SkidBuffer


def row_layout(order, lanes):
    """Returns the layout of a merger's row: ``entries``, and ``end``, high in a list's last row."""
    entries = data.ArrayLayout(entry_layout(order), lanes)
    return data.StructLayout({"entries": entries, "end": 1})


def marked_layout(order, lanes):
    """Returns the layout of a row whose entries name their list: ``from_b`` is 1 for list b.

    ``rest`` holds, for each list, the least entry that follows the row (:func:`front_layout`).
    """
    entry = data.StructLayout({**entry_layout(order).members, "from_b": 1})
    rest = data.StructLayout({"a": front_layout(order), "b": front_layout(order)})
    return data.StructLayout({"entries": data.ArrayLayout(entry, lanes), "end": 1, "rest": rest})


def front_layout(order):
    """Returns the layout of a list's least remaining entry.

    Members: ``group`` and ``cardinality`` of the entry; ``valid``, 0 if the list has no tuple left.
    """
    members = {"group": order.group_width, "cardinality": order.cardinality, "valid": 1}
    return data.StructLayout(members)


def fronts(m, order, a, b):
    """Returns the least entry left in the banks of ``a`` and of ``b`` (:func:`front_layout`).

    ``valid`` is 0 also while the next beat of a list has not come. Then all entries of the row
    before are of this list, and :class:`GroupTotals` does not read the front: a row is selected
    only when each bank has a head, so a list that gave fewer than w entries still has its next one.

    Entry r is in bank r mod w, and entries leave in order. After n entries of ``a`` have left, the
    next entry is in bank n mod w, and the banks below n mod w have been popped once more than the
    other banks: with w = 4 and n = 6, the banks have been popped 2, 2, 1, 1 times, and the next
    entry is in bank 2. The parity of the pop counts shows the step between 2 and 1; if all parities
    are equal the next bank is 0. Only full rows leave ``a`` and ``b`` together, so the next entry
    of ``b`` is in bank -n mod w: again 2 here.
    """
    lanes = len(a.heads)
    odd = [head.odd for head in a.heads]
    place = Signal(range(lanes))
    for bit in range(len(place)):
        steps = [odd[k] != odd[k - 1] for k in range(lanes) if k >> bit & 1]
        m.d.comb += place[bit].eq(Cat(steps).any())
    front_list = []
    for banks, bank in ((a, place), (b, (-place)[: len(place)])):
        head = head_of(banks.heads, bank)
        front = Signal(front_layout(order))
        m.d.comb += [
            front.group.eq(order.group_of(head.entry.body)),
            front.cardinality.eq(head.entry.body.cardinality),
            front.valid.eq(head.known & ~head.done & ~head.entry.pad),
        ]
        front_list.append(front)
    return front_list


def head_of(heads, bank):
    """Returns the head of ``bank``; synthesis removes the multiplexers of unused members."""
    layout = heads[0].shape()
    return layout(Array(head.as_value() for head in heads)[bank])


class GroupTotals(wiring.Component):
    """Replaces each tuple's number by the total of its group: the sum of both lists' numbers.

    A tuple's *number* is its cardinality: the number of tuples of its group in its list. So all
    tuples of a group have one number in list a, and one in list b. Invariant: *in the first row
    with a tuple of a group, each list that contains the group has a tuple of the group in the row,
    or as its least entry behind the row.* The invariant holds because the remainder of a list is
    sorted, and each row takes the least entries of both. So the total is available with a group's
    first row:

    1. a group that continues from the previous row has the same total as in the previous row;
    2. otherwise the total is the tuple's own number plus the number of the other list. The number
       of the other list is in a lane of the row with a tuple of the group and that list, or in
       ``rest``, the least entry of that list behind the row. ``rest`` matters only for the last
       group of a row.

    For example, rows of 2 lanes, written as group, list and number, with three tuples of group 3 in
    a and one in b, then group 8 in b::

        row             rest of a   rest of b   totals
        3 a 3, 3 a 3    3, 3        3, 1        3 + 1 by the rest of b, for both
        3 a 3, 3 b 1    none        8, 1        4 and 4, as in the row before
        8 b 1, pad      none        none        1

    A group that only one list contains keeps its number. Pads have no group, and their totals are
    undefined. Only pads follow a pad. Totals wrap at ``order.cardinality`` bits. Order is kept.
    A stall at ``o`` stalls ``i``; with 4 lanes and more, one cycle later.

    Latency 2 cycles, initiation interval 1 cycle. ``lanes + 1`` comparisons of groups for equality.

    Parameters
    ----------
    order : SortOrder
        With a cardinality.
    lanes : int

    Members
    -------
    i : In(stream.Signature(marked_layout(order, lanes)))
        Sorted rows.
    o : Out(stream.Signature(row_layout(order, lanes)))
        The rows with totals.

    Source: seed 003, section 3.3 and figure 9, which adds where tuples are compared and swapped; to
    add in the sorted row is ours.
    """

    latency = 2
    initiation_interval = 1

    def __init__(self, order, lanes):
        self._order = order
        self._lanes = lanes
        self._compared = data.StructLayout(
            {
                "row": marked_layout(order, lanes),
                # A bit for each lane: the tuple has the group of the tuple in the previous lane; in
                # lane 0: of the last tuple of the previous row.
                "joined": lanes,
                "continues": 1,  # the row's last group continues with ``next_count``
                "next_count": order.cardinality,
            }
        )
        super().__init__(
            {
                "i": In(stream.Signature(marked_layout(order, lanes))),
                "o": Out(stream.Signature(row_layout(order, lanes))),
            }
        )

    def elaborate(self, platform):
        m = Module()
        compared = m.submodules.compared = StreamRegister(self._compared)
        register = StreamRegister if self._lanes < 4 else SkidBuffer  # cuts a long ready chain
        totals = m.submodules.totals = register(row_layout(self._order, self._lanes))
        self._compare(m, compared.i)
        self._add(m, compared.o, totals.i)
        wiring.connect(m, totals.o, wiring.flipped(self.o))
        return m

    def _compare(self, m, out):
        """Compares groups: lane with lane, with the previous row, and with ``rest``."""
        entries = split(m, self.i.p.entries, "entry")
        groups = [self._order.group_of(entry.body) for entry in entries]
        rest = self.i.p.rest
        front = Signal(front_layout(self._order))
        group = Signal(self._order.group_width, reset_less=True)
        has_previous = Signal()  # the list has a previous row, which ended with ``group``
        joined = [equal(groups[0], group, has_previous)]
        joined += [equal(a, b) for a, b in pairwise(groups)]
        m.d.comb += [
            out.p.row.eq(self.i.p),
            out.p.joined.eq(Cat(j & ~entry.pad for j, entry in zip(joined, entries, strict=True))),
            front.eq(Mux(entries[-1].from_b, rest.a.as_value(), rest.b.as_value())),
            out.p.next_count.eq(front.cardinality),
            out.p.continues.eq(equal(front.group, groups[-1], front.valid)),
            out.valid.eq(self.i.valid),
            self.i.ready.eq(out.ready),
        ]
        with m.If(self.i.valid & self.i.ready):
            m.d.sync += [group.eq(groups[-1]), has_previous.eq(~self.i.p.end)]

    def _add(self, m, source, out):
        """Computes each tuple's total: its own number plus the other list's number."""
        lanes = range(self._lanes)
        entries = split(m, source.p.row.entries, "compared")
        results = build(m, out.p.entries, "result")
        joined = source.p.joined
        previous = Signal(self._order.cardinality, reset_less=True)  # last total of the last row
        for lane, entry in enumerate(entries):
            parts = []
            for k in lanes:
                low, high = sorted((lane, k))
                alike = joined[low + 1 : high + 1].all() & (entry.from_b ^ entries[k].from_b)
                parts += [Mux(alike, entries[k].body.cardinality, 0)] if k != lane else []
            in_last = joined[lane + 1 :].all() & ~(entry.from_b ^ entries[-1].from_b)
            parts.append(Mux(in_last & source.p.continues, source.p.next_count, 0))
            total = entry.body.cardinality + reduce(or_, parts)
            m.d.comb += [
                self._order.tuple(results[lane].body).eq(self._order.tuple(entry.body)),
                results[lane].body.cardinality.eq(Mux(joined[: lane + 1].all(), previous, total)),
                results[lane].pad.eq(entry.pad),
            ]
        m.d.comb += [
            out.p.end.eq(source.p.row.end),
            out.valid.eq(source.valid),
            source.ready.eq(out.ready),
        ]
        with m.If(source.valid & source.ready):
            m.d.sync += previous.eq(results[-1].body.cardinality)
