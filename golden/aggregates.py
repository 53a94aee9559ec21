"""The aggregates as Spark expressions: lift over tuples, combine over panes, lower to the result.

The same three steps as the hardware's, one class for each function. ``lift`` and ``combine`` are
Spark aggregate expressions, so that a window is answered from the states of its panes. Floats that
are compared are places (`golden.carry`); only those that are added are floats.
"""

from abc import ABC, abstractmethod
from functools import reduce

from pyspark.sql import Column
from pyspark.sql import functions as fn

from query.aggregate import Aggregate, Function
from query.types import Double, Float, Type

_WIDE = "decimal(38,0)"


def wide_sum(type_: Type) -> bool:
    """Whether a sum over 2**32 tuples of ``type_`` needs more than 63 bits."""
    return type_.width + 32 > 63


class Operator(ABC):
    """One aggregate over the column ``x`` of tuples in arrival order ``n``.

    ``lift``, ``combine`` and ``lower`` give and take states as named expressions.
    """

    def __init__(self, aggregate: Aggregate, name: str):
        self.aggregate = aggregate
        self.type = aggregate.column.type if aggregate.column else None
        self.name = name

    @abstractmethod
    def lift(self, x: Column, n: Column) -> dict[str, Column]:
        """The states of a set of tuples, by their names."""

    @abstractmethod
    def combine(self) -> list[Column]:
        """The states of a set of sets, under the names that `lift` gave."""

    @abstractmethod
    def lower(self) -> Column:
        """The result of the states."""


class _Count(Operator):
    def lift(self, x, n):
        return {self.name: fn.count(fn.lit(1))}

    def combine(self):
        return [fn.sum(self.name).alias(self.name)]

    def lower(self):
        return fn.col(self.name)


class _CountDistinct(Operator):
    def lift(self, x, n):
        return {self.name: fn.collect_set(x)}

    def combine(self):
        sets = fn.flatten(fn.collect_list(self.name))
        return [fn.array_distinct(sets).alias(self.name)]

    def lower(self):
        return fn.size(self.name).cast("long")


class _Sum(Operator):
    """Exact: in 64 bits where 2**32 values cannot overflow, else in a decimal of 38 digits."""

    def lift(self, x, n):
        return {self.name: fn.sum(x.cast("decimal(20,0)") if wide_sum(self.type) else x)}

    def combine(self):
        return [fn.sum(self.name).alias(self.name)]

    def lower(self):
        return fn.col(self.name).cast(_WIDE if wide_sum(self.type) else "long")


class _FloatSum(Operator):
    """The first value, then each next one added in arrival order, rounded to the column's type.

    Every addition is one of the column's own format, to nearest with ties to even. There is no
    leading zero: the sum of -0 alone is -0.
    """

    def lift(self, x, n):
        return {self.name: fn.collect_list(fn.struct(n.alias("n"), x.alias("x")))}

    def combine(self):
        return [fn.flatten(fn.collect_list(self.name)).alias(self.name)]

    def lower(self):
        values = fn.transform(fn.array_sort(self.name), lambda pair: pair.getField("x"))
        rest = fn.slice(values, fn.lit(2), fn.greatest(fn.size(values) - 1, fn.lit(0)))
        return fn.aggregate(rest, fn.element_at(values, 1), lambda a, b: a + b)


class _TreeSum(_FloatSum):
    """Windows of keys: neighbours are added, level by level of a binary tree over the numbers n.

    Tuple n is a leaf, node n of the next level holds those of 2n and 2n + 1, and what is not there
    is left out. For the tuples 3 to 6 of a key::

        3: x3                4: x4    5: x5    6: x6
        1: x3                2: x4 + x5        3: x6
        0: x3                1: (x4 + x5) + x6
        0: x3 + ((x4 + x5) + x6)
    """

    def lower(self):
        def upwards(nodes, _):
            return fn.when(fn.size(nodes) < 2, nodes).otherwise(_up(nodes))

        levels = fn.sequence(fn.lit(1), fn.lit(_LEVELS))
        root = fn.aggregate(levels, fn.array_sort(self.name), upwards)
        return fn.element_at(root, 1).getField("x")


