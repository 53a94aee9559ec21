"""Computes ``count(distinct x)`` in Spark."""

from pyspark.sql import Column
from pyspark.sql import functions as fn

from golden.aggregates.operator import Operator


class CountDistinct(Operator):
    """Counts the different values: the state is the set of the values."""

    @property
    def has_fixed_size(self) -> bool:
        return False

    def lift(self, x: Column, n: Column) -> dict[str, Column]:
        return {self.name: fn.collect_set(x)}

    def combine(self) -> dict[str, Column]:
        sets = fn.flatten(fn.collect_list(self.name))
        return {self.name: fn.array_distinct(sets)}

    def lower(self) -> Column:
        return fn.size(self.name).cast("long")


OPERATOR = CountDistinct
