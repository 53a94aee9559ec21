"""Checks that the layouts of rows and lines have pivots if lanes have values."""

from fractions import Fraction

from amaranth.hdl import unsigned
from amaranth.lib import data

from rtl.aggregate.neighbours import Neighbours
from rtl.aggregate.operator import pivot_member
from rtl.engine.parts.pivot_kernels import PivotKernels
from rtl.keyed.pivot.pivot_plan import PivotPlan

PLAN = PivotPlan(
    width=8, fractions=(Fraction(1, 2), Fraction(9, 10)), neighbours=2, entries=16, lines=4
)
ROW = data.StructLayout({"x": unsigned(8)})


def kernels(operator):
    return PivotKernels(plan=PLAN, operators={3: operator})


def test_lanes_with_values_have_a_pivot_for_each_percentile():
    operator = Neighbours(
        "x", unsigned(8), tuples=16, neighbours=2, pivot=pivot_member(0), floating=False
    )
    row = kernels(operator).row(ROW)
    assert {name: member.shape for name, member in row} == {
        "x": unsigned(8),
        pivot_member(0): 8,
        pivot_member(1): 8,
    }
    line = kernels(operator).line(ROW)
    assert {name: member.shape for name, member in line} == {
        "x": unsigned(8),
        "pivots": data.ArrayLayout(8, 2),
    }


def test_lanes_with_states_have_none():
    other = kernels(object())
    assert not other.in_lanes
    assert (other.row(ROW), other.line(ROW)) == (ROW, ROW)