_LEVELS = 63  # of a tree over all numbers that a tuple may have


def _up(nodes):
    """The next level of a tree: a node for each two neighbours of one parent, or one alone."""

    def parent(node):
        return fn.shiftright(node.getField("n"), 1)

    def joined(node, at):
        before, after = fn.get(nodes, at - 1), fn.get(nodes, at + 1)
        x, above = node.getField("x"), parent(node)
        both = fn.when(parent(after) == above, x + after.getField("x")).otherwise(x)
        found = fn.struct(above.alias("n"), both.alias("x"))
        return fn.when(fn.coalesce(parent(before) != above, fn.lit(True)), found)

    return fn.filter(fn.transform(nodes, joined), lambda node: node.isNotNull())


class _Extreme(Operator):
    def __init__(self, aggregate, name):
        super().__init__(aggregate, name)
        self.pick = fn.min if aggregate.function == Function.MIN else fn.max

    def lift(self, x, n):
        return {self.name: self.pick(x)}

    def combine(self):
        return [self.pick(self.name).alias(self.name)]

    def lower(self):
        return fn.col(self.name)


class _Avg(Operator):
    """Sum over count, cut towards zero in raw units; for floats the sum of `_FloatSum`, divided.

    The division of floats rounds to nearest in the column's own type.
    """

    def __init__(self, aggregate, name, tree):
        super().__init__(aggregate, name)
        self.sum = _sum_of(aggregate, f"{name}_sum", tree)
        self.count = _Count(aggregate, f"{name}_count")

    def lift(self, x, n):
        return self.sum.lift(x, n) | self.count.lift(x, n)

    def combine(self):
        return self.sum.combine() + self.count.combine()

    def lower(self):
        total, count = self.sum.lower(), self.count.lower()
        if isinstance(self.type, Double):
            return total / count.cast("double")
        if isinstance(self.type, Float):  # a binary64 quotient rounded to binary32 is exact enough:
            return (total / count.cast("float")).cast("float")  # 53 >= 2*24+2, no double rounding
        if not wide_sum(self.type):
            return fn.call_function("div", total, count)
        whole = total - total % count.cast("decimal(20,0)")
        quotient = whole / count.cast("decimal(20,0)")  # divides evenly, so nothing is rounded
        return quotient.cast("long" if self.type.raw_max < 1 << 63 else "decimal(20,0)")


class _Percentile(Operator):
    """The element of rank ceil(p*n), from 1, of the n sorted values."""

    def lift(self, x, n):
        return {self.name: fn.collect_list(x)}

    def combine(self):
        return [fn.flatten(fn.collect_list(self.name)).alias(self.name)]

    def lower(self):
        p = self.aggregate.fraction
        exact = "long" if max(p.numerator, p.denominator) < 1 << 31 else _WIDE
        count = fn.size(self.name).cast(exact)
        top = count * fn.lit(p.numerator).cast(exact) + fn.lit(p.denominator - 1).cast(exact)
        rank = fn.call_function("div", top, fn.lit(p.denominator).cast(exact)).cast("int")
        return fn.element_at(fn.sort_array(self.name), rank)  # array_sort calls a comparator


_OPERATORS = {
    Function.COUNT: _Count,
    Function.COUNT_DISTINCT: _CountDistinct,
    Function.MIN: _Extreme,
    Function.MAX: _Extreme,
    Function.PERCENTILE: _Percentile,
}


def operator(aggregate: Aggregate, name: str, tree: bool = False) -> Operator:
    """The operator of ``aggregate``, whose states are columns that begin with ``name``.

    With ``tree`` floats are not added one after the other: see `_TreeSum`.
    """
    if aggregate.function == Function.SUM:
        return _sum_of(aggregate, name, tree)
    if aggregate.function == Function.AVG:
        return _Avg(aggregate, name, tree)
    return _OPERATORS[aggregate.function](aggregate, name)


def _sum_of(aggregate, name, tree):
    if not aggregate.column.type.floating:
        return _Sum(aggregate, name)
    return (_TreeSum if tree else _FloatSum)(aggregate, name)


def flat(lists) -> list:
    """The elements of a list of lists."""
    return reduce(list.__add__, lists, [])
