"""count(distinct x)."""

from pyspark.sql import Column
from pyspark.sql import functions as fn

from golden.aggregates.operator import Operator


class CountDistinct(Operator):
    """Counts the different values: the state is the set of the values."""

    def lift(self, x: Column, n: Column) -> dict[str, Column]:
        return {self.name: fn.collect_set(x)}

    def combine(self) -> list[Column]:
        sets = fn.flatten(fn.collect_list(self.name))
        return [fn.array_distinct(sets).alias(self.name)]

    def lower(self) -> Column:
        return fn.size(self.name).cast("long")


OPERATOR = CountDistinct
