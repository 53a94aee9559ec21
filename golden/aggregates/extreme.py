"""Base class of min(x) and max(x)."""

from collections.abc import Callable

from pyspark.sql import Column
from pyspark.sql import functions as fn

from golden.aggregates.operator import Operator


class Extreme(Operator):
    """Picks the value that ``pick`` selects, an aggregate function of Spark."""

    pick: Callable[..., Column]

    def lift(self, x: Column, n: Column) -> dict[str, Column]:
        return {self.name: self.pick(x)}

    def combine(self) -> list[Column]:
        return [self.pick(self.name).alias(self.name)]

    def lower(self) -> Column:
        return fn.col(self.name)
