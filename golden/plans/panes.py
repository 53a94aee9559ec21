"""Aggregates tuples by pane, and combines copies of the panes to the windows that cover them.

Window bounds are multiples of a *pane*, the greatest common divisor of size and slide. So the
tuples are first aggregated by pane, and the state of each pane then goes to every window that
covers the pane. The work is one aggregation of the tuples, and one aggregation of size/slide copies
of each pane; panes are far fewer than tuples. If size/slide is large, `golden.plans.pane_scans`
combines the panes with less work.
"""

from dataclasses import dataclass
from functools import reduce
from math import gcd
from operator import or_

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as fn

from golden.aggregates.operator import Operator
from query.errors import UserError
from query.window import Range, Rows

#: Largest number of windows that may hold one pane, and of rows of an answer without groups
#: (`golden.plans.time_windows`).
WINDOWS = 100_000_000
#: Largest number of copies of all panes together, for queries with more than `_MANY` windows of a
#: pane. Their copies are counted before they are made. Other queries make at most 1,000 copies of a
#: pane, and are not counted.
COPIES = 10_000_000_000
_MANY = 1000
_BLOCK = 1 << 16  # largest number of copies that one row of a frame may hold as a list


@dataclass(frozen=True)
class Results:
    """Holds the aggregates of the SELECT list.

    ``operators[i]`` aggregates the column ``values[i]``, which is None for count(*).
    ``order`` is the column of the tuples' numbers; floats are added in the order of these numbers.
    """

    operators: tuple[Operator, ...]
    values: tuple[str | None, ...]
    order: str = "n"

    def lift(self) -> dict[str, Column]:
        """Returns the state of a set of tuples: expressions by the names of their columns."""
        n = fn.col(self.order)
        pairs = zip(self.operators, self.values, strict=True)
        states = [op.lift(fn.col(value) if value else n, n) for op, value in pairs]
        return reduce(or_, states, {})

    def combine(self) -> dict[str, Column]:
        """Returns the state of several sets of tuples, like `lift` of all of their tuples."""
        return reduce(or_, (operator.combine() for operator in self.operators), {})

    @property
    def have_fixed_size(self) -> bool:
        """True if no state grows with the number of tuples."""
        return all(operator.has_fixed_size for operator in self.operators)

    def lower(self) -> list[Column]:
        """Returns the results of a state, as columns with the names of `names`."""
        return [op.lower().alias(f"row_{op.name}") for op in self.operators]

    def names(self) -> list[str]:
        """Returns the names of the result columns."""
        return [f"row_{op.name}" for op in self.operators]


@dataclass(frozen=True)
class Numbers:
    """Chooses Spark's type for the numbers of a query's panes and windows, and builds expressions.

    The type is a 64-bit integer if all numbers fit, otherwise a decimal of 38 digits.
    """

    wide: bool

    @classmethod
    def up_to(cls, greatest: int) -> "Numbers":
        """Returns numbers for sums of two numbers between -greatest and greatest."""
        return cls(greatest >= 1 << 62)

    @property
    def kind(self) -> str:
        """Spark's type of the numbers."""
        return "decimal(38,0)" if self.wide else "long"

    def lit(self, number: int) -> Column:
        """Returns a constant."""
        return fn.lit(str(number)).cast(self.kind)

    def quotient(self, number: Column, divisor: int) -> Column:
        """Returns ``number`` divided by ``divisor``, cut towards zero."""
        by = self.lit(divisor)
        if not self.wide:
            return fn.call_function("div", number, by)
        return ((number - number % by) / by).cast(self.kind)  # without remainder, so not rounded


def pane_size(window: Rows | Range) -> int:
    """Returns the size of a pane, in the units of the window."""
    return gcd(window.size, window.slide)


def pane_states(
    tuples: DataFrame,
    position: Column,
    window: Rows | Range,
    numbers: Numbers,
    results: Results,
    by: list[str],
) -> DataFrame:
    """Returns the states of all panes that hold a tuple, by ``pane`` and the columns ``by``.

    ``position`` is the position of a tuple from 0, in units of the window: arrivals or time.
    ``filled`` is the number of tuples in the pane. ``first_arrival`` and ``trigger`` are the least
    and the greatest ``n`` among them.
    """
    pane = numbers.quotient(position.cast(numbers.kind), pane_size(window))
    panes = tuples.withColumn("pane", pane)
    return panes.groupBy("pane", *by).agg(
        fn.count(fn.lit(1)).alias("filled"),
        fn.min("n").alias("first_arrival"),
        fn.max("n").alias("trigger"),
        *named(results.lift()),
    )


