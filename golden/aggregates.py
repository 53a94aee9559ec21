"""Aggregates as Spark expressions: lift over tuples, combine over panes, lower to the result.

The three steps are the same as in the hardware, with one class for each function. ``lift`` and
``combine`` are Spark aggregate expressions, so that the states of the panes suffice to answer a
window. A float that Spark compares is carried as an integer, its place (`golden.carry`); a float
that Spark adds is carried as a float.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from functools import reduce

from pyspark.sql import Column
from pyspark.sql import functions as fn

from query.aggregate import Aggregate, Function
from query.types import Double, Float, Type

_WIDE = "decimal(38,0)"


def wide_sum(type_: Type) -> bool:
    """Returns True if a sum over 2**32 tuples of ``type_`` needs more than 63 bits."""
    return type_.width + 32 > 63


class Operator(ABC):
    """Computes one aggregate over the column ``x`` of tuples, whose arrival order is ``n``.

    A state is a set of Spark expressions by name. ``lift`` returns the state of a set of tuples,
    ``combine`` the state of several sets, and ``lower`` the result.
    """

    def __init__(self, aggregate: Aggregate, name: str) -> None:
        self.aggregate = aggregate
        self.name = name

    @property
    def type(self) -> Type:
        """Type of the aggregate's column."""
        return self.aggregate.operand.type

    @abstractmethod
    def lift(self, x: Column, n: Column) -> dict[str, Column]:
        """Returns the state of a set of tuples: expressions by their names."""

    @abstractmethod
    def combine(self) -> list[Column]:
        """Returns the state of several sets of tuples, under the same names as `lift`."""

    @abstractmethod
    def lower(self) -> Column:
        """Returns the result as an expression over the state."""


class _Count(Operator):
    """Counts tuples."""

    def lift(self, x: Column, n: Column) -> dict[str, Column]:
        return {self.name: fn.count(fn.lit(1))}

    def combine(self) -> list[Column]:
        return [fn.sum(self.name).alias(self.name)]

    def lower(self) -> Column:
        return fn.col(self.name)


class _CountDistinct(Operator):
    """Counts the different values: the state is the set of the values."""

    def lift(self, x: Column, n: Column) -> dict[str, Column]:
        return {self.name: fn.collect_set(x)}

    def combine(self) -> list[Column]:
        sets = fn.flatten(fn.collect_list(self.name))
        return [fn.array_distinct(sets).alias(self.name)]

    def lower(self) -> Column:
        return fn.size(self.name).cast("long")


class _Sum(Operator):
    """Adds exactly: in 64 bits if 2**32 values fit, otherwise in a decimal of 38 digits."""

    def lift(self, x: Column, n: Column) -> dict[str, Column]:
        return {self.name: fn.sum(x.cast("decimal(20,0)") if wide_sum(self.type) else x)}

    def combine(self) -> list[Column]:
        return [fn.sum(self.name).alias(self.name)]

    def lower(self) -> Column:
        return fn.col(self.name).cast(_WIDE if wide_sum(self.type) else "long")


class _FloatSum(Operator):
    """Adds the values one by one in arrival order, and rounds each addition to the column's type.

    The rounding is to nearest with ties to even. The sum begins with the first value, not with
    zero, so the sum of a single -0 is -0.
    """

    def lift(self, x: Column, n: Column) -> dict[str, Column]:
        return {self.name: fn.collect_list(fn.struct(n.alias("n"), x.alias("x")))}

    def combine(self) -> list[Column]:
        return [fn.flatten(fn.collect_list(self.name)).alias(self.name)]

    def lower(self) -> Column:
        values = fn.transform(fn.array_sort(self.name), lambda pair: pair.getField("x"))
        others = fn.slice(values, fn.lit(2), fn.greatest(fn.size(values) - 1, fn.lit(0)))
        return fn.aggregate(others, fn.element_at(values, 1), lambda a, b: a + b)


class _TreeSum(_FloatSum):
    """Adds the values of one key's window in a binary tree over the tuples' numbers n.

    Tuple n is leaf n. Node k of the next level is the sum of nodes 2k and 2k + 1; a missing child
    is left out. For the tuples 3 to 6 of a key::

        3: x3                4: x4    5: x5    6: x6
        1: x3                2: x4 + x5        3: x6
        0: x3                1: (x4 + x5) + x6
        0: x3 + ((x4 + x5) + x6)
    """

    def lower(self) -> Column:
        def next_level(nodes, _):
            return fn.when(fn.size(nodes) < 2, nodes).otherwise(_parents(nodes))

        levels = fn.sequence(fn.lit(1), fn.lit(_LEVELS))
        root = fn.aggregate(levels, fn.array_sort(self.name), next_level)
        return fn.element_at(root, 1).getField("x")


