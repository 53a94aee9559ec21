"""Computes ``min(x)`` or ``max(x)`` in Spark."""

from pyspark.sql import Column
from pyspark.sql import functions as fn

from golden.aggregates.operator import Operator


class Extreme(Operator):
    """Picks the least or the greatest value; Spark's functions have the names of the query's."""

    def lift(self, x: Column, n: Column) -> dict[str, Column]:
        return {self.name: self._pick(x)}

    def combine(self) -> dict[str, Column]:
        return {self.name: self._pick(fn.col(self.name))}

    def _pick(self, x):
        return fn.call_function(str(self.aggregate.function), x)
