"""The parts of one level of a way merger: entries that wait in slots, and nodes that choose."""

from amaranth.hdl import Cat, Module, Mux, Signal, Value
from amaranth.lib import data, memory, wiring
from amaranth.lib.wiring import In, Out

from rtl.sort.order import before, entry_layout
from rtl.stream.order import equal


def way_layout(order, *, counted):
    """An entry of a slot: a tuple or a pad.

    With ``counted`` and a cardinality it has ``same``, high when the entry that the slot got before
    it was of its group. So a slot that gets tuples of groups 5, 5, 9 has ``same`` 0, 1, 0.
    """
    marks = {"same": 1} if counted and order.cardinality else {}
    return data.StructLayout({**entry_layout(order).members, **marks})


def request_layout(level):
    """A request to node ``node`` of a level: put the lesser of your two heads into your slot.

    ``place``, 0 or 1, is where in the slot.
    """
    return data.StructLayout({"node": level, "place": 1})


class WaySlots(wiring.Component):
    """The slots of a level, each with place for two entries, in LUT RAM.

    Even and odd slots lie in memories of their own, so that the heads of two neighbours, which are
    the children of one node, are read at once. With ``bypass`` an entry can be read in the very
    cycle that writes it, otherwise in the next one.

    Parameters
    ----------
    layout : data.StructLayout
        An entry.
    bits : int
        log2 of how many slots there are, at least 1.
    bypass : bool

    Members
    -------
    slot : In(bits)
        To write to.
    place : In(1)
    entry : In(layout)
    enable : In(1)
    stored : In(1)
        Whether what is written stays; to be high with ``enable`` at least in its last cycle.
    pair : In(bits - 1)
        To read from: slots ``2 * pair`` and ``2 * pair + 1``.
    places : In(2)
        Of either.
    heads : Out(layout).array(2)

    Source: ours.
    """

    def __init__(self, layout, bits, *, bypass):
        self._layout, self._bits, self._bypass = layout, bits, bypass
        super().__init__(
            {
                "slot": In(bits),
                "place": In(1),
                "entry": In(layout),
                "enable": In(1),
                "stored": In(1),
                "pair": In(bits - 1),
                "places": In(2),
                "heads": Out(layout).array(2),
            }
        )

    def elaborate(self, platform):
        m = Module()
        for side in range(2):
            mine = self.enable & (self.slot[0] == side)
            head = self.heads[side].as_value()
            if not self._bypass:
                to, place = Cat(self.place, self.slot[1:]), Cat(self.places[side], self.pair)
                m.d.comb += head.eq(self._ring(m, f"slots{side}", to, mine, place))
                continue
            # Which place it is to be is known late, so it has the last word.
            found = []
            for place in range(2):
                here = mine & (self.place == place)
                ring = self._ring(m, f"slots{side}_{place}", self.slot[1:], here, self.pair)
                arrives = Signal(name=f"arrives{side}_{place}")
                m.d.comb += arrives.eq(equal(self.slot[1:], self.pair, here))
                found.append(Mux(arrives, self.entry.as_value(), ring))
            m.d.comb += head.eq(Mux(self.places[side], found[1], found[0]))
        return m

    def _ring(self, m, name, to, enable, address):
        """A memory of entries; returns what it has at an address."""
        store = m.submodules[name] = memory.Memory(
            shape=self._layout.size,
            depth=1 << len(to),
            init=[],
            attrs={"ram_style": "distributed"},
        )
        writer, reader = store.write_port(), store.read_port(domain="comb")
        m.d.comb += [
            writer.addr.eq(to),
            writer.data.eq(self.entry),
            writer.en.eq(enable & self.stored),
            reader.addr.eq(address),
        ]
        return reader.data


