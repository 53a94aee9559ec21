"""The way merger: many sorted lists in a memory become one sorted stream."""

from amaranth.hdl import Cat, Const, Module, Mux, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.network.plan import log2
from rtl.sort.way_fetch import WayFetch
from rtl.sort.way_levels import WayNodes, WaySlots, request_layout, way_layout
from rtl.sort.way_sequencer import WaySequencer, job_layout
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
    job : In(stream.Signature(job_layout(ways, list_rows, depth)))
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
        self._levels = log2(ways)
        if ways < 2:
            raise ValueError(f"ways must be at least 2, not {ways}")
        if depth < ways * list_rows:
            raise ValueError(f"depth must be at least {ways * list_rows}, not {depth}")
        self._order = order
        self._sequencer = WaySequencer(ways, list_rows, depth)
        self._fetch = WayFetch(ways, list_rows, depth)
        super().__init__(
            {
                "job": In(stream.Signature(job_layout(ways, list_rows, depth))),
                "available": In(range(ways + 1)),
                "abort": In(1),
                "address": Out(range(depth)),
                "read": Out(1),
                "data": In(order.row),
                "fetched": Out(1),
                "o": Out(stream.Signature(beat(order.row, 1))),
            }
        )

    @staticmethod
    def latency_of(ways, lists):
        """From when the last of so many lists is available to the first tuple."""
        return log2(ways) + 2 + max(1, (lists - 1).bit_length())

    @staticmethod
    def filling_of(lists):
        """How many slots are asked for each of so many lists, before the first tuple comes.

        Two of the list itself, and two of each node whose lists are all there then, but for those
        of the top: 2, 4, 4 with three lists, 2, 4, 2, 4 with four.
        """
        asked = []
        for k in range(1, lists + 1):
            height = 0
            while 2 << height < lists and (k == lists or not k % (2 << height)):
                height += 1
            asked.append(2 * (1 + height))
        return asked

    @property
    def latency(self):
        """With as many lists as there may be."""
        return self.latency_of(1 << self._levels, 1 << self._levels)

    def elaborate(self, platform):
        m = Module()
        m.submodules.sequencer = sequencer = self._sequencer
        wiring.connect(m, wiring.flipped(self.job), sequencer.job)
        m.d.comb += [
            sequencer.available.eq(self.available),
            sequencer.abort.eq(self.abort),
            sequencer.go.eq(~self.o.valid | self.o.ready),
        ]
        levels = range(self._levels + 1)
        requests = [Signal(request_layout(j), name=f"request{j}") for j in levels]
        slots = self._slots(m, requests)
        self._read(m, requests[-1], slots[-1])
        self._nodes(m, requests, slots)
        return m

    def _slots(self, m, requests):
        """The slots of levels 1 to the lowest; those are filled by the fetches."""
        slots = []
        for j in range(1, self._levels + 1):
            lowest = j == self._levels
            layout = way_layout(self._order, counted=not lowest)
            each = m.submodules[f"slots{j}"] = WaySlots(layout, j, bypass=lowest)
            m.d.comb += [
                each.stored.eq(self._sequencer.go),
                each.pair.eq(requests[j - 1].node),
            ]
            if not lowest:
                m.d.comb += [
                    each.slot.eq(requests[j].node),
                    each.place.eq(requests[j].place),
                    each.enable.eq(self._sequencer.asked[j]),
                ]
            slots.append(each)
        return slots

    def _read(self, m, request, slots):
        """A fetch reads the memory in one cycle, and fills a slot of the lowest level in the next.

        That cycle lasts as long as ``go`` is low.
        """
        m.submodules.fetch = fetch = self._fetch
        sequencer = self._sequencer
        arrived = Signal()
        m.d.comb += [
            fetch.held.eq(sequencer.held),
            fetch.begins.eq(self.job.valid & self.job.ready),
            fetch.enable.eq(sequencer.asked[-1]),
            fetch.go.eq(sequencer.go),
            fetch.first.eq(sequencer.first),
            fetch.list.eq(request.node),
            self.address.eq(fetch.address),
            self.read.eq(fetch.read),
            self.fetched.eq(fetch.fetched),
            slots.entry.body.eq(self.data),
            slots.enable.eq(arrived),
        ]
        with m.If(sequencer.go):
            m.d.sync += [
                arrived.eq(fetch.enable),
                slots.slot.eq(request.node),
                slots.place.eq(request.place),
                slots.entry.pad.eq(fetch.over),
            ]

    def _nodes(self, m, requests, slots):
        """The levels of nodes, from the lowest up; and what each is asked in the next cycle.

        A level hands up what it chose, or what came from below: ``below``, a tuple of the result if
        ``passes``, and its last if ``last``.
        """
        levels, sequencer = self._levels, self._sequencer
        go, ask, asked = sequencer.go, sequencer.ask, sequencer.asked
        below, passes, last = Signal(self._order.row), Signal(), Const(0)
        for j in reversed(range(levels)):
            nodes = m.submodules[f"nodes{j}"] = WayNodes(self._order, j, counted=j + 1 < levels)
            children, follower = slots[j], requests[j + 1]
            body = Signal(self._order.row, name=f"body{j}", reset_less=True)
            given = Signal(name=f"given{j}")
            ends = Signal(name=f"ends{j}")
            top = ask.level[j] & sequencer.top
            m.d.comb += [
                nodes.request.eq(requests[j]),
                nodes.enable.eq(asked[j] & go),
                # Its children are being filled.
                nodes.forgets.eq(ask.level[j + 1] & ~asked[j]),
                nodes.fresh.eq(ask.list[levels - j :]),
                nodes.edge.eq(sequencer.held.edge[levels - 1 - j :]),
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
                    ends.eq(last | (top & sequencer.ending)),
                ]
                # What a node takes is asked for at the level below, before the sequencer asks it.
                with m.If(asked[j]):
                    m.d.sync += [
                        follower.node.eq(Cat(nodes.side, requests[j].node)),
                        follower.place.eq(Mux(nodes.side, nodes.places[1], nodes.places[0])),
                    ]
                with m.Else():
                    node = ask.list[levels - 1 - j :]
                    m.d.sync += [follower.node.eq(node), follower.place.eq(ask.place)]
            below, passes, last = body, given, ends
        with m.If(go):
            m.d.sync += requests[0].place.eq(ask.place)
        m.d.comb += [
            self.o.p.tuples[0].eq(below),
            self.o.p.valid.eq(1),
            self.o.p.last.eq(last),
            self.o.valid.eq(passes),
        ]
