"""How many tuples of a group two merged lists hold together."""

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
    """A row of a merger: ``entries``, and ``end``, the list's last row."""
    entries = data.ArrayLayout(entry_layout(order), lanes)
    return data.StructLayout({"entries": entries, "end": 1})


def marked_layout(order, lanes):
    """A row whose entries say by ``from_b`` which list they are of.

    ``rest`` is the least entry of either list behind the row, as :func:`front_layout`.
    """
    entry = data.StructLayout({**entry_layout(order).members, "from_b": 1})
    rest = data.StructLayout({"a": front_layout(order), "b": front_layout(order)})
    return data.StructLayout({"entries": data.ArrayLayout(entry, lanes), "end": 1, "rest": rest})


def front_layout(order):
    """What is to be known of the least entry that a list still has; ``valid`` if it has one."""
    members = {"group": order.group_width, "cardinality": order.cardinality, "valid": 1}
    return data.StructLayout(members)


def fronts(m, order, a, b):
    """The least entry that is left in the banks of ``a``, and of ``b``: as :func:`front_layout`.

    Entry r is in bank r mod w, and entries leave in their order. So when n of ``a`` have left, the
    next is in bank n mod w, and the banks before that one have been popped once more than the rest:
    with w = 4 and n = 6, they have been popped 2, 2, 1, 1 times, and the next is in bank 2. Whether
    it was odd or even often is enough to see the step; if there is none it is bank 0. Of ``a`` and
    ``b`` together whole rows have left, so the next of ``b`` is in bank -n mod w: again 2 here.
    """
    lanes = len(a.heads)
    odd = [head.odd for head in a.heads]
    place = Signal(range(lanes))
    for bit in range(len(place)):
        turns = [odd[k] != odd[k - 1] for k in range(lanes) if k >> bit & 1]
        m.d.comb += place[bit].eq(Cat(turns).any())
    found = []
    for banks, bank in ((a, place), (b, (-place)[: len(place)])):
        head = head_of(banks.heads, bank)
        front = Signal(front_layout(order))
        m.d.comb += [
            front.group.eq(order.group_of(head.entry.body)),
            front.cardinality.eq(head.entry.body.cardinality),
            front.valid.eq(head.known & ~head.done & ~head.entry.pad),
        ]
        found.append(front)
    return found


def head_of(heads, bank):
    """One of the heads; what is not read of it costs nothing."""
    layout = heads[0].shape()
    return layout(Array(head.as_value() for head in heads)[bank])


class GroupTotals(wiring.Component):
    """Gives the tuples of a merged list the sum of what their groups count in the two lists.

    All tuples of a group come with one number in list a, and with one in list b. Always true: *in
    the first row that has a tuple of a group, each list that has any of the group has one in that
    row, or has one as its least entry behind the row.* For what is left of a list is sorted, and
    the rows take the least of both. So the total is known with a group's first row:

    1. a group that goes on from the row before has the total that it had there;
    2. else it is a tuple's own number and that of the other list, which is found in a lane of the
       row that holds a tuple of the group and of that list, or in ``rest``, the least entry of that
       list behind the row. The latter can only be for the row's last group.

    For example, rows of 2 lanes, as group, list and number, of three tuples of group 3 in a and one
    in b, then group 8 in b::

        row             rest of a   rest of b   totals
        3 a 3, 3 a 3    3, 3        3, 1        3 + 1 by the rest of b, for both
        3 a 3, 3 b 1    none        8, 5        4 and 4, as in the row before
        8 b 5, pad      none        none        5

    Pads have no group; what they are given means nothing. Behind a pad there are only pads. Order
    is kept. A stall at ``o`` stalls ``i``, from 4 lanes on a cycle later.

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
        The same, with totals.

    Source: seed 003, section 3.3 and figure 9 has the sums made where tuples are compared and
    swapped; that they are made in the sorted row is ours.
    """

    latency = 2
    initiation_interval = 1

    def __init__(self, order, lanes):
        self._order, self._lanes = order, lanes
        self._compared = data.StructLayout(
            {
                "row": marked_layout(order, lanes),
                "joined": lanes,  # to the lane before, lane 0 to the row before
                "goes_on": 1,  # the row's last group goes on with ``behind``
                "behind": order.cardinality,
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
        register = StreamRegister if self._lanes < 4 else SkidBuffer  # the chain of ready gets long
        totals = m.submodules.totals = register(row_layout(self._order, self._lanes))
        self._compare(m, compared.i)
        self._add(m, compared.o, totals.i)
        wiring.connect(m, totals.o, wiring.flipped(self.o))
        return m

    def _compare(self, m, out):
        """Which lanes are of one group, and whether the row's first and last go beyond it."""
        entries = split(m, self.i.p.entries, "entry")
        groups = [self._order.group_of(entry.body) for entry in entries]
        rest, behind = self.i.p.rest, Signal(front_layout(self._order))
        group = Signal(self._order.group_width, reset_less=True)
        known = Signal()  # the list has a row before, which ended with ``group``
        joined = [equal(groups[0], group, known)]
        joined += [equal(a, b) for a, b in pairwise(groups)]
        m.d.comb += [
            out.p.row.eq(self.i.p),
            out.p.joined.eq(Cat(j & ~entry.pad for j, entry in zip(joined, entries, strict=True))),
            behind.eq(Mux(entries[-1].from_b, rest.a.as_value(), rest.b.as_value())),
            out.p.behind.eq(behind.cardinality),
            out.p.goes_on.eq(equal(behind.group, groups[-1], behind.valid)),
            out.valid.eq(self.i.valid),
            self.i.ready.eq(out.ready),
        ]
        with m.If(self.i.valid & self.i.ready):
            m.d.sync += [group.eq(groups[-1]), known.eq(~self.i.p.end)]

    def _add(self, m, source, out):
        """A tuple's total: its own number, and what the other list says of its group."""
        lanes = range(self._lanes)
        entries = split(m, source.p.row.entries, "compared")
        given = build(m, out.p.entries, "given")
        joined = source.p.joined
        before = Signal(self._order.cardinality, reset_less=True)  # total of the last row's last
        for lane, entry in enumerate(entries):
            parts = []
            for k in lanes:
                low, high = sorted((lane, k))
                alike = joined[low + 1 : high + 1].all() & (entry.from_b ^ entries[k].from_b)
                parts += [Mux(alike, entries[k].body.cardinality, 0)] if k != lane else []
            goes_on = joined[lane + 1 :].all() & ~(entry.from_b ^ entries[-1].from_b)
            parts.append(Mux(goes_on & source.p.goes_on, source.p.behind, 0))
            total = entry.body.cardinality + reduce(or_, parts)
            m.d.comb += [
                self._order.tuple(given[lane].body).eq(self._order.tuple(entry.body)),
                given[lane].body.cardinality.eq(Mux(joined[: lane + 1].all(), before, total)),
                given[lane].pad.eq(entry.pad),
            ]
        m.d.comb += [
            out.p.end.eq(source.p.row.end),
            out.valid.eq(source.valid),
            source.ready.eq(out.ready),
        ]
        with m.If(source.valid & source.ready):
            m.d.sync += before.eq(given[-1].body.cardinality)
