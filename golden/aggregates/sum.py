"""Computes ``sum(x)`` in Spark: exact; floats are added by `golden.aggregates.float_sum`."""

from pyspark.sql import Column
from pyspark.sql import functions as fn

from golden.aggregates.float_sum import FloatSum, TreeSum
from golden.aggregates.operator import Operator
from query.aggregate import Aggregate
from query.types import Type

WIDE = "decimal(38,0)"


def wide_sum(type_: Type) -> bool:
    """Returns True if a sum over 2**32 tuples of ``type_`` needs more than 63 bits."""
    return type_.width + 32 > 63


class Sum(Operator):
    """Adds exactly: in 64 bits if 2**32 values fit, otherwise in a decimal of 38 digits."""

    def lift(self, x: Column, n: Column) -> dict[str, Column]:
        return {self.name: fn.sum(x.cast("decimal(20,0)") if wide_sum(self.type) else x)}

    def combine(self) -> dict[str, Column]:
        return {self.name: fn.sum(self.name)}

    def lower(self) -> Column:
        return fn.col(self.name).cast(WIDE if wide_sum(self.type) else "long")


def sum_of(aggregate: Aggregate, name: str, tree: bool = False) -> Operator:
    """Returns the operator of a sum; with ``tree`` floats are added in a tree (`TreeSum`)."""
    if not aggregate.operand.type.floating:
        return Sum(aggregate, name)
    return (TreeSum if tree else FloatSum)(aggregate, name)


OPERATOR = sum_of
