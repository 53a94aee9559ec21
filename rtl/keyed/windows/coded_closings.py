"""The steps of a tuple that closes windows of time, where a codec finds their blocks."""

from amaranth.hdl import Module, Mux
from amaranth.lib import data

from rtl.keyed.windows.closings import Closings
from rtl.keyed.windows.row_steps import step_layout
from rtl.stream.beat import wire


class CodedClosings(Closings):
    """Gives a step for each window that a tuple closes, numbers ascending, and one for the item.

    The item always goes in a step behind, so that windows have the growing block as it was before
    it. Where blocks lie is not known here, so a window is told by how many values its key has from
    its head on, ``told.bound``, and from the next window's on, ``left``. For instance a tuple at
    place 40 that closes windows 3 and 4, with heads at the places 20 and 32, and 36 for window 5::

        step     window 3    window 4    item
        bound    20          8
        left     8           4

    Where no value before the tuple is in any window that is left, ``left`` is 0 with the last.

    Order is kept. Latency 2 cycles. Initiation interval 1 cycle; n + 1 cycles for a tuple that
    closes n windows. A stall at ``o`` stalls ``i``.

    Parameters
    ----------
    plan : CodedTimePlan

    Members
    -------
    i : In(stream.Signature(visit_layout(plan, ...)))
        ``full`` is high with all tuples.
    o : Out(stream.Signature(step_layout(plan)))

    Source: ours.
    """

    @staticmethod
    def _where(plan):
        """``empties``: no window has any of the values before it when all are closed."""
        place = {"place": range(plan.times.places), "empties": 1}
        return place | {"fresh": 1, **plan.coded.bounds}

    def _counted_layout(self):
        """Layout of a step whose values are counted in the next register."""
        members = step_layout(self._plan).members
        counted = {name: members[name] for name in members if name != "left"}
        place = range(self._plan.times.places)
        return data.StructLayout(counted | {"place": place, "head": place, "behind": place})

    def _begin(self, m: Module, step, closing, final):
        super()._begin(m, step, closing, final)
        empty, place = final & self.i.p.empties, self.i.p.place
        m.d.comb += step.behind.eq(Mux(empty, place, self._head(m, closing + 1, "following")))

    def _place(self, m, source, target):
        """How many values there are from the heads on, less than a ring has places."""
        found, step = source.p, target.p
        same = [name for name in step.shape().members if name in self._counted.members]
        m.d.comb += [
            target.valid.eq(source.valid),
            source.ready.eq(target.ready),
            *wire({name: step[name] for name in same}, found),
            step.left.eq(found.place - found.behind),
            step.told.bound.eq((found.place - found.head)[: len(found.place)]),
        ]
