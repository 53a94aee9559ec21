"""Sequences the requests of a way merger: fills the tree from below, then drains its top."""

from amaranth.hdl import Cat, Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import bits_for

from rtl.network.plan import log2


def job_layout(ways, list_rows, depth):
    """Layout of a job: lists to merge, see ``job`` of :class:`~rtl.sort.ways.WayMerger`."""
    members = {"base": range(depth), "lists": bits_for(ways), "tail": bits_for(list_rows)}
    return data.StructLayout(members)


def current_job_layout(ways, list_rows, depth):
    """Layout of the job in progress.

    ``base``: first list, in units of ``list_rows``; ``edge``: number of the last list; ``tail``:
    number of the last list's last row. ``edge`` and ``tail`` together number the job's last row:
    lists of 4, 4 and 2 rows have edge 2 and tail 1, so row 2 * 4 + 1 = 9.
    """
    lists = range(depth // list_rows)
    return data.StructLayout({"base": lists, "edge": range(ways), "tail": range(list_rows)})


def offer_layout(levels):
    """Layout of the sequencer's next request.

    ``level``: one bit per level, bit 0 for the top, bit ``levels`` for the fetches. ``list``: a
    list under the requested node; at level j the node is ``list >> levels - j``. ``place``: entry
    of the node's slot to write.
    """
    return data.StructLayout({"level": levels + 1, "list": levels, "place": 1})


class WaySequencer(wiring.Component):
    """Sends requests to the levels of a way merger's tree, one per cycle.

    A *request* to a level makes one of its nodes put the lesser of its two heads into its slot; a
    request to the lowest level fetches a row of a list. A level that takes an entry requests a
    replacement from the level below in the next cycle. Requests of levels have priority over those
    of the sequencer.

    ::

        IDLE --job--> FILL --all slots are full--> RUN --last request--> END --> IDLE
                       |
                       +--abort--> IDLE

    *FILL* requests two entries for each slot of the tree, from below: those of a node as soon as
    its slots are full. The requests for three lists in a tree of two levels (fetches at level 2,
    nodes at level 1, the top at level 0) are::

        level     2 2 2 2 1 1 2 2 1 1 | 0 0 0 ...
        list      0 0 1 1 1 1 2 2 2 2 |
        place     0 1 0 1 0 1 0 1 0 1 |

    The sequencer moves up a level when the list's number shows that both slots of the node above
    are full, or when the list is the last. Fetches of a list wait until the list is available.
    *RUN* sends requests to the top of the job: node 0 of the lowest level with all lists under it,
    for instance level 1 for a job of two lists. *END* is the cycle that executes the last request;
    other pending requests are dropped.

    While ``advance`` is low all state is frozen, except that a job can be taken or aborted. A level
    executes a request one cycle after ``offer`` shows it.

    Latency: 2 cycles from taking a job to ``requested``, if the job's first list is available.
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
        As for the way merger; not during RUN and END.
    advance : In(1)
    current_job : Out(current_job_layout(ways, list_rows, depth))
    offer : Out(offer_layout(levels))
    requested : Out(levels + 1)
        Levels with a request in this cycle, from the sequencer or from the level above.
    first : Out(1)
        The fetch requested in this cycle is the first one of its list.
    top : Out(1)
        The request to the level of ``offer`` belongs to RUN: the chosen entry is a result.
    ending : Out(1)
        The request of RUN is for the last tuple.

    Source: ours.
    """

    initiation_interval = 1
    latency = 2

    def __init__(self, ways, list_rows, depth):
        self._levels = log2(ways)
        self._shift = log2(list_rows)
        log2(depth)
        super().__init__(
            {
                "job": In(stream.Signature(job_layout(ways, list_rows, depth))),
                "available": In(range(ways + 1)),
                "abort": In(1),
                "advance": In(1),
                "current_job": Out(current_job_layout(ways, list_rows, depth)),
                "offer": Out(offer_layout(self._levels)),
                "requested": Out(self._levels + 1),
                "first": Out(1),
                "top": Out(1),
                "ending": Out(1),
            }
        )

    def elaborate(self, platform):
        m = Module()
        levels = self._levels
        level = self.offer.level
        list_ = self.offer.list
        result_count = Signal(levels + self._shift)  # results requested in this job
        offers = Signal()
        step = Signal()
        above = range(1, levels + 1)
        rises = Signal()
        all_below = Signal()
        m.d.comb += [
            step.eq(self.advance & offers & ~(level[1:] & self.requested[:levels]).any()),
            rises.eq(
                Cat(level[j] & list_[levels - j] for j in above).any()
                | (list_ == self.current_job.edge)
            ),
            # All lists of the job are under the node above.
            all_below.eq(
                Cat(level[j] & ~self.current_job.edge[levels + 1 - j :].any() for j in above).any()
            ),
        ]
        with m.If(self.advance):
            m.d.sync += [
                self.top.eq(0),
                self.first.eq(~self.requested[levels - 1] & ~self.offer.place),
            ]
        with m.FSM() as fsm:
            with m.State("IDLE"):
                m.d.comb += self.job.ready.eq(1)
                with m.If(self.job.valid):
                    m.d.sync += [
                        *self._load_job(self.job.p),
                        result_count.eq(0),
                        level.eq(1 << levels),
                        list_.eq(0),
                        self.offer.place.eq(0),
                    ]
                    with m.If(~self.abort):
                        m.next = "FILL"
            with m.State("FILL"):
                m.d.comb += offers.eq(~level[levels] | (list_ < self.available))
                with m.If(step):
                    m.d.sync += self.offer.place.eq(~self.offer.place)
                    with m.If(self.offer.place & rises):
                        m.d.sync += level.eq(level >> 1)
                        with m.If(all_below):
                            m.next = "RUN"
                    with m.Elif(self.offer.place):
                        m.d.sync += [level.eq(1 << levels), list_.eq(list_ + 1)]
                with m.If(self.abort):
                    m.next = "IDLE"
            with m.State("RUN"):
                m.d.comb += offers.eq(1)
                with m.If(step):
                    m.d.sync += [result_count.eq(result_count + 1), self.top.eq(1)]
                    with m.If(result_count == Cat(self.current_job.tail, self.current_job.edge)):
                        m.next = "END"
            with m.State("END"), m.If(self.advance):
                m.next = "IDLE"
        m.d.comb += self.ending.eq(fsm.ongoing("END"))
        with m.If(self.advance):
            requested = Cat(0, self.requested[:levels]) | Mux(offers, level, 0)
            m.d.sync += self.requested.eq(Mux(self.ending, 0, requested))
        with m.If(self.abort):
            m.d.sync += self.requested.eq(0)
        return m

    def _load_job(self, job):
        """Returns statements that make ``job`` the job in progress."""
        return [
            self.current_job.base.eq(job.base >> self._shift),
            self.current_job.edge.eq(job.lists - 1),
            self.current_job.tail.eq(job.tail - 1),
        ]