def window_states(
    panes: DataFrame, window: Rows | Range, numbers: Numbers, results: Results, by: list[str]
) -> DataFrame:
    """Returns the states of all windows that hold a tuple, by ``window`` and the columns ``by``.

    ``panes`` are the `pane_states`. If they have a column ``until``, windows with numbers above it
    are left out. ``trigger`` of a window is the greatest trigger of its panes.

    Raises
    ------
    UserError
        When a pane is in more windows than `WINDOWS`, or all panes have more copies than `COPIES`;
        neither is checked up to 1,000 windows of a pane.
    """
    copies = _spread(_covering(panes, window, numbers), window, numbers)
    return copies.groupBy("window", *by).agg(*named(combined(results)))


def combined(results: Results) -> dict[str, Column]:
    """Returns the state of several panes or parts of a window together, with their trigger."""
    return {"trigger": fn.max("trigger")} | results.combine()


def named(states: dict[str, Column]) -> list[Column]:
    """Returns the columns of a state under their names."""
    return [state.alias(name) for name, state in states.items()]


def _covering(panes, window, numbers):
    """Returns each pane with its first window, and with the number of its windows.

    Window k covers the panes from k * slide to k * slide + size - 1, with size and slide in panes.
    For instance with size 5 and slide 3 pane 7 is in windows 1 and 2: from (7 - 5) // 3 + 1 to 7 //
    3. A pane below ``size`` is a case of its own, since the quotient is cut towards zero: its first
    window is 0.
    """
    pane = pane_size(window)
    size, slide = window.size // pane, window.slide // pane
    pane_number = fn.col("pane")
    first_above_size = numbers.quotient(pane_number - numbers.lit(size), slide) + numbers.lit(1)
    first = fn.when(pane_number >= numbers.lit(size), first_above_size).otherwise(numbers.lit(0))
    last = numbers.quotient(pane_number, slide)
    last = fn.least(last, fn.col("until")) if "until" in panes.columns else last
    count = (last - first + numbers.lit(1)).cast(numbers.kind)
    panes = panes.withColumn("first", first.cast(numbers.kind)).withColumn("windows", count)
    return panes.filter(fn.col("windows") > 0)


def _spread(covering, window, numbers):
    """Returns a copy of each pane for each of its windows; a row holds at most `_BLOCK` copies."""
    windows_of_pane = -(-window.size // window.slide)
    if windows_of_pane > _MANY:
        _check_copies(covering, window)
    covering = covering.withColumn("windows", fn.col("windows").cast("long"))
    if windows_of_pane > _BLOCK:
        blocks = fn.expr(f"explode(sequence(0L, windows - 1, {_BLOCK}L))")
        covering = covering.withColumn("block", blocks)
        copy_numbers = f"sequence(block, least(block + {_BLOCK}, windows) - 1)"
    else:
        copy_numbers = "sequence(0L, windows - 1)"
    copies = covering.withColumn("copy", fn.expr(f"explode({copy_numbers})"))
    number = fn.col("first") + fn.col("copy").cast(numbers.kind)
    return copies.withColumn("window", number.cast(numbers.kind))


def _check_copies(covering, window):
    """Raises UserError if a pane, or all panes together, have too many windows."""
    exact = fn.col("windows").cast("decimal(38,0)")
    totals = covering.agg(
        fn.sum(exact).alias("copies"), fn.max(exact).alias("most"), fn.count(exact).alias("panes")
    ).head()
    if not totals["panes"]:
        return
    panes, most, copies = (int(totals[name]) for name in ("panes", "most", "copies"))
    for number, limit, text in (
        (most, WINDOWS, f"a pane would be in {most:,} windows"),
        (copies, COPIES, f"{panes:,} panes would have {copies:,} copies for windows"),
    ):
        if number > limit:
            raise UserError(f"{window}: {text}, and at most {limit:,} are possible")
