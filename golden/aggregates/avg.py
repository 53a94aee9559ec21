"""Computes ``avg(x)`` in Spark."""

from pyspark.sql import Column
from pyspark.sql import functions as fn

from golden.aggregates.count import Count
from golden.aggregates.operator import Operator
from golden.aggregates.sum import sum_of, wide_sum
from query.aggregate import Aggregate
from query.types import Double, Float


class Avg(Operator):
    """Divides the sum by the count, and cuts the quotient towards zero in raw units.

    The average of floats is the sum of `FloatSum` or `TreeSum` divided by the count. The division
    rounds to nearest in the column's own type.
    """

    def __init__(self, aggregate: Aggregate, name: str, tree: bool = False) -> None:
        super().__init__(aggregate, name, tree)
        self.sum = sum_of(aggregate, f"{name}_sum", tree)
        self.count = Count(aggregate, f"{name}_count")

    @property
    def has_fixed_size(self) -> bool:
        return self.sum.has_fixed_size

    def lift(self, x: Column, n: Column) -> dict[str, Column]:
        return self.sum.lift(x, n) | self.count.lift(x, n)

    def combine(self) -> dict[str, Column]:
        return self.sum.combine() | self.count.combine()

    def lower(self) -> Column:
        total, count = self.sum.lower(), self.count.lower()
        if isinstance(self.type, Double):
            return total / count.cast("double")
        if isinstance(self.type, Float):
            # Spark divides in binary64. Rounding this quotient again, to binary32, gives the
            # correctly rounded quotient for counts of up to 27 bits: the exact quotient of numbers
            # of 24 and 27 bits is no nearer to a number of 25 bits than 2^-52 of it.
            return (total / count.cast("double")).cast("float")
        if not wide_sum(self.type):
            return fn.call_function("div", total, count)
        multiple = total - total % count.cast("decimal(20,0)")
        quotient = multiple / count.cast("decimal(20,0)")  # no remainder: nothing is rounded
        return quotient.cast("long" if self.type.raw_max < 1 << 63 else "decimal(20,0)")


OPERATOR = Avg
