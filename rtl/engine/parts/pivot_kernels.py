"""Describes the part of the kernels that finds percentiles by pivots."""

from dataclasses import dataclass

from amaranth.lib import data

from rtl.aggregate.neighbours import Neighbours
from rtl.aggregate.operator import Operator
from rtl.keyed.pivot.pivot_plan import PivotPlan


@dataclass(frozen=True, kw_only=True)
class PivotKernels:
    """Part of the kernels that finds percentiles by pivots.

    Attributes
    ----------
    plan : PivotPlan
    operators : dict of int to Operator
        Operator of the reduction for each percentile, by index of its item.
    """

    plan: PivotPlan
    operators: dict[int, Operator]

    @property
    def in_lanes(self):
        """True if lines come with pivots, because lanes have values and not states of blocks."""
        return any(isinstance(operator, Neighbours) for operator in self.operators.values())

    def neighbours(self, percentiles):
        """Returns the operator with the neighbours of each pivot, and its percentile's number.

        The keys are the names of the members of the reduction's state. ``percentiles`` has the
        operator of each percentile, by index of its item.
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
        pivots = {f"pivot{k}": self.plan.width for k in range(len(self.plan.fractions))}
        members = {name: member.shape for name, member in row}
        return data.StructLayout(members | pivots)

    def line(self, line):
        """Returns the layout of a line: ``line``, with ``pivots`` if lanes need them."""
        if not self.in_lanes:
            return line
        members = {name: member.shape for name, member in line}
        return data.StructLayout(members | {"pivots": self.plan.pivots})
