"""The way merger: many sorted lists in a memory become one sorted stream."""

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value
from amaranth.lib import data, memory, stream, wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import bits_for

from rtl.network.plan import log2
from rtl.sort.way_levels import WayNodes, WaySlots, request_layout, way_layout
from rtl.stream.beat import beat


class WayMerger(wiring.Component):
    """Merges up to W sorted lists that lie in a memory, one tuple per cycle, by log2 W comparators.

    ::

        level 0         node              one request per level and cycle: a node compares the
                       /    \\             heads of its two slots, hands the lesser one up, and
        level 1     slot    slot          asks the node that fills that slot in the next cycle
                    node    node
                    /  \\    /  \\
        level 2  slot slot slot slot      the slots of the lowest level, one for each list, are
                   |    |    |    |       filled by fetches
                  list list list list

    A tree of W-1 comparators would be idle but for the ones on the path of one tuple; so each level
    has only one, and its nodes take turns. An entry taken in one cycle is replaced for the cycle
    after next, hence slots of two; the replacement goes to the very place of what was taken, so
    that nothing is counted and no slot can be empty or overflow. Lists that have ended give pads.

    For C lists only ``ceil(log2 C)`` levels are used, one at least: what node 0 of the highest of
    them gives is handed through the levels above.

    Filling begins with a job, list by list as they become available: two rows of each list, then
    two entries of each node whose lists are all there. Afterwards the top is asked in every cycle.
    When it has given its last tuple all that is under way is dropped, and the next job can come.

    With a cardinality, each item says how many tuples of its group its list has, the same on all
    of the group, also 0; what comes out has the sum over all lists. How is told with
    :class:`~rtl.sort.way_levels.WayNodes`.

    Tuples that tie in ``order`` come in any order, also two of one list. While ``o`` stalls
    everything stands still but the taking of a job and ``abort``.

    Latency ``log2 W + 2 + max(1, ceil(log2 C))`` cycles from when ``available`` shows the last list
    to the first tuple, if the filling had come up with the others; from one list to the next it
    takes 2 to 6 cycles. Initiation interval 1 cycle: after the first tuple one comes in every
    cycle, whatever the lists are. From one job of n tuples to the next it is n + 6 cycles with two
    lists that are there from the beginning, n + 4 with one, at most n + 2 + 6 C with C.
    Comparators: ``log2 W``. Resources: 2 * 2 W entries in LUT RAM.

    Parameters
    ----------
    order : SortOrder
    ways : int
        W, a power of two of at least 2.
    list_rows : int
        K, rows of every list but the last, a power of two.
    depth : int
        Entries of the memory, a power of two of at least W * K.

    Members
    -------
    job : In(stream.Signature(data.StructLayout({"base": ..., "lists": ..., "tail": ...})))
        ``lists`` is C, at least 1. List i lies at ``base + i * K``, modulo ``depth``; ``base`` is a
        multiple of K. ``tail`` is the rows of the last list, 1 to K. Ready between jobs.
    available : In(range(W + 1))
        How many lists of the job taken last are in the memory; does not fall during a job.
    abort : In(1)
        Forgets the job taken last, or being taken, before all its lists are available.
    address : Out(range(depth))
    read : Out(1)
    data : In(order.row)
        What was at ``address`` in the last cycle in which ``read`` was high before this one.
    fetched : Out(1)
        High for one cycle, the one after the read of the job's last row: its place may be written.
    o : Out(stream.Signature(beat(order.row, 1)))
        One list for each job, ``valid`` on every tuple.

    Source: ours. It stands in for the merge mode of seed 003 (section 3.3), in which the cells of a
    linear sorter hold the heads of k lists: here the cells sort the next chunk in the meantime, and
    a chunk that was dealt to P leaves has P heads, which makes P * C of them.
    """

    initiation_interval = 1

    def __init__(self, order, ways, list_rows, depth):
        self._levels, self._shift, self._bits = log2(ways), log2(list_rows), log2(depth)
        if ways < 2:
            raise ValueError(f"ways must be at least 2, not {ways}")
        if depth < ways * list_rows:
            raise ValueError(f"depth must be at least {ways * list_rows}, not {depth}")
        self._order = order
        job = {"base": self._bits, "lists": bits_for(ways), "tail": bits_for(list_rows)}
        super().__init__(
            {
                "job": In(stream.Signature(data.StructLayout(job))),
                "available": In(bits_for(ways)),
                "abort": In(1),
                "address": Out(self._bits),
                "read": Out(1),
                "data": In(order.row),
                "fetched": Out(1),
                "o": Out(stream.Signature(beat(order.row, 1))),
            }
        )

    @property
    def latency(self):
        return 2 * self._levels + 2

    @property
    def comparators(self):
        """How many comparisons of two tuples are made in a cycle."""
        return self._levels

    def elaborate(self, platform):
        m = Module()
        state = Signal(self._state_layout())
        go = Signal()
        m.d.comb += [go.eq(~self.o.valid | self.o.ready), self.job.ready.eq(~state.busy)]
        asks = self._sequence(m, go, state)
        requests = [Signal(request_layout(j), name=f"request{j}") for j in range(self._levels + 1)]
        slots = self._slots(m, go, state, requests)
        self._fetch(m, go, state, requests[-1], slots[-1])
        self._nodes(m, go, state, asks, requests, slots)
        with m.If(go & state.ending):
            m.d.sync += [state.busy.eq(0), state.ending.eq(0)]
        with m.If(self.job.valid & self.job.ready):
            m.d.sync += [
                state.base.eq(self.job.p.base[self._shift :]),
                state.edge.eq(self.job.p.lists - 1),
                state.tail.eq(self.job.p.tail - 1),
                state.busy.eq(1),
            ]
        with m.If(self.abort):
            m.d.sync += [state.busy.eq(0), state.valid.eq(0)]
        return m

    def _state_layout(self):
        return data.StructLayout(
            {
                "base": self._bits - self._shift,
                "edge": self._levels,  # the last list
                "tail": self._shift,  # its last row
                "busy": 1,
                "ending": 1,  # the request for the last tuple is being done
                "giving": 1,  # a request to the top is being done
                "at": self._levels + 1,  # the level that the sequencer asks, one bit for each
                "valid": self._levels + 1,  # which levels are asked in this cycle
                "first": 1,  # it is for a list's first row that the fetch is asked
            }
        )

    def _last_row(self):
        """Of the job that is offered; rows are counted from 0."""
        last = (self.job.p.tail - 1)[: self._shift]
        return Cat(last, (self.job.p.lists - 1)[: self._levels])

    def _sequence(self, m, go, state):
        """First the filling, list by list and node by node as they can be had, then the run.

        Returns whether it asks, for which list, and for which place.
        """
        levels, at = self._levels, state.at
        list_ = Signal(levels)
        place = Signal()
        left = Signal(levels + self._shift)
        running = Signal()
        asks, step, rises, top = Signal(), Signal(), Signal(), Signal()
        above = range(1, levels + 1)
        m.d.comb += [
            asks.eq(state.busy & ~state.ending & (~at[levels] | (list_ < self.available))),
            step.eq(go & asks & ~(at[1:] & state.valid[:levels]).any()),
            # The node above has all its lists with its second slot, or with the last list.
            rises.eq(Cat(at[j] & list_[levels - j] for j in above).any() | (list_ == state.edge)),
            top.eq(Cat(at[j] & ~state.edge[levels + 1 - j :].any() for j in above).any()),
        ]
        with m.If(go):
            m.d.sync += state.giving.eq(running & step)
        with m.If(step):
            m.d.sync += place.eq(running | ~place)
            with m.If(running):
                m.d.sync += [left.eq(left - 1), state.ending.eq(left == 0)]
            with m.Elif(place & rises):
                m.d.sync += [at.eq(at >> 1), running.eq(top)]
            with m.Elif(place):
                m.d.sync += [at.eq(1 << levels), list_.eq(list_ + 1)]
        with m.If(self.job.valid & self.job.ready):
            m.d.sync += [
                list_.eq(0),
                place.eq(0),
                at.eq(1 << levels),
                running.eq(0),
                left.eq(self._last_row()),
            ]
        return asks, list_, place

    def _slots(self, m, go, state, requests):
        """The slots of levels 1 to the lowest; those are filled by the fetches."""
        slots = []
        for j in range(1, self._levels + 1):
            lowest = j == self._levels
            layout = way_layout(self._order, counted=not lowest)
            each = m.submodules[f"slots{j}"] = WaySlots(layout, j, bypass=lowest)
            m.d.comb += [each.stored.eq(go), each.pair.eq(requests[j - 1].node)]
            if not lowest:
                m.d.comb += [
                    each.slot.eq(requests[j].node),
                    each.place.eq(requests[j].place),
                    each.enable.eq(state.valid[j]),
                ]
            slots.append(each)
        return slots

    def _nodes(self, m, go, state, asks, requests, slots):
        """The levels of nodes; and what each is asked in the next cycle.

        What a node takes is asked for at the level below, which goes before the sequencer.
        """
        any_, list_, place = asks
        levels = self._levels
        below, passes = Signal(self._order.row), Signal()
        last = Const(0)
        for j in reversed(range(levels)):
            nodes = m.submodules[f"nodes{j}"] = WayNodes(self._order, j, counted=j + 1 < levels)
            children = slots[j]
            body = Signal(self._order.row, name=f"body{j}", reset_less=True)
            given = Signal(name=f"given{j}")
            ends = Signal(name=f"ends{j}")
            top = state.at[j] & state.giving
            m.d.comb += [
                nodes.request.eq(requests[j]),
                nodes.enable.eq(state.valid[j] & go),
                # Its children are being filled.
                nodes.forgets.eq(state.at[j + 1] & ~state.valid[j]),
                nodes.fresh.eq(list_[levels - j :]),
                nodes.edge.eq(state.edge[levels - 1 - j :]),
                nodes.heads[0].eq(children.heads[0]),
                nodes.heads[1].eq(children.heads[1]),
                nodes.passes.eq(passes),
                nodes.passed.eq(below),
                children.places.eq(nodes.places),
            ]
            if j:
                m.d.comb += slots[j - 1].entry.eq(nodes.chosen)
            with m.If(go):
                m.d.sync += [
                    body.eq(nodes.chosen.body),
                    given.eq(passes | top),
                    ends.eq(last | (top & state.ending)),
                ]
                follower = requests[j + 1]
                with m.If(state.valid[j]):
                    m.d.sync += [
                        follower.node.eq(Cat(nodes.side, requests[j].node)),
                        follower.place.eq(Mux(nodes.side, nodes.places[1], nodes.places[0])),
                    ]
                with m.Else():
                    m.d.sync += self._ask(follower, list_[levels - 1 - j :], place)
            below, passes, last = body, given, ends
        with m.If(go):
            m.d.sync += self._ask(requests[0], Const(0, 0), place)
            m.d.sync += state.first.eq(~state.valid[levels - 1] & ~place)
            asked = Cat(Const(0, 1), state.valid[:levels]) | Mux(any_, state.at, 0)
            m.d.sync += state.valid.eq(Mux(state.ending, 0, asked))
        m.d.comb += [
            self.o.p.tuples[0].eq(below),
            self.o.p.valid.eq(1),
            self.o.p.last.eq(last),
            self.o.valid.eq(passes),
        ]

    def _ask(self, request, node, place):
        """A request of the sequencer's."""
        return [request.node.eq(node), request.place.eq(place)]

    def _fetch(self, m, go, state, request, slots):
        """The next row of a list, or a pad when it has no more."""
        levels, shift = self._levels, self._shift
        list_ = request.node
        rows = Signal(shift)
        over = Signal()
        known = Signal(data.StructLayout({"row": shift, "over": 1}))
        keep = Signal.like(known)
        fetches = Signal()
        unread = Signal(levels + shift)
        m.d.comb += [
            fetches.eq(state.valid[levels] & go),
            rows.eq(Mux(state.first, 0, known.row)),
            over.eq(known.over & ~state.first),
            keep.row.eq(rows + 1),
            keep.over.eq(over | (rows == Mux(list_ == state.edge, state.tail, ~Const(0, shift)))),
            self.address.eq(Cat(rows, state.base + list_)),
            self.read.eq(fetches),
        ]
        found = []
        for side in range(2):
            store = m.submodules[f"rows{side}"] = memory.Memory(
                shape=known.shape(),
                depth=1 << levels - 1,
                init=[],
                attrs={"ram_style": "distributed"},
            )
            writer, reader = store.write_port(), store.read_port(domain="comb")
            m.d.comb += [
                writer.addr.eq(list_[1:]),
                writer.data.eq(keep),
                writer.en.eq(fetches & (list_[0] == side)),
                reader.addr.eq(list_[1:]),
            ]
            found.append(reader.data)
        m.d.comb += Value.cast(known).eq(Mux(list_[0], found[1], found[0]))

        arrived = Signal()
        m.d.sync += self.fetched.eq(0)
        with m.If(go):
            m.d.sync += [
                arrived.eq(state.valid[levels]),
                slots.slot.eq(list_),
                slots.place.eq(request.place),
                slots.entry.pad.eq(over),
            ]
        with m.If(fetches & ~over):
            m.d.sync += [unread.eq(unread - 1), self.fetched.eq(unread == 0)]
        with m.If(self.job.valid & self.job.ready):
            m.d.sync += unread.eq(self._last_row())
        m.d.comb += [slots.entry.body.eq(self.data), slots.enable.eq(arrived)]
