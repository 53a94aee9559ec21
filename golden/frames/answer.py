"""Answers a query over a DataFrame, lazily: the rows are computed when they are used."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from pyspark.errors import AnalysisException
from pyspark.logger import PySparkLogger
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as fn

from golden.frames.columns import carried_frame, column_named, order_column
from golden.frames.results import complete, csv_rows, user_rows
from golden.order.arrival import (
    BLOCK,
    COLUMN,
    FILE,
    FILES,
    ORDER,
    PARTITIONS,
    is_in_file_order,
)
from golden.plans.lives import Evictions, with_lives
from golden.plans.plan import late_count
from golden.plans.stream import Stream, acceptance, needs_order, stream, tuple_counts
from query.errors import UserError
from query.query import Query

#: Options of a read, in lower case, with which the rows depend on the columns; and the setting of
#: Spark that has the effect of the second.
_DROPPING = {"mode=dropmalformed", "ignorecorruptfiles=true"}
_IGNORE = "spark.sql.files.ignoreCorruptFiles"
#: Setting of Spark that fixes how files are split, whatever executors a cluster has at the moment.
_SPLITS = "spark.sql.files.minPartitionNum"


def answer(
    query: Query, df: DataFrame, order: str | None = None, start: int | None = None
) -> DataFrame:
    """Returns the rows of ``query`` over the tuples ``df``, in the order of the query language.

    Parameters
    ----------
    query : Query
        Of `query.parser.parse` or `query.parser.load`.
    df : DataFrame
        Tuples, with all columns of the query's schema: numbers for numbers, strings for strings,
        texts of numbers for numbers. Fixed point is rounded to nearest, ties to even.
    order : str or None
        Column of ``df`` that ascends in order of arrival: a number, a date or a time, different for
        all tuples. None selects the position in the files that ``df`` reads: files by their paths,
        then rows. Then ``df`` may have passed through ``select`` and ``filter`` only.
    start : int or None
        RANGE only: start of window 0, in raw units of the time column. None selects the first
        tuple's time less the slack, rounded down to a multiple of the slide.

    Returns
    -------
    DataFrame
        Columns `Query.row_names`: whole numbers, exact decimals for fixed point (texts, where a
        column may need more than 38 digits), floats and strings. Spark computes the rows when they
        are used. Before, it counts the tuples of each partition and finds their greatest time, if
        the window needs these numbers.

    Raises
    ------
    UserError
        For a missing column, for a type that cannot hold the values of a column, for an order that
        is unknown, and when the answer has more windows than golden answers. A value that does not
        fit its column, and two tuples at one place of the order, are errors of the Spark job.

    Example
    -------
    >>> query = parse("CREATE INPUT STREAM S (k int, x int); SELECT k, sum(x) FROM S GROUP BY k;")
    >>> answer(query, spark.read.parquet("data.parquet")).write.parquet("rows.parquet")
    """
    return FrameAnswer.of(query, df, order, start).rows()


@dataclass(frozen=True)
class FrameAnswer:
    """Holds the prepared stream of a query over a DataFrame; `answer` describes the arguments."""

    query: Query
    carried: DataFrame
    stream: Stream
    start_argument: int | None

    @classmethod
    def of(
        cls, query: Query, df: DataFrame, order: str | None = None, start: int | None = None
    ) -> "FrameAnswer":
        """Returns the prepared stream: the order of the tuples is known, and the span of times."""
        source, frame, others = located(query, df, order)
        carried = carried_frame(query, frame, *others)
        return cls(query, carried, stream(query, carried, source, start), start)

    def with_evictions(self, evictions: Evictions) -> "FrameAnswer":
        """Returns the answer for keys that a table evicted (`golden.plans.lives`)."""
        return replace(self, stream=with_lives(self.stream, evictions))

    @property
    def start(self) -> int | None:
        """RANGE: start of window 0, in raw units; None without tuples and without a given start."""
        return self.stream.span.start if self.stream.span else self.start_argument

    def late_count(self) -> int:
        """Returns the number of tuples that were late, or before the start."""
        return late_count(self.query, self.stream)

    def counts(self) -> tuple[int, int]:
        """Returns the number of all tuples, and of tuples with a NaN in a column in use.

        Spark counts them, unless the stream has numbered all of them.
        """
        if needs_order(self.query) and acceptance(self.query) is None:
            return self.stream.count, 0
        return tuple_counts(self.query, self.carried)

    def rows(self) -> DataFrame:
        """Returns the rows, with the values that a user reads."""
        return user_rows(self.query, complete(self.query, self.stream))

    def csv_lines(self, header: bool) -> DataFrame:
        """Returns the lines of the rows as CSV; with ``header`` each partition has the names."""
        return csv_rows(self.query, complete(self.query, self.stream), header)


def _fix_partitions(spark):
    """Makes each job of a session divide the same files into the same partitions.

    Otherwise the number of splits follows the number of executors, and Spark reads a table with
    buckets by its buckets in some jobs, and by its files in others.
    """
    if spark.conf.get(_SPLITS, None) is None:
        spark.conf.set(_SPLITS, str(spark.sparkContext.defaultParallelism))
    spark.conf.set("spark.sql.sources.bucketing.autoBucketedScan.enabled", "false")


def _file_relations(plan):
    """Returns the relations of a plan that read files, as objects of Spark."""
    collected = plan.collectLeaves()
    leaves = [collected.apply(k) for k in range(collected.size())]
    leaves = [leaf for leaf in leaves if leaf.getClass().getSimpleName() == "LogicalRelation"]
    relations = [leaf.relation() for leaf in leaves]
    return [r for r in relations if r.getClass().getSimpleName() == "HadoopFsRelation"]


def _listed_files(df):
    """Returns the number of files that a frame reads; a file that is read twice counts twice."""
    relations = _file_relations(df._jdf.queryExecution().optimizedPlan())
    return sum(len(relation.location().inputFiles()) for relation in relations)


def _check_same_rows(df):
    """Raises UserError if jobs that read different columns of the frame may see different rows.

    Spark drops a line in the mode DROPMALFORMED only if the job reads a column with a bad value, so
    the job that counts the tuples would count lines that the job of the rows drops.
    """
    # A new frame, because a frame that has been used does not see that it was saved since.
    relations = _file_relations(df.select("*")._jdf.queryExecution().withCachedData())
    options = {
        line.replace(" -> ", "=")
        for relation in relations
        for line in relation.options().mkString("\n").lower().split("\n")
    }
    if relations and df.sparkSession.conf.get(_IGNORE, "false") == "true":
        options.add("ignorecorruptfiles=true")
    for option in sorted(options & _DROPPING):
        raise UserError(
            f"{option}: Spark then reads other rows if a job needs other columns, so the tuples "
            "have no fixed order; leave the option out, or cache() the frame and name a column of "
            "the order"
        )


def _at_one_time(df):
    """Returns a frame in which current_timestamp() and similar functions are the time of this call.

    Spark evaluates them once for each job. So the job that counts the tuples and the job that
    computes the rows would see different tuples. A saved frame (`persist`) keeps its values, except
    if the position in files is the order, because Spark then reads the files again.
    """
    jvm = df.sparkSession._jvm.org.apache.spark.sql
    plan = df._jdf.queryExecution().withCachedData()
    if not plan.containsPattern(jvm.catalyst.trees.TreePattern.CURRENT_LIKE()):
        return df
    plan = jvm.catalyst.optimizer.ComputeCurrentTime.apply(plan)
    return DataFrame(jvm.classic.Dataset.ofRows(df._jdf.sparkSession(), plan), df.sparkSession)


def located(query: Query, df: DataFrame, order: str | None) -> tuple[str, DataFrame, list[str]]:
    """Returns the source of the order (see `golden.order.arrival`), the frame, and its columns.

    The frame is ``df`` with the columns of the order, whose names the list has. Raises UserError if
    ``order`` is no column of ``df``, if the query needs an order that is unknown, and for a
    streaming frame.
    """
    if df.isStreaming:
        raise UserError("a streaming frame has no answer; sluice.windows runs an engine over it")
    if order is not None or needs_order(query):
        _fix_partitions(df.sparkSession)
    if order is not None:
        _check_same_rows(df)
        located = df.select(*other_columns(df), order_column(df, order))
        return COLUMN, _at_one_time(located), [ORDER]
    if not needs_order(query):
        return PARTITIONS, df, []
    if "_metadata" in df.columns:
        raise UserError(
            "the order of arrival is unknown, because a column with the name _metadata hides the "
            "position in the files; rename it, or name a column that ascends in this order"
        )
    files, is_read = df.inputFiles(), True
    try:
        position = fn.col("_metadata.file_path").alias(FILE)
        block = fn.col("_metadata.file_block_start").alias(BLOCK)
        with _without_log():
            positioned = df.select(*other_columns(df), position, block)
    except AnalysisException:
        is_read = False
    if not is_read or not is_in_file_order(df):
        raise UserError(
            "the order of arrival is unknown, because the tuples are not read from files, are a "
            "view, or have been moved since; name a column that ascends in this order"
        )
    if not files:  # such as a day without data
        return PARTITIONS, df, []
    if len(files) == 1:
        if _listed_files(df) > 1:
            raise UserError(f"the order of arrival is unknown, because {files[0]} is read twice")
        _check_same_rows(df)
        return PARTITIONS, _at_one_time(df), []
    _check_same_rows(positioned)
    return FILES, _at_one_time(positioned), [FILE, BLOCK]


@contextmanager
def _without_log() -> Iterator[None]:
    """Mutes PySpark's log of an AnalysisException in the block, whose caller handles the error."""
    logger = PySparkLogger.getLogger("DataFrameQueryContextLogger")
    before, logger.disabled = logger.disabled, True
    try:
        yield
    finally:
        logger.disabled = before


def other_columns(df: DataFrame) -> list[str | Column]:
    """Returns all columns of a frame, without those that have a name of the order's columns."""
    reserved = (ORDER, FILE, BLOCK)
    if not any(name in reserved for name in df.columns):
        return ["*"]
    return [column_named(name) for name in df.columns if name not in reserved]