_LEVELS = 63  # levels of a tree over all numbers that a tuple may have


def _parents(nodes):
    """Returns the next level of a tree: the sum of each two neighbours that have the same parent.

    A node without such a neighbour moves up unchanged.
    """

    def parent(node):
        return fn.shiftright(node.getField("n"), 1)

    def join(node, index):
        previous, following = fn.get(nodes, index - 1), fn.get(nodes, index + 1)
        x = node.getField("x")
        above = parent(node)
        total = fn.when(parent(following) == above, x + following.getField("x")).otherwise(x)
        joined = fn.struct(above.alias("n"), total.alias("x"))
        return fn.when(fn.coalesce(parent(previous) != above, fn.lit(True)), joined)

    return fn.filter(fn.transform(nodes, join), lambda node: node.isNotNull())


class _Extreme(Operator):
    """Picks the least or the greatest value."""

    def __init__(self, aggregate: Aggregate, name: str) -> None:
        super().__init__(aggregate, name)
        self.pick = fn.min if aggregate.function == Function.MIN else fn.max

    def lift(self, x: Column, n: Column) -> dict[str, Column]:
        return {self.name: self.pick(x)}

    def combine(self) -> list[Column]:
        return [self.pick(self.name).alias(self.name)]

    def lower(self) -> Column:
        return fn.col(self.name)


class _Avg(Operator):
    """Divides the sum by the count, and cuts the quotient towards zero in raw units.

    The average of floats is the sum of `_FloatSum` or `_TreeSum` over the count. The division
    rounds to nearest in the column's own type.
    """

    def __init__(self, aggregate: Aggregate, name: str, tree: bool) -> None:
        super().__init__(aggregate, name)
        self.sum = _sum_of(aggregate, f"{name}_sum", tree)
        self.count = _Count(aggregate, f"{name}_count")

    def lift(self, x: Column, n: Column) -> dict[str, Column]:
        return self.sum.lift(x, n) | self.count.lift(x, n)

    def combine(self) -> list[Column]:
        return self.sum.combine() + self.count.combine()

    def lower(self) -> Column:
        total, count = self.sum.lower(), self.count.lower()
        if isinstance(self.type, Double):
            return total / count.cast("double")
        if isinstance(self.type, Float):  # Spark divides in binary64: rounding its quotient to
            return (total / count.cast("float")).cast("float")  # binary32 is exact, 53 >= 2*24+2
        if not wide_sum(self.type):
            return fn.call_function("div", total, count)
        multiple = total - total % count.cast("decimal(20,0)")
        quotient = multiple / count.cast("decimal(20,0)")  # without remainder, so not rounded
        return quotient.cast("long" if self.type.raw_max < 1 << 63 else "decimal(20,0)")


class _Percentile(Operator):
    """Picks the element of rank ceil(p*n), counted from 1, of the n sorted values."""

    def lift(self, x: Column, n: Column) -> dict[str, Column]:
        return {self.name: fn.collect_list(x)}

    def combine(self) -> list[Column]:
        return [fn.flatten(fn.collect_list(self.name)).alias(self.name)]

    def lower(self) -> Column:
        p = self.aggregate.fraction
        assert p is not None
        exact = "long" if max(p.numerator, p.denominator) < 1 << 31 else _WIDE
        count = fn.size(self.name).cast(exact)
        top = count * fn.lit(p.numerator).cast(exact) + fn.lit(p.denominator - 1).cast(exact)
        rank = fn.call_function("div", top, fn.lit(p.denominator).cast(exact)).cast("int")
        return fn.element_at(fn.sort_array(self.name), rank)  # array_sort is slower: a comparator


_OPERATORS: dict[Function, type[_Count | _CountDistinct | _Extreme | _Percentile]] = {
    Function.COUNT: _Count,
    Function.COUNT_DISTINCT: _CountDistinct,
    Function.MIN: _Extreme,
    Function.MAX: _Extreme,
    Function.PERCENTILE: _Percentile,
}


def operator(aggregate: Aggregate, name: str, tree: bool = False) -> Operator:
    """Returns the operator of ``aggregate``; the columns of its state begin with ``name``.

    With ``tree`` the operator adds floats in a tree (`_TreeSum`) instead of one after the other.
    """
    if aggregate.function == Function.SUM:
        return _sum_of(aggregate, name, tree)
    if aggregate.function == Function.AVG:
        return _Avg(aggregate, name, tree)
    return _OPERATORS[aggregate.function](aggregate, name)


def _sum_of(aggregate, name, tree):
    if not aggregate.operand.type.floating:
        return _Sum(aggregate, name)
    return (_TreeSum if tree else _FloatSum)(aggregate, name)


def flat(lists: Iterable[list]) -> list:
    """Returns the elements of a list of lists."""
    return reduce(list.__add__, lists, [])
