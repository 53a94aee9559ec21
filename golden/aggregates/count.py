"""Computes ``count(*)`` in Spark."""

from pyspark.sql import Column
from pyspark.sql import functions as fn

from golden.aggregates.operator import Operator


class Count(Operator):
    """Counts tuples."""

    def lift(self, x: Column, n: Column) -> dict[str, Column]:
        return {self.name: fn.count(fn.lit(1))}

    def combine(self) -> dict[str, Column]:
        return {self.name: fn.sum(self.name)}


OPERATOR = Count
