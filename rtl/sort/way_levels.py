"""The parts of one level of a way merger: slots that store entries, and nodes that compare."""

from amaranth.hdl import Cat, Module, Mux, Signal, Value
from amaranth.lib import data, memory, wiring
from amaranth.lib.wiring import In, Out

from rtl.sort.order import before, entry_layout
from rtl.stream.order import equal


def way_layout(order, *, counted):
    """Layout of a slot's entry: a tuple or a pad.

    With ``counted`` and a cardinality the entry has ``same``: the slot's previous entry had the
    same group. A slot that receives tuples of groups 5, 5, 9 has ``same`` 0, 1, 0.
    """
    marks = {"same": 1} if counted and order.cardinality else {}
    return data.StructLayout({**entry_layout(order).members, **marks})


def request_layout(level):
    """Layout of a request: node ``node`` of a level moves the lesser head into its slot.

    ``place``, 0 or 1, is the entry of the slot to write.
    """
    return data.StructLayout({"node": level, "place": 1})


class WaySlots(wiring.Component):
    """Stores the slots of a level in LUT RAM; a slot has two entries.

    Even and odd slots lie in separate memories, so that the heads of two neighbours, the children
    of one node, can be read in one cycle. With ``bypass`` an entry can be read in the cycle that
    writes it, otherwise in the next cycle.

    Parameters
    ----------
    layout : data.StructLayout
        An entry.
    bits : int
        log2 of the number of slots, at least 1.
    bypass : bool

    Members
    -------
    slot : In(bits)
        Slot to write.
    place : In(1)
        Entry of the slot to write.
    entry : In(layout)
        Data to write.
    enable : In(1)
        ``entry`` is the new entry of ``slot``; with ``bypass`` it is at ``heads`` in this cycle.
    stored : In(1)
        With ``enable``: the memory is written; high at least in the last cycle of ``enable``.
    pair : In(bits - 1)
        Slots to read: ``2 * pair`` and ``2 * pair + 1``.
    places : In(2)
        Entry to read from each of the two slots.
    heads : Out(layout).array(2)

    Source: ours.
    """

    def __init__(self, layout, bits, *, bypass):
        self._layout = layout
        self._bits = bits
        self._bypass = bypass
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
            enable_side = self.enable & (self.slot[0] == side)
            head = self.heads[side].as_value()
            if not self._bypass:
                to = Cat(self.place, self.slot[1:])
                place = Cat(self.places[side], self.pair)
                m.d.comb += head.eq(self._memory(m, f"slots{side}", to, enable_side, place))
                continue
            # ``places`` arrives late in the cycle, so it drives the last multiplexer.
            item = []
            for place in range(2):
                enable_place = enable_side & (self.place == place)
                name = f"slots{side}_{place}"
                read_entry = self._memory(m, name, self.slot[1:], enable_place, self.pair)
                arrives = Signal(name=f"arrives{side}_{place}")
                m.d.comb += arrives.eq(equal(self.slot[1:], self.pair, enable_place))
                item.append(Mux(arrives, self.entry.as_value(), read_entry))
            m.d.comb += head.eq(Mux(self.places[side], item[1], item[0]))
        return m

    def _memory(self, m, name, to, enable, address):
        """Adds a memory of entries; returns the entry at ``address``."""
        store = m.submodules[name] = memory.Memory(
            shape=self._layout.size,
            depth=1 << len(to),
            init=[],
            attrs={"ram_style": "distributed"},
        )
        writer = store.write_port()
        reader = store.read_port(domain="comb")
        m.d.comb += [
            writer.addr.eq(to),
            writer.data.eq(self.entry),
            writer.en.eq(enable & self.stored),
            reader.addr.eq(address),
        ]
        return reader.data


