"""What each tuple does to its key's windows of time, where a codec finds their blocks."""

from amaranth.hdl import Signal

from rtl.keyed.windows.coded_closings import CodedClosings
from rtl.keyed.windows.time_steps import TimeSteps


class CodedTimeSteps(TimeSteps):
    """Finds the windows that each tuple closes, and how many values these may have.

    Each value may take a block by itself, so these are what the places of a ring are. One is left
    free, for the block that is being closed: with 8 places and a head at place 3 of the ring, 7
    values have room, and the next one, which would come to lie at place 2, is dropped.

    All else is as in :class:`~rtl.keyed.windows.time_steps.TimeSteps`: order is kept, latency
    that of the numbers, the table and the closings, and 1 cycle; initiation interval 1 cycle, but
    n + 1 cycles for a tuple that closes n windows.

    Parameters
    ----------
    plan : CodedTimePlan
    epoch, stamp : int
        As for :class:`~rtl.keyed.table.hash_table.HashTable`.

    Members
    -------
    i : In(stream.Signature(plan.arriving))
    o : Out(stream.Signature(step_layout(plan)))
    events : Out(events(plan.drops))

    Source: ours.
    """

    _closings_of = CodedClosings

    @staticmethod
    def _told(plan):
        return plan.coded.bounds

    def _room(self, m, marks, reached, empties):
        state, lost = self._table.o.p.state, Signal()
        following = Signal.like(state.place)
        m.d.comb += [
            following.eq(state.place + 1),
            lost.eq(state.used & marks.in_line(reached, following) & ~empties),
        ]
        return 1, lost

    def _stand(self, m, visit, full, empties):
        found, state = self._table.o.p, self._table.o.p.state
        m.d.comb += [
            visit.place.eq(state.place),
            visit.full.eq(full),
            visit.empties.eq(empties),
            visit.fresh.eq(~state.used),
            *(visit[name].eq(found.passenger[name]) for name in self._told(self._plan)),
        ]
