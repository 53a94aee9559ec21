"""Numbers the tuples of a frame in order of arrival, without sorting partitions that are in order.

Three sources of the order are known:

- `PARTITIONS`: partitions and their rows are in order, as golden's own tables are.
- `FILES`: the position in the files that Spark reads, by the paths of the files, then the rows.
- `COLUMN`: a column of the frame, copied to the column `ORDER`. If each partition is ascending, and
  no partition begins before another one ends, the partitions are runs. Otherwise tuples are sorted
  within buckets, which are ranges of the column between quantiles.

With partitions, files and an ascending column the driver collects the count of each run, and a
tuple's number is its place plus a shift (`golden.order.runs`). With buckets the number is the
count of the tuples in the buckets before plus the row in the sorted bucket. A frame of at most
`SMALL` tuples with a column of the order is one bucket.

Before the tuples are numbered, partitions and files need one scan of the frame; an ascending column
needs two, for NULL and for the runs; buckets need up to four, of which the last two find the
quantiles and the counts of the buckets. Only buckets exchange tuples. If the greatest time so far
is needed, the scan of an ascending column, and of partitions that are not a table in memory, also
finds the disorder of the times (`golden.order.partition_scan`). Files, and tables in memory of more
than `SMALL` tuples, need a further scan for it.
"""

import re
from dataclasses import dataclass
from itertools import pairwise
from urllib.parse import unquote

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as fn

from golden.order.partition_scan import partition_facts
from golden.order.running import GREATEST, disorder, with_greatest
from golden.order.runs import PLACE, Run, Times, first_place, number_of
from query.errors import UserError

ORDER, FILE, BLOCK = "#order", "#file", "#block"
PARTITIONS, FILES, COLUMN = "partitions", "files", "column"
SMALL = 1 << 17  # tuples; up to this number one task sorts them, which is quicker than two scans
_MORE_THAN_ANY = 1 << 20  # partitions, more than any table in memory has
_BUCKETS = 64
_BUCKET = "#bucket"
#: Name of the operator in a line of Spark's plan. It follows the tree, which is drawn with
#: characters such as ``:`` and ``+-``, and the stage, such as ``*(1)``.
_OPERATOR = re.compile(r"^[ :+-]*(?:\*\(\d+\) )?(\w+)", re.MULTILINE)
#: Operators of a table in the driver's memory, perhaps behind `select` and `filter`.
_IN_MEMORY = {
    "ArrowEvalPython", "BatchEvalPython", "Filter", "Generate", "LocalTableScan", "Project",
}  # fmt: skip
#: Operators of a frame whose rows still are where Spark read them: `select` and `filter` of files,
#: with functions in Python and `explode`, and a saved frame of such rows.
_IN_FILE_ORDER = {
    "AdaptiveSparkPlan", "ArrowEvalPython", "BatchEvalPython", "BatchScan", "ColumnarToRow",
    "FileScan", "Filter", "Generate", "InMemoryRelation", "InMemoryTableScan", "Project",
    "ResultQueryStage", "TableCacheQueryStage",
}  # fmt: skip


@dataclass(frozen=True)
class Arrivals:
    """Holds tuples with their numbers ``n``, from 0 without gaps, and facts about all of them.

    Attributes
    ----------
    tuples : DataFrame
    count : int
        Number of the tuples.
    times : Times or None
        Times of the tuples; None without tuples, or if times were not requested.
    runs : list of Run or None
        Runs in order of arrival; None if ``tuples`` has the column `GREATEST`. Empty if the tuples
        were sorted, and the greatest time was not requested.
    """

    tuples: DataFrame
    count: int
    times: Times | None
    runs: list[Run] | None

    def with_greatest(self, slack: int, start: int) -> DataFrame:
        """Returns the tuples, with the greatest time so far unless no tuple can be late.

        ``slack`` and ``start`` of the window are in raw units. No tuple can be late if each tuple
        is at or after the start, and at most the slack older than any tuple before. Frames that are
        small or sorted are not scanned, and always have the column.
        """
        assert self.times is not None
        if self.runs is None:
            return self.tuples
        if self.count <= SMALL:
            so_far = fn.max("t").over(Window.orderBy("n"))
            return self.tuples.withColumn(GREATEST, so_far)
        if self.times.smallest >= start and self._disorder() <= slack:
            return self.tuples
        return with_greatest(self.tuples, self.runs)

    def _disorder(self):
        """Returns the disorder of all times; a scan finds it if the runs do not have it."""
        known = self.times.disorder
        return disorder(self.tuples.select("t"), self.runs) if known is None else known


