"""The way merger: merges many sorted lists in a memory into one sorted stream."""

from amaranth.hdl import Cat, Const, Module, Mux, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.network.plan import log2
from rtl.sort.way_fetch import WayFetch
from rtl.sort.way_levels import WayNodes, WaySlots, request_layout, way_layout
from rtl.sort.way_sequencer import WaySequencer, job_layout
from rtl.stream.beat import beat


class WayMerger(wiring.Component):
    """Merges up to W sorted lists in a memory, one tuple per cycle, with log2 W comparators.

    ::

        level 0         node              one request per level and cycle: a node compares the
                       /    \\             heads of its two slots, passes the lesser head up, and in
        level 1     slot    slot          the next cycle requests a replacement for the slot
                    node    node
                    /  \\    /  \\
        level 2  slot slot slot slot      the slots of the lowest level, one for each list, are
                   |    |    |    |       filled by fetches
                  list list list list

    In a tree of W-1 comparators only the comparators on the path of one tuple would work in a
    cycle. So all nodes of a level share one comparator. A replacement for a taken entry arrives two
    cycles later, so a slot has two entries. The replacement is written over the taken entry, so a
    slot needs no counter, and neither runs empty nor overflows. An exhausted list yields pads,
    which follow all tuples in the order.

    C lists use ``ceil(log2 C)`` levels, at least one: the output of node 0 of the highest used
    level passes through the levels above.

    A job begins with filling, list by list as the lists become available: two rows of each list,
    then two entries of each node whose lists are all available. Afterwards the top receives a
    request in every cycle. After its last tuple all pending requests are dropped, and the next job
    can be taken.

    If ``order`` has a cardinality, each tuple carries the number of its group's tuples in its list,
    equal on all tuples of the group; 0 is allowed. An output tuple carries the sum over all lists;
    see :class:`~rtl.sort.way_levels.WayNodes`.

    Tuples that tie in ``order`` leave in any order, also two of one list. While ``o`` stalls, all
    state is frozen, except that a job can be taken or aborted.

    Latency ``log2 W + 2 + max(1, ceil(log2 C))`` cycles from ``available`` showing the last list to
    the first tuple, if the other lists have been filled already. Filling takes at most 6 cycles per
    list on average, and more for some lists: 8 for the last of 16. Initiation interval 1 cycle: a
    tuple per cycle after the first one, for any lists. The interval between jobs of n tuples is
    n + 6 cycles with two lists that are available from the start, n + 4 with one list, at most
    n + 2 + 6 C with C lists.
    Comparators: ``log2 W``. Resources: two entries for each of 2 W - 2 slots in LUT RAM.

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
        Number of lists of the current job in the memory; does not fall during a job.
    abort : In(1)
        High for a cycle: forgets the current job, or the job that is taken in this cycle. Allowed
        only before all lists of the job are available.
    address : Out(range(depth))
    read : Out(1)
    data : In(order.row)
        Memory content at the ``address`` of the most recent earlier cycle with ``read`` high.
    fetched : Out(1)
        High for the cycle after the read of the job's last row: the memory may be overwritten.
    o : Out(stream.Signature(beat(order.row, 1)))
        One list per job, ``valid`` on every tuple.

    Source: ours. Replaces the merge mode of seed 003 (section 3.3), in which the cells of a linear
    sorter hold the heads of k lists. Here the cells sort the next chunk during the merge. Each
    chunk is dealt to P lists, so C chunks have P * C heads, and P way mergers hold C heads each.
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
        """Latency from the arrival of the last of ``lists`` lists to the first tuple, in cycles."""
        return log2(ways) + 2 + max(1, (lists - 1).bit_length())

    @staticmethod
    def filling_of(lists):
        """Returns a number for each list: the requests that the list causes before the first tuple.

        A list causes two requests for itself, and two for each node below the top whose last list
        it is. So the numbers are 2, 4, 4 for three lists, and 2, 4, 2, 4 for four lists.
        """
        requested = []
        for k in range(1, lists + 1):
            height = 0
            while 2 << height < lists and (k == lists or not k % (2 << height)):
                height += 1
            requested.append(2 * (1 + height))
        return requested

    @property
    def latency(self):
        """Latency with W lists, in cycles."""
        return self.latency_of(1 << self._levels, 1 << self._levels)

    def elaborate(self, platform):
        m = Module()
        m.submodules.sequencer = sequencer = self._sequencer
        wiring.connect(m, wiring.flipped(self.job), sequencer.job)
        m.d.comb += [
            sequencer.available.eq(self.available),
            sequencer.abort.eq(self.abort),
            sequencer.advance.eq(~self.o.valid | self.o.ready),
        ]
        levels = range(self._levels + 1)
        requests = [Signal(request_layout(j), name=f"request{j}") for j in levels]
        slots = self._slots(m, requests)
        self._read(m, requests[-1], slots[-1])
        self._nodes(m, requests, slots)
        return m

    def _slots(self, m, requests):
        """Adds the slots of levels 1 to the lowest; fetches fill the lowest level."""
        slots = []
        for j in range(1, self._levels + 1):
            lowest = j == self._levels
            layout = way_layout(self._order, counted=not lowest)
            level_slots = m.submodules[f"slots{j}"] = WaySlots(layout, j, bypass=lowest)
            m.d.comb += [
                level_slots.stored.eq(self._sequencer.advance),
                level_slots.pair.eq(requests[j - 1].node),
            ]
            if not lowest:
                m.d.comb += [
                    level_slots.slot.eq(requests[j].node),
                    level_slots.place.eq(requests[j].place),
                    level_slots.enable.eq(self._sequencer.requested[j]),
                ]
            slots.append(level_slots)
        return slots

    def _read(self, m, request, slots):
        """Adds the fetches: a read in one cycle, a write to a slot of the lowest level in the next.

        While ``advance`` is low the second cycle is repeated.
        """
        m.submodules.fetch = fetch = self._fetch
        sequencer = self._sequencer
        arrived = Signal()
        m.d.comb += [
            fetch.current_job.eq(sequencer.current_job),
            fetch.begins.eq(self.job.valid & self.job.ready),
            fetch.enable.eq(sequencer.requested[-1]),
            fetch.advance.eq(sequencer.advance),
            fetch.first.eq(sequencer.first),
            fetch.list.eq(request.node),
            self.address.eq(fetch.address),
            self.read.eq(fetch.read),
            self.fetched.eq(fetch.fetched),
            slots.entry.body.eq(self.data),
            slots.enable.eq(arrived),
        ]
        with m.If(sequencer.advance):
            m.d.sync += [
                arrived.eq(fetch.enable),
                slots.slot.eq(request.node),
                slots.place.eq(request.place),
                slots.entry.pad.eq(fetch.exhausted),
            ]

    def _nodes(self, m, requests, slots):
        """Adds the levels of nodes, from the lowest up, and the registers of their requests.

        A level outputs the chosen entry of its nodes, or passes on the output of the level below.
        ``result`` is the output of the level below: a tuple of the merged stream if
        ``result_valid`` is high, and the stream's last tuple if ``result_last`` is high, too.
        """
        levels = self._levels
        sequencer = self._sequencer
        advance = sequencer.advance
        offer = sequencer.offer
        requested = sequencer.requested
        result = Signal(self._order.row)
        result_valid = Signal()
        result_last = Const(0)
        for j in reversed(range(levels)):
            nodes = m.submodules[f"nodes{j}"] = WayNodes(self._order, j, counted=j + 1 < levels)
            children = slots[j]
            request_below = requests[j + 1]
            body = Signal(self._order.row, name=f"body{j}", reset_less=True)
            is_result = Signal(name=f"is_result{j}")
            is_last = Signal(name=f"is_last{j}")
            top = offer.level[j] & sequencer.top  # this level chooses the tuples of the result
            m.d.comb += [
                nodes.request.eq(requests[j]),
                nodes.enable.eq(requested[j] & advance),
                # The children of the node are being filled.
                nodes.clear.eq(offer.level[j + 1] & ~requested[j]),
                nodes.clear_node.eq(offer.list[levels - j :]),
                nodes.edge.eq(sequencer.current_job.edge[levels - 1 - j :]),
                nodes.heads[0].eq(children.heads[0]),
                nodes.heads[1].eq(children.heads[1]),
                nodes.passes.eq(result_valid),
                nodes.passed.eq(result),
                children.places.eq(nodes.places),
            ]
            if j:
                m.d.comb += slots[j - 1].entry.eq(nodes.chosen)
            with m.If(advance):
                m.d.sync += [
                    body.eq(nodes.chosen.body),
                    is_result.eq(result_valid | top),
                    is_last.eq(result_last | (top & sequencer.ending)),
                ]
                # A request for a taken entry has priority over the sequencer's request.
                with m.If(requested[j]):
                    m.d.sync += [
                        request_below.node.eq(Cat(nodes.side, requests[j].node)),
                        request_below.place.eq(Mux(nodes.side, nodes.places[1], nodes.places[0])),
                    ]
                with m.Else():
                    node = offer.list[levels - 1 - j :]
                    m.d.sync += [request_below.node.eq(node), request_below.place.eq(offer.place)]
            result = body
            result_valid = is_result
            result_last = is_last
        with m.If(advance):
            m.d.sync += requests[0].place.eq(offer.place)
        m.d.comb += [
            self.o.p.tuples[0].eq(result),
            self.o.p.valid.eq(1),
            self.o.p.last.eq(result_last),
            self.o.valid.eq(result_valid),
        ]
