"""From tuples to panes, and from panes to the windows that cover them.

Window bounds are multiples of a *pane*, the greatest common divisor of size and slide. So tuples
are first aggregated by pane, and each pane's states are then handed to the windows that cover it:
the work is one aggregation of the tuples and one of size/slide copies of the far fewer panes.
"""

from dataclasses import dataclass
from functools import reduce
from math import gcd
from operator import or_

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as fn

from golden.aggregates import Operator, flat
from query.errors import UserError
from query.window import Range, Rows

WINDOWS = 100_000_000  # rows of an answer without groups, windows of a pane: more are refused
COPIES = 10_000_000_000  # panes handed to windows, all in all: more are refused
_MANY = 1000  # windows of a pane; from here on the copies are counted before they are made
_BLOCK = 1 << 16  # copies that one row of a frame may hold as a list


@dataclass(frozen=True)
class Results:
    """The SELECT list: ``operators[i]`` aggregates the column ``values[i]`` (None for count(*)).

    ``order`` is the column of the tuples' numbers, by which floats are added.
    """

    operators: tuple[Operator, ...]
    values: tuple[str | None, ...]
    order: str = "n"

    def lift(self) -> dict[str, Column]:
        n, pairs = fn.col(self.order), zip(self.operators, self.values, strict=True)
        states = [op.lift(fn.col(value) if value else n, n) for op, value in pairs]
        return reduce(or_, states, {})

    def lifted(self):
        return [state.alias(name) for name, state in self.lift().items()]

    def combine(self):
        return flat([op.combine() for op in self.operators])

    def lower(self):
        return [op.lower().alias(f"row_{op.name}") for op in self.operators]

    def names(self):
        return [f"row_{op.name}" for op in self.operators]


@dataclass(frozen=True)
class Numbers:
    """Whole numbers of a plan: 64-bit ones where all of them fit, else decimals of 38 digits."""

    wide: bool

    @classmethod
    def up_to(cls, greatest: int):
        """Numbers for sums of two numbers between -greatest and greatest."""
        return cls(greatest >= 1 << 62)

    @property
    def kind(self) -> str:
        return "decimal(38,0)" if self.wide else "long"

    def lit(self, number: int) -> Column:
        return fn.lit(str(number)).cast(self.kind)

    def quotient(self, number: Column, divisor: int) -> Column:
        """``number`` divided by ``divisor``, cut toward zero."""
        by = self.lit(divisor)
        if not self.wide:
            return fn.call_function("div", number, by)
        return ((number - number % by) / by).cast(self.kind)  # even, so nothing is rounded


def window_states(
    tuples: DataFrame, at: Column, window: Rows | Range, numbers: Numbers, results, by, bound=None
) -> DataFrame:
    """The states of all windows that hold a tuple, by ``window`` and the columns ``by``.

    ``filled`` counts their tuples, and ``trigger`` is the last of them to arrive.

    Parameters
    ----------
    at : Column
        Where a tuple stands, from 0, as the window counts: arrivals or time.
    bound : function of (panes) to (panes with the column "until"), or None
        Windows after number ``until`` are left out.

    Raises
    ------
    UserError
        When panes are in more windows than `WINDOWS` and `COPIES` allow.
    """
    pane = gcd(window.size, window.slide)
    panes = tuples.withColumn("pane", numbers.quotient(at.cast(numbers.kind), pane))
    panes = panes.groupBy("pane", *by).agg(
        fn.count(fn.lit(1)).alias("filled"), fn.max("n").alias("trigger"), *results.lifted()
    )
    covering = _covering(bound(panes) if bound else panes, window, pane, numbers, bool(bound))
    return (
        _spread(covering, window, numbers)
        .groupBy("window", *by)
        .agg(
            fn.sum("filled").alias("filled"), fn.max("trigger").alias("trigger"), *results.combine()
        )
    )


def _covering(panes, window, pane, numbers, bounded):
    """Panes with the number of the first window that covers them, and how many do."""
    size, slide, at = window.size // pane, window.slide // pane, fn.col("pane")
    behind = numbers.quotient(at - numbers.lit(size), slide) + numbers.lit(1)
    first = fn.when(at >= numbers.lit(size), behind).otherwise(numbers.lit(0))
    last = numbers.quotient(at, slide)
    last = fn.least(last, fn.col("until")) if bounded else last
    count = (last - first + numbers.lit(1)).cast(numbers.kind)
    panes = panes.withColumn("first", first.cast(numbers.kind)).withColumn("windows", count)
    return panes.filter(fn.col("windows") > 0)


def _spread(covering, window, numbers):
    """A copy of each pane for each of its windows; no row ever holds more than `_BLOCK` of them."""
    most = -(-window.size // window.slide)
    if most > _MANY:
        _check_copies(covering, window)
    covering = covering.withColumn("windows", fn.col("windows").cast("long"))
    if most > _BLOCK:
        blocks = fn.expr(f"explode(sequence(0L, windows - 1, {_BLOCK}L))")
        covering = covering.withColumn("block", blocks)
        inside = f"sequence(block, least(block + {_BLOCK}, windows) - 1)"
    else:
        inside = "sequence(0L, windows - 1)"
    copies = covering.withColumn("copy", fn.expr(f"explode({inside})"))
    number = fn.col("first") + fn.col("copy").cast(numbers.kind)
    return copies.withColumn("window", number.cast(numbers.kind))


def _check_copies(covering, window):
    exact = fn.col("windows").cast("decimal(38,0)")
    found = covering.agg(
        fn.sum(exact).alias("copies"), fn.max(exact).alias("most"), fn.count(exact).alias("panes")
    ).head()
    if not found["panes"]:
        return
    for number, limit in ((found["most"], WINDOWS), (found["copies"], COPIES)):
        if number > limit:
            raise UserError(
                f"{window}: {found['panes']:,} panes would be handed to {int(number):,} windows, "
                f"and at most {limit:,} are answered"
            )