def arrivals(tuples: DataFrame, order: str, timed: bool, running: bool) -> Arrivals:
    """Returns the tuples of a frame with their numbers.

    Parameters
    ----------
    order : str
        `PARTITIONS`, `FILES` (``tuples`` has the columns `FILE` and `BLOCK`) or `COLUMN`
        (``tuples`` has the column `ORDER`).
    timed : bool
        Whether `Arrivals.times` are needed, of the column ``t``.
    running : bool
        Whether the greatest time so far may be needed; only with ``timed``.

    Raises
    ------
    UserError
        For a column of the order with a NULL or NaN, and for a file that is read twice. An equal
        value of two tuples is an error of the Spark job that finds it.
    """
    tuples = _with_fixed_partitions(tuples)
    placed = tuples.withColumn(PLACE, fn.monotonically_increasing_id())
    if order == COLUMN:
        count = _checked_count(tuples)
        if count <= SMALL:
            return _sorted(tuples, count, [], timed, running)
        runs = _runs_of_column(tuples, timed) if _is_repeatable(tuples) else None
        if runs is None:
            return _sorted(tuples, count, _bounds(tuples), timed, running)
    elif running and order == PARTITIONS and not _is_in_memory(tuples):
        runs = _runs_of_partitions(tuples)
    else:
        runs = _runs(placed, [FILE, BLOCK] if order == FILES else [], timed)
    times = Times.of([run.times for run in runs if run.times is not None])
    numbered = placed.withColumn("n", number_of(runs)).drop(PLACE, ORDER, FILE, BLOCK)
    return Arrivals(numbered, sum(run.count for run in runs), times, runs)


def is_in_file_order(frame: DataFrame) -> bool:
    """Returns True if the rows still have the order of the files that Spark read.

    The operations ``select`` and ``filter`` keep the order of the files. Sorting, also within
    partitions, joins, unions, limits and repartitioning change the order.
    """
    return _operators(frame) <= _IN_FILE_ORDER


def _with_fixed_partitions(frame):
    """Returns a frame whose rows have the same places in every job of Spark.

    Otherwise a table in the driver's memory may be one partition in one job and several in another:
    Spark may compute columns of such a table in the driver, as one partition. A coalesce prevents
    this. It moves no row, because it allows more partitions than the frame has.
    """
    return frame.coalesce(_MORE_THAN_ANY) if _operators(frame) <= _IN_MEMORY else frame


def _is_in_memory(frame):
    """Returns True for a table in the driver's memory, behind `_with_fixed_partitions`."""
    return _operators(frame) <= _IN_MEMORY | {"Coalesce"}


def _is_repeatable(frame):
    """Returns True if each partition has the same rows in the same order in every job.

    This is known of rows that are where Spark read them from files, and of tables in the driver's
    memory. Another source, such as a database, may give its rows in another order each time.
    """
    return is_in_file_order(frame) or _is_in_memory(frame)


def _operators(frame):
    """Returns the names of the operators in the plan of a frame, such as ``FileScan``."""
    plan = frame._jdf.queryExecution().executedPlan().toString()
    return set(_OPERATOR.findall(plan))


def _facts(timed: bool, first: Column) -> list[Column]:
    """Returns the aggregates of a run: the number of tuples, and with ``timed`` times of them.

    The times are those of the tuple with the least ``first``, the least and the greatest time.
    """
    facts = [fn.count(fn.lit(1)).alias("count")]
    if timed:
        facts += [fn.min_by("t", first).alias("first_time"), fn.min("t").alias("smallest")]
        facts += [fn.max("t").alias("greatest")]
    return facts


def _times(row, timed):
    """Returns the Times of a row with the aggregates of `_facts`; None unless ``timed``.

    A row of `partition_facts` has the disorder, too.
    """
    names = ("first_time", "smallest", "greatest", "disorder")
    return Times(*(int(row[name]) for name in names if name in row)) if timed else None


def _runs(placed, blocks, timed):
    """Returns the runs of partitions, or of the blocks of files, in order of arrival."""
    place = fn.col(f"`{PLACE}`")
    partition = fn.shiftright(place, 33).alias("#partition")
    run_columns = [*(f"`{name}`" for name in blocks), *(["t"] if timed else [])]
    run_facts = (
        placed.select(partition, place, *run_columns)
        .groupBy("`#partition`", *(f"`{name}`" for name in blocks))
        .agg(fn.min(place).alias("first"), fn.max(place).alias("last"), *_facts(timed, place))
        .collect()
    )
    if any(row["last"] - row["first"] + 1 != row["count"] for row in run_facts):
        raise UserError("the rows of a file are not one after the other: is a file there twice?")
    # Spark encodes special characters of a path as in a URL: a blank is %20.
    run_facts.sort(key=lambda row: (unquote(row[FILE]), row[BLOCK]) if blocks else row["first"])
    return [Run(row["first"], row["count"], _times(row, timed)) for row in run_facts]


