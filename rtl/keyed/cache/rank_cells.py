"""Reads the percentiles of a window out of lines of sorted values."""

from amaranth.hdl import Module, Signal
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import ceil_log2

from rtl.aggregate.targets import compiled_target
from rtl.keyed.cache.sorted_line import selected
from rtl.stream.beat import split

#: Cells of which one is selected in a cycle.
GROUP = 16


class RankCells(wiring.Component):
    """Reads the percentiles of a window out of its sorted values, which come line by line.

    The percentile of rank r is the content of cell r - 1. A cycle after a line has come the cell is
    selected in each group of 16 cells, and a cycle later the group. For instance the median of 40
    values, in lines of 32 cells: rank 20, so cell 19, which is cell 3 of the second group of line
    0.

    Lines come in order, and may be those of no window. Latency 2 cycles from a window's last line.
    Initiation interval 1 cycle. Nothing stalls.

    Parameters
    ----------
    plan : CachePlan
        With ``sorting``.

    Members
    -------
    i : In(self.layout(plan))
        ``answers`` is high if ``keys`` is line number ``line`` of a window of ``size`` values;
        ``ends`` is high in the last line of the window.
    valid : Out(1)
    percentiles : Out(plan.sorting.percentiles)

    Source: ours.
    """

    latency = 2
    initiation_interval = 1

    def __init__(self, plan):
        self._plan = plan
        self._lane_bits = ceil_log2(plan.lanes)
        super().__init__(
            {
                "i": In(self.layout(plan)),
                "valid": Out(1),
                "percentiles": Out(plan.sorting.percentiles),
            }
        )

    @staticmethod
    def layout(plan):
        """Layout of the input."""
        line = range(plan.values // plan.lanes)
        size = range(plan.values + 1)
        keys = data.ArrayLayout(plan.sorting.width, plan.lanes)
        return data.StructLayout(
            {"answers": 1, "ends": 1, "line": line, "size": size, "keys": keys}
        )

    def elaborate(self, platform):
        m = Module()
        saved = Signal(self.i.shape(), reset_less=True)
        answers = Signal()
        m.d.sync += [
            saved.eq(self.i),
            answers.eq(self.i.answers),
            self.valid.eq(answers & saved.ends),
        ]
        keys = split(m, saved.keys, "key")
        for n, fraction in enumerate(self._plan.sorting.fractions):
            place = Signal(range(self._plan.values), name=f"rank{n}")
            m.d.comb += place.eq(compiled_target(fraction, self._plan.values, saved.size) - 1)
            is_here = answers & (place >> self._lane_bits == saved.line)
            m.d.comb += self.percentiles[n].eq(self._select(m, keys, place, is_here, n))
        return m

    def _select(self, m, keys, place, is_here, number):
        """Returns the key at a place in its line, a cycle after ``is_here``."""
        group = min(GROUP, len(keys))
        low = ceil_log2(group)
        groups = [
            Signal(self._plan.sorting.width, name=f"group{number}_{k}", reset_less=True)
            for k in range(len(keys) // group)
        ]
        chosen = Signal(self._lane_bits - low, name=f"chosen{number}", reset_less=True)
        with m.If(is_here):
            m.d.sync += chosen.eq(place[low : self._lane_bits])
            m.d.sync += [
                target.eq(selected(keys[k * group : (k + 1) * group], place[:low]))
                for k, target in enumerate(groups)
            ]
        return selected(groups, chosen)