class WayNodes(wiring.Component):
    """The nodes of a level, of which one can be asked in every cycle.

    The node asked takes the lesser of the heads of its two slots below, the left and the right one.
    What each node remembers lies in LUT RAM, above all which place of either slot is the head: a
    head that is taken is replaced at its own place, so the other place is the next head.

    With a cardinality every tuple comes with the number that its side has of its group, and leaves
    with the sum of both sides. Always true: *when a node gives the first tuple of a group, each
    side that has any of the group shows one as its head.* So the first tuple gets the right sum
    from the two heads, and the node keeps it for the rest of the group:

    1. both heads are of one group: the sum of their numbers;
    2. else, if the tuple is of the group of the one that the node gave before: what that one got;
    3. else its own number, as the other side has none of the group.

    For example, with two tuples of group 5 on the left, one on the right, and group 9 behind it:

    =============  ==============  =======  ==================
    left (number)  right (number)  given    total
    =============  ==============  =======  ==================
    5 (2)          5 (1)           left 5   3, both of group 5
    5 (2)          5 (1)           right 5  3, both of group 5
    5 (2)          9 (4)           left 5   3, as before
    pad            9 (4)           right 9  4, its own
    =============  ==============  =======  ==================

    Rule 2 needs no comparison but at the lowest level, which keeps the group that the node gave
    last. Above, a head is of that group if it has ``same`` (the tuple before it from this side was
    of its group, and so is all that is given between the two, as it is sorted), or if the tuple
    before came from the other side while both heads were of one group (this head was there then).

    ``passed`` goes out in place of an entry chosen, so that one multiplexer does for both.
    Combinational but for what the nodes remember.

    Parameters
    ----------
    order : SortOrder
    level : int
        There are ``2 ** level`` nodes.
    counted : bool
        Whether the heads have ``same``.

    Members
    -------
    request : In(request_layout(level))
    enable : In(1)
        The request is to be done in this cycle.
    forgets : In(1)
        While ``enable`` is low, node ``fresh`` forgets what it has kept.
    fresh : In(level)
    edge : In(level + 1)
        The last slot below that has a list.
    heads : In(way_layout(order, counted=counted)).array(2)
    passes : In(1)
        No node is asked; ``chosen.body`` is to be ``passed``.
    passed : In(order.row)
    places : Out(2)
        Of the left and the right head, each 0 or 1.
    side : Out(1)
        Which head is taken, 1 for the right: its slot is to be filled again, at its place.
    chosen : Out(way_layout(order, counted=True))

    Source: seed 003, section 3.3 and figure 9 (sums where tuples are merged); the rest is ours.
    """

    def __init__(self, order, level, *, counted):
        self._order, self._level, self._counted = order, level, counted
        super().__init__(
            {
                "request": In(request_layout(level)),
                "enable": In(1),
                "forgets": In(1),
                "fresh": In(level),
                "edge": In(level + 1),
                "heads": In(way_layout(order, counted=counted)).array(2),
                "passes": In(1),
                "passed": In(order.row),
                "places": Out(2),
                "side": Out(1),
                "chosen": Out(way_layout(order, counted=True)),
            }
        )

    def elaborate(self, platform):
        m = Module()
        request = self.request
        left, right = self.heads
        alone = Signal()
        kept, keep = self._kept(m)
        m.d.comb += [
            # Only the last node can lack its right slot.
            alone.eq(equal(request.node, self.edge[1:], ~self.edge[0])),
            self.places.eq(kept.places),
            self.side.eq(before(self._order, right, left) & ~alone),
            keep.places.eq(self.places ^ Cat(~self.side, self.side)),
            self.chosen.pad.eq(Mux(self.side, right.pad, left.pad)),
        ]
        found = Value.cast(Mux(self.side, right.body.as_value(), left.body.as_value()))
        if self._order.cardinality:
            total = self._count(m, kept, keep, left.pad | right.pad | alone)
            found = Cat(found[: -len(total)], total)  # the cardinality lies behind the tuple
        m.d.comb += Value.cast(self.chosen.body).eq(
            Mux(self.passes, Value.cast(self.passed), found)
        )
        return m

    def _count(self, m, kept, keep, lone):
        """The cardinality of the entry chosen, and what must be kept for that of the next."""
        order = self._order
        groups = [order.group_of(head.body) for head in self.heads]
        counts = [head.body.cardinality for head in self.heads]
        both = Signal()
        goes_on = Signal(2)  # the left, the right head is of the group that was given before
        m.d.comb += both.eq(equal(*groups, ~lone))
        for side in range(2):
            if self._counted:
                known = self.heads[side].same | (kept.both & (kept.side != side))
            else:
                known = equal(groups[side], kept.group, kept.any)
            m.d.comb += goes_on[side].eq(known)
        m.d.comb += [
            self.chosen.same.eq(Mux(self.side, goes_on[1], goes_on[0])),
            keep.total.eq(self.chosen.body.cardinality),
        ]
        if self._counted:
            m.d.comb += [keep.both.eq(both), keep.side.eq(self.side)]
            single = Mux(self.chosen.same, kept.total, Mux(self.side, counts[1], counts[0]))
        else:  # where comparisons come last, the side has the last word
            m.d.comb += [keep.group.eq(Mux(self.side, groups[1], groups[0])), keep.any.eq(1)]
            known = [Mux(goes_on[side], kept.total, counts[side]) for side in range(2)]
            single = Mux(self.side, known[1], known[0])
        return Mux(both, (counts[0] + counts[1])[:-1], single)

    def _kept(self, m):
        """What the node asked remembers, and what it is to remember from now on."""
        members = {"places": 2}
        if self._order.cardinality:
            members["total"] = self._order.cardinality
            if self._counted:
                members |= {"both": 1, "side": 1}
            else:
                members |= {"group": len(self._order.group_of(self.heads[0].body)), "any": 1}
        layout = data.StructLayout(members)
        kept, keep = Signal(layout), Signal(layout)
        after = Signal(layout)
        m.d.comb += after.eq(keep)
        with m.If(~self.enable):
            m.d.comb += [after[name].eq(0) for name in ("places", "both", "any") if name in members]
        write = self.enable | self.forgets
        if not self._level:
            with m.If(write):
                m.d.sync += kept.eq(after)
            return kept, keep
        store = m.submodules.nodes = memory.Memory(
            shape=layout, depth=1 << self._level, init=[], attrs={"ram_style": "distributed"}
        )
        writer, reader = store.write_port(), store.read_port(domain="comb")
        m.d.comb += [
            writer.addr.eq(Mux(self.enable, self.request.node, self.fresh)),
            writer.data.eq(after),
            writer.en.eq(write),
            reader.addr.eq(self.request.node),
            kept.eq(reader.data),
        ]
        return kept, keep
