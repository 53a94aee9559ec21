"""The plan of the search for percentiles by pivots, a part of the kernels' plan."""

from dataclasses import dataclass

from amaranth.lib import data

from rtl.aggregate.neighbours import Neighbours
from rtl.aggregate.operator import Operator, pivot_member
from rtl.keyed.pivot.pivot_answers import PivotAnswers
from rtl.keyed.pivot.pivot_plan import PivotPlan
from rtl.network.reduction import Reduction


@dataclass(frozen=True, kw_only=True)
class PivotKernels:
    """Describes how the kernels of an engine find percentiles by pivots.

    The reduction of a window computes, for each percentile, the values next to a pivot
    (:class:`~rtl.aggregate.neighbours.Neighbours`).

    Attributes
    ----------
    plan : PivotPlan
    operators : dict of int to Operator
        Operator of the reduction for each percentile, by index of the percentile's item.
    """

    plan: PivotPlan
    operators: dict[int, Operator]

    @property
    def in_lanes(self):
        """True if lanes hold values, which need the pivots, and not the states of blocks."""
        return any(isinstance(operator, Neighbours) for operator in self.operators.values())

    @staticmethod
    def verdict_latency_of(lanes):
        """Returns the latency from the last line of a pass to its verdict, in cycles.

        ``lanes`` are those of a line. A verdict does not wait for sums of floats, though the row of
        its window does.
        """
        return Reduction.latency_of(lanes) + PivotAnswers.verdict_latency

    def neighbours(self, percentiles):
        """Returns (operator, target) of each percentile, by name in the reduction's state.

        The operator finds the neighbours of the pivot; target is the index of the percentile among
        the targets. ``percentiles`` has the operator of each percentile, by index of its item.
        """
        operators = {f"r{k}": (o, percentiles[k].hit) for k, o in self.operators.items()}
        return {
            name: (getattr(operator, "operator", operator), hit)
            for name, (operator, hit) in operators.items()
        }

    def row(self, row):
        """Returns the layout of a lane of the reduction: a row, with pivots if lanes need them."""
        if not self.in_lanes:
            return row
        pivots = {pivot_member(k): self.plan.width for k in range(len(self.plan.fractions))}
        members = {name: member.shape for name, member in row}
        return data.StructLayout(members | pivots)

    def line(self, line):
        """Returns the layout of a line: ``line``, with ``pivots`` if lanes need them."""
        if not self.in_lanes:
            return line
        members = {name: member.shape for name, member in line}
        return data.StructLayout(members | {"pivots": self.plan.pivots})
