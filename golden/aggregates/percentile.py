"""Computes ``percentile(x, p)`` in Spark."""

from pyspark.sql import Column
from pyspark.sql import functions as fn

from golden.aggregates.operator import Operator

_WIDE = "decimal(38,0)"


class Percentile(Operator):
    """Picks the element of rank ceil(p*n), counted from 1, of the n sorted values."""

    @property
    def has_fixed_size(self) -> bool:
        return False

    def lift(self, x: Column, n: Column) -> dict[str, Column]:
        return {self.name: fn.collect_list(x)}

    def combine(self) -> dict[str, Column]:
        return {self.name: fn.flatten(fn.collect_list(self.name))}

    def lower(self) -> Column:
        p = self.aggregate.fraction
        assert p is not None
        exact = "long" if max(p.numerator, p.denominator) < 1 << 31 else _WIDE
        count = fn.size(self.name).cast(exact)
        top = count * fn.lit(p.numerator).cast(exact) + fn.lit(p.denominator - 1).cast(exact)
        rank = fn.call_function("div", top, fn.lit(p.denominator).cast(exact)).cast("int")
        return fn.element_at(fn.sort_array(self.name), rank)  # array_sort is slower: a comparator


OPERATOR = Percentile
