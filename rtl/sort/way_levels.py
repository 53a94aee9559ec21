"""The parts of one level of a way merger: entries that wait in slots, and nodes that choose."""

from amaranth.hdl import Cat, Module, Mux, Signal, Value
from amaranth.lib import data, memory, wiring
from amaranth.lib.wiring import In, Out

from rtl.sort.order import before, entry_layout
from rtl.stream.order import equal


def way_layout(order, *, counted):
    """An entry of a slot.

    With ``counted`` and a cardinality it has ``same``: it is of the group of the entry that the
    slot got before it.
    """
    marks = {"same": 1} if counted and order.cardinality else {}
    return data.StructLayout({**entry_layout(order).members, **marks})


def request_layout(level):
    """A request to a node of a level: put the lesser of your two heads into your slot.

    ``place`` is that in the slot's ring.
    """
    return data.StructLayout({"node": level, "place": 1})


class WaySlots(wiring.Component):
    """The slots of a level, each a ring of two entries in LUT RAM.

    Even and odd slots lie in memories of their own, so that the heads of two neighbours are read
    at once. With ``bypass`` an entry can be read in the very cycle that writes it, otherwise in
    the next one.

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

    The node asked takes the lesser head of its two slots below. What it keeps of itself, above all
    which place of either slot is the head, lies in LUT RAM.

    With a cardinality the entry chosen gets that of its group on both sides. When both heads are
    of one group that is their sum. Else one side has none of the group left, or never had: if the
    entry before was of the group, it has the sum already, for at the first of the group's entries
    each side that has any has one as its head. Whether it was is known by ``same`` of the entry
    when the entry before came from the same side; when it came from the other, it was if the heads
    were then of one group, as this one was already there. The lowest level has no ``same``; it
    compares with the group that the node gave last.

    ``passed`` goes out in place of an entry chosen, so that one multiplexer does for both.

    Combinational but for what the nodes keep.

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
        Places of the heads.
    side : Out(1)
        The head taken: its slot is to be filled again, at its place.
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
        goes_on = Signal(2)  # whether either head is of the group of the entry before
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
        """What the node asked keeps of itself, and what it shall keep from now on."""
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
