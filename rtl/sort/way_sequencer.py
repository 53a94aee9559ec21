"""Which level of a way merger is asked next: it fills the tree from below, then asks the top."""

from amaranth.hdl import Cat, Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import bits_for

from rtl.network.plan import log2


def job_layout(ways, list_rows, depth):
    """Lists to be merged: see ``job`` of :class:`~rtl.sort.ways.WayMerger`."""
    members = {"base": range(depth), "lists": bits_for(ways), "tail": bits_for(list_rows)}
    return data.StructLayout(members)


def held_layout(ways, list_rows, depth):
    """The job that is being done.

    ``base`` in lists of ``list_rows``; ``edge``, the number of the last list; ``tail``, that of its
    last row. Both together are the number of the job's last row: with lists of 4, 4 and 2 rows 2
    and 1, so 2 * 4 + 1 = 9.
    """
    lists = range(depth // list_rows)
    return data.StructLayout({"base": lists, "edge": range(ways), "tail": range(list_rows)})


def ask_layout(levels):
    """What the sequencer is about to ask.

    ``level``: one bit for each, bit 0 the top, bit ``levels`` the fetches. ``list``: a list under
    the node that is asked, which at level j is node ``list >> levels - j``. ``place``: where the
    entry is to go in the node's slot.
    """
    return data.StructLayout({"level": levels + 1, "list": levels, "place": 1})


class WaySequencer(wiring.Component):
    """Asks the levels of a way merger's tree, one of them in a cycle.

    To *ask* a level is to have one of its nodes put the lesser of its two heads into its slot; at
    the lowest level, to have a row of a list fetched. Whoever takes an entry asks the level below
    for another in the next cycle: such a request goes first, and the sequencer waits.

    ::

        IDLE --job--> FILL --all slots are full--> RUN --last tuple is asked--> END --> IDLE
                       |
                       +--abort--> IDLE

    *FILL* asks each slot of the tree twice, from below: a node as soon as its slots are full. Three
    lists in a tree of two levels (fetches at level 2, nodes at 1, the top at 0) are asked so::

        level     2 2 2 2 1 1 2 2 1 1 | 0 0 0 ...
        list      0 0 1 1 1 1 2 2 2 2 |
        place     0 1 0 1 0 1 0 1 0 1 |

    It goes up a level when the list's number says that the node above has both of its slots full
    now, or when the list is the last. Before a list is available its fetches wait. *RUN* asks the
    top: node 0 of the lowest level that has all lists under it, level 1 for the job of two lists.
    *END* is the cycle in which the last request is done; what others have asked is dropped.

    While ``go`` is low everything stands still but the taking of a job and ``abort``. One request
    in a cycle, a cycle after it was offered as ``ask``.

    Latency: ``asked`` follows the taking of a job after 2 cycles, if its first list is available.
    Initiation interval 1 cycle.

    Parameters
    ----------
    ways, list_rows, depth : int
        As for :class:`~rtl.sort.ways.WayMerger`.

    Members
    -------
    job : In(stream.Signature(job_layout(ways, list_rows, depth)))
    available : In(range(ways + 1))
    abort : In(1)
        As for the way merger. Not during RUN and END.
    go : In(1)
    held : Out(held_layout(ways, list_rows, depth))
    ask : Out(ask_layout(levels))
    asked : Out(levels + 1)
        The levels that have a request in this cycle, from the sequencer or from above.
    first : Out(1)
        The fetch that is asked in this cycle is a list's first.
    top : Out(1)
        The request to the level of ``ask`` is one of RUN: what is chosen is a tuple of the result.
    ending : Out(1)
        It is for the last tuple.

    Source: ours.
    """

    initiation_interval = 1
    latency = 2

    def __init__(self, ways, list_rows, depth):
        self._levels, self._shift = log2(ways), log2(list_rows)
        log2(depth)
        super().__init__(
            {
                "job": In(stream.Signature(job_layout(ways, list_rows, depth))),
                "available": In(range(ways + 1)),
                "abort": In(1),
                "go": In(1),
                "held": Out(held_layout(ways, list_rows, depth)),
                "ask": Out(ask_layout(self._levels)),
                "asked": Out(self._levels + 1),
                "first": Out(1),
                "top": Out(1),
                "ending": Out(1),
            }
        )

    def elaborate(self, platform):
        m = Module()
        levels, level, list_ = self._levels, self.ask.level, self.ask.list
        given = Signal(levels + self._shift)  # tuples that have been asked for
        asks, step = Signal(), Signal()
        above = range(1, levels + 1)
        rises, all_below = Signal(), Signal()
        m.d.comb += [
            step.eq(self.go & asks & ~(level[1:] & self.asked[:levels]).any()),
            rises.eq(
                Cat(level[j] & list_[levels - j] for j in above).any() | (list_ == self.held.edge)
            ),
            # The node above has all lists of the job under it.
            all_below.eq(
                Cat(level[j] & ~self.held.edge[levels + 1 - j :].any() for j in above).any()
            ),
        ]
        with m.If(self.go):
            m.d.sync += [self.top.eq(0), self.first.eq(~self.asked[levels - 1] & ~self.ask.place)]
        with m.FSM() as fsm:
            with m.State("IDLE"):
                m.d.comb += self.job.ready.eq(1)
                with m.If(self.job.valid):
                    m.d.sync += [
                        *self._hold(self.job.p),
                        given.eq(0),
                        level.eq(1 << levels),
                        list_.eq(0),
                        self.ask.place.eq(0),
                    ]
                    with m.If(~self.abort):
                        m.next = "FILL"
            with m.State("FILL"):
                m.d.comb += asks.eq(~level[levels] | (list_ < self.available))
                with m.If(step):
                    m.d.sync += self.ask.place.eq(~self.ask.place)
                    with m.If(self.ask.place & rises):
                        m.d.sync += level.eq(level >> 1)
                        with m.If(all_below):
                            m.next = "RUN"
                    with m.Elif(self.ask.place):
                        m.d.sync += [level.eq(1 << levels), list_.eq(list_ + 1)]
                with m.If(self.abort):
                    m.next = "IDLE"
            with m.State("RUN"):
                m.d.comb += asks.eq(1)
                with m.If(step):
                    m.d.sync += [given.eq(given + 1), self.top.eq(1)]
                    with m.If(given == Cat(self.held.tail, self.held.edge)):
                        m.next = "END"
            with m.State("END"), m.If(self.go):
                m.next = "IDLE"
        m.d.comb += self.ending.eq(fsm.ongoing("END"))
        with m.If(self.go):
            asked = Cat(0, self.asked[:levels]) | Mux(asks, level, 0)
            m.d.sync += self.asked.eq(Mux(self.ending, 0, asked))
        with m.If(self.abort):
            m.d.sync += self.asked.eq(0)
        return m

    def _hold(self, job):
        return [
            self.held.base.eq(job.base >> self._shift),
            self.held.edge.eq(job.lists - 1),
            self.held.tail.eq(job.tail - 1),
        ]