class WayNodes(wiring.Component):
    """The nodes of a level, one of which can serve a request per cycle.

    A node takes the lesser of the heads of its two slots below, the left and the right one. LUT RAM
    stores the state of each node, in particular the place of the head in either slot: a head is
    replaced at its own place, so the slot's other place becomes the next head.

    With a cardinality each tuple arrives with its *count*, the number of tuples of its group on its
    side, and leaves with the *total*, the sum of both sides' counts. Invariant: *when a node
    outputs the first tuple of a group, each side that contains the group has a tuple of the group
    as its head.* So the two heads give the first tuple's total, and the node stores the total for
    the other tuples of the group:

    1. if both heads have the same group: the sum of their counts;
    2. else, if the tuple has the group of the node's previous output: the previous total;
    3. else the tuple's own count, because the other side has no tuple of the group.

    For example, with two tuples of group 5 on the left, one on the right, and group 9 behind it:

    =============  ==============  =======  ==================
    left (count)   right (count)   output   total
    =============  ==============  =======  ==================
    5 (2)          5 (1)           left 5   3, both of group 5
    5 (2)          5 (1)           right 5  3, both of group 5
    5 (2)          9 (4)           left 5   3, by rule 2
    pad            9 (4)           right 9  4, its own
    =============  ==============  =======  ==================

    Rule 2 compares groups only at the lowest level, where a node stores the group of its previous
    output. At other levels a head has the previous output's group in two cases. Either its ``same``
    is high, as in the third row: the previous tuple of its side had the same group, and so had all
    outputs since that tuple, because outputs are sorted. Or the previous output came from the other
    side while both heads had the same group, and this head was already present.

    ``passed`` replaces the chosen entry, so that one multiplexer serves both. The outputs are
    combinational; the state of the nodes is registered.

    Parameters
    ----------
    order : SortOrder
    level : int
        The level has ``2 ** level`` nodes.
    counted : bool
        True if the heads have ``same``.

    Members
    -------
    request : In(request_layout(level))
    enable : In(1)
        The request is done in this cycle.
    clear : In(1)
        Clears the state of node ``clear_node``; only while ``enable`` is low.
    clear_node : In(level)
        Node to clear.
    edge : In(level + 1)
        Number of the last slot below that has a list.
    heads : In(way_layout(order, counted=counted)).array(2)
    passes : In(1)
        No request is valid; ``chosen.body`` is ``passed``.
    passed : In(order.row)
        Item that passes through the level.
    places : Out(2)
        Place of the left and of the right head, each 0 or 1.
    side : Out(1)
        The head that is taken, 1 for the right: its slot is refilled, at its place.
    chosen : Out(way_layout(order, counted=True))

    Source: seed 003, section 3.3 and figure 9 (sums where tuples are merged); all else is ours.
    """

    def __init__(self, order, level, *, counted):
        self._order = order
        self._level = level
        self._counted = counted
        super().__init__(
            {
                "request": In(request_layout(level)),
                "enable": In(1),
                "clear": In(1),
                "clear_node": In(level),
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
        single_list = Signal()
        state, next_state = self._state(m)
        m.d.comb += [
            # Only the last node can have no list under its right slot.
            single_list.eq(equal(request.node, self.edge[1:], ~self.edge[0])),
            self.places.eq(state.places),
            self.side.eq(before(self._order, right, left) & ~single_list),
            next_state.places.eq(self.places ^ Cat(~self.side, self.side)),
            self.chosen.pad.eq(Mux(self.side, right.pad, left.pad)),
        ]
        item = Value.cast(Mux(self.side, right.body.as_value(), left.body.as_value()))
        if self._order.cardinality:
            total = self._count(m, state, next_state, left.pad | right.pad | single_list)
            item = Cat(item[: -len(total)], total)  # the cardinality lies behind the tuple
        m.d.comb += Value.cast(self.chosen.body).eq(Mux(self.passes, Value.cast(self.passed), item))
        return m

    def _count(self, m, state, next_state, no_pair):
        """Returns the chosen entry's total, and assigns the state for the next entry's total."""
        order = self._order
        groups = [order.group_of(head.body) for head in self.heads]
        counts = [head.body.cardinality for head in self.heads]
        both = Signal()
        continues = Signal(2)  # the left, the right head has the previous output's group
        m.d.comb += both.eq(equal(*groups, ~no_pair))
        for side in range(2):
            if self._counted:
                continued = self.heads[side].same | (state.both & (state.side != side))
            else:
                continued = equal(groups[side], state.group, state.any)
            m.d.comb += continues[side].eq(continued)
        m.d.comb += [
            self.chosen.same.eq(Mux(self.side, continues[1], continues[0])),
            next_state.total.eq(self.chosen.body.cardinality),
        ]
        if self._counted:
            m.d.comb += [next_state.both.eq(both), next_state.side.eq(self.side)]
            own_total = Mux(self.chosen.same, state.total, Mux(self.side, counts[1], counts[0]))
        else:  # ``side`` comes from a comparison and is late, so it drives the last multiplexer
            m.d.comb += [
                next_state.group.eq(Mux(self.side, groups[1], groups[0])),
                next_state.any.eq(1),
            ]
            continued = [Mux(continues[side], state.total, counts[side]) for side in range(2)]
            own_total = Mux(self.side, continued[1], continued[0])
        return Mux(both, (counts[0] + counts[1])[:-1], own_total)

    def _state(self, m):
        """Adds the nodes' state; returns the requested node's state and its next state."""
        members = {"places": 2}
        if self._order.cardinality:
            members["total"] = self._order.cardinality
            if self._counted:
                members |= {"both": 1, "side": 1}
            else:
                members |= {"group": len(self._order.group_of(self.heads[0].body)), "any": 1}
        layout = data.StructLayout(members)
        state = Signal(layout)
        next_state = Signal(layout)
        stored = Signal(layout)
        m.d.comb += stored.eq(next_state)
        with m.If(~self.enable):
            m.d.comb += [
                stored[name].eq(0) for name in ("places", "both", "any") if name in members
            ]
        write = self.enable | self.clear
        if not self._level:
            with m.If(write):
                m.d.sync += state.eq(stored)
            return state, next_state
        store = m.submodules.nodes = memory.Memory(
            shape=layout, depth=1 << self._level, init=[], attrs={"ram_style": "distributed"}
        )
        writer = store.write_port()
        reader = store.read_port(domain="comb")
        m.d.comb += [
            writer.addr.eq(Mux(self.enable, self.request.node, self.clear_node)),
            writer.data.eq(stored),
            writer.en.eq(write),
            reader.addr.eq(self.request.node),
            state.eq(reader.data),
        ]
        return state, next_state
