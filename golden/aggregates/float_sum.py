"""Adds floats in Spark: one by one in arrival order, or in a tree over the tuples' numbers."""

from pyspark.sql import Column
from pyspark.sql import functions as fn

from golden.aggregates.operator import Operator


class FloatSum(Operator):
    """Adds the values one by one in arrival order, and rounds each addition to the column's type.

    The rounding is to nearest with ties to even. The sum begins with the first value, not with
    zero, so the sum of a single -0 is -0.
    """

    @property
    def has_fixed_size(self) -> bool:
        return False

    def lift(self, x: Column, n: Column) -> dict[str, Column]:
        return {self.name: fn.collect_list(fn.struct(n.alias("n"), x.alias("x")))}

    def combine(self) -> dict[str, Column]:
        return {self.name: fn.flatten(fn.collect_list(self.name))}

    def lower(self) -> Column:
        values = fn.transform(fn.array_sort(self.name), lambda pair: pair.getField("x"))
        others = fn.slice(values, fn.lit(2), fn.greatest(fn.size(values) - 1, fn.lit(0)))
        return fn.aggregate(others, fn.element_at(values, 1), lambda a, b: a + b)


class TreeSum(FloatSum):
    """Adds the values of one key's window in a binary tree over the tuples' numbers n.

    The tuples of each key that may enter a window are counted from 0. Tuple n is leaf n. Node k of
    the next level is the sum of nodes 2k and 2k + 1; a missing child is left out. For the tuples 3
    to 6 of a key::

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