def _checked_count(tuples):
    """Returns the number of tuples; raises UserError for a NULL or NaN in the column of order."""
    order = fn.col(f"`{ORDER}`")
    missing = order.isNull()
    if tuples.schema[ORDER].dataType.typeName() == "double":
        missing = missing | fn.isnan(order)
    row = tuples.agg(fn.count(fn.lit(1)), fn.count_if(missing)).head()
    if row[1]:
        raise UserError(f"the column of the order has {row[1]:,} values that are NULL or NaN")
    return row[0]


def _runs_of_partitions(tuples):
    """Returns a run for each partition that holds a tuple, with the disorder of its times."""
    facts = sorted(partition_facts(tuples, None, timed=True), key=lambda row: row["partition"])
    return [_run_of(row, timed=True) for row in facts]


def _runs_of_column(tuples, timed):
    """Returns the runs of partitions in order of `ORDER`; None if partitions are out of order."""
    facts = sorted(partition_facts(tuples, ORDER, timed), key=lambda row: row["first"])
    in_order = all(row["ascending"] for row in facts)
    in_order &= all(a["last"] < b["first"] for a, b in pairwise(facts))
    return [_run_of(row, timed) for row in facts] if in_order else None


def _run_of(facts, timed):
    """Returns the run that is a whole partition."""
    return Run(first_place(facts["partition"]), facts["count"], _times(facts, timed))


def _bounds(tuples):
    """Returns ascending numbers that split the tuples into `_BUCKETS` parts of similar size.

    Spark computes quantiles as doubles. One that does not fit the column's decimals is NULL, and is
    left out.
    """
    shares = [i / _BUCKETS for i in range(1, _BUCKETS)]
    bounds = tuples.agg(fn.percentile_approx(f"`{ORDER}`", shares, 10_000)).head()[0]
    return sorted({bound for bound in bounds or [] if bound is not None})


def _bucket(bounds, kind, low=0):
    """Returns how many bounds are at most the tuple's `ORDER`: a tree of comparisons."""
    if not bounds:
        return fn.lit(low)
    middle = len(bounds) // 2
    below = fn.col(f"`{ORDER}`") < fn.lit(str(bounds[middle])).cast(kind)
    upper = _bucket(bounds[middle + 1 :], kind, low + middle + 1)
    return fn.when(below, _bucket(bounds[:middle], kind, low)).otherwise(upper)


def _sorted(tuples, count, bounds, timed, running):
    """Returns the tuples numbered in the order of `ORDER`, sorted within buckets."""
    order = fn.col(f"`{ORDER}`")
    tuples = tuples.withColumn(_BUCKET, _bucket(bounds, tuples.schema[ORDER].dataType))
    parts = []
    if bounds or timed:
        parts = tuples.groupBy(f"`{_BUCKET}`").agg(*_facts(timed, order)).collect()
    parts = {row[_BUCKET]: row for row in parts}
    before = [[row for b, row in parts.items() if b < i] for i in range(len(bounds) + 1)]
    window = Window.partitionBy(f"`{_BUCKET}`").orderBy(order)
    twice = fn.lag(order).over(window) == order
    message = fn.concat(
        fn.lit("two tuples have the value "), order.cast("string"),
        fn.lit(" in the column of the order, so their order of arrival is unknown"),
    )  # fmt: skip
    row = fn.when(twice, fn.raise_error(message)).otherwise(fn.row_number().over(window))
    literals = ", ".join(f"{sum(row['count'] for row in rows)}L" for rows in before)
    first_number = fn.expr(f"get(array({literals}), `{_BUCKET}`)")
    numbered = tuples.withColumn("n", row.cast("long") - 1 + first_number)
    if running:
        kind = tuples.schema["t"].dataType
        greatest = (max((int(row["greatest"]) for row in rows), default=None) for rows in before)
        texts = ", ".join("null" if time is None else f"'{time}'" for time in greatest)
        earlier = fn.expr(f"get(array({texts}), `{_BUCKET}`)").cast(kind)
        numbered = numbered.withColumn(GREATEST, fn.greatest(fn.max("t").over(window), earlier))
    times = [parts[b] for b in sorted(parts)] if timed else []
    times = Times.of([_times(row, timed) for row in times])
    # Without a use of ``n`` Spark would drop it, and with it the error for equal values.
    checked = numbered.filter("n >= 0")
    return Arrivals(checked.drop(ORDER, _BUCKET), count, times, None if running else [])
