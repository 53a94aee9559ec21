"""Runs the engine of a generated directory as an operator of a Spark job."""

from collections.abc import Mapping
from numbers import Integral
from os import PathLike
from typing import Any, NamedTuple

from pyspark.sql import DataFrame
from pyspark.sql import functions as fn

from golden.frames.engine_values import COUNT, COUNTER, PART
from query.errors import UserError
from sluice.arguments import begin_of, check_mapping, check_names
from sluice.operator.design import OperatorDesign, is_keyed
from sluice.operator.keys import key_results
from sluice.operator.prepared import prepared
from sluice.operator.segments import segment_results
from sluice.operator.streaming import stream_results
from sluice.queries import AnyQuery, query_of
from sluice.tables import is_spark

#: Greatest number of partitions; each is a task of Spark.
_MOST_PARTITIONS = 1_000_000


class EngineRows(NamedTuple):
    """Rows and counts of engines, from one computation.

    Attributes
    ----------
    rows : DataFrame
        The rows that `windows` returns without ``counters``.
    counters : DataFrame
        Columns ``part`` (number of the engine's part of the stream), ``counter`` and ``count``.
    results : DataFrame
        Rows and counters in one frame, which Spark keeps once computed: ``results.unpersist()``
        frees it. Column ``#counter`` is NULL for rows. Results of a stream are not kept: start one
        streaming query on ``results``, and separate rows and counters in its ``foreachBatch``.
    """

    rows: DataFrame
    counters: DataFrame
    results: DataFrame


def windows(
    df: DataFrame,
    directory: str | PathLike[str],
    *,
    order: str | None = None,
    start: str | int | None = None,
    settings: Mapping[str, Any] | None = None,
    partitions: int | None = None,
    counters: bool = False,
    query: AnyQuery | None = None,
    backend: Any = None,
    allow_evictions: bool = False,
    options: Mapping[str, Any] | None = None,
) -> Any:
    """Returns the rows that an engine gives for the tuples of a Spark DataFrame, lazily.

    Spark divides the tuples among tasks, and each task sends its part to an engine of its own as
    one stream. With a key, the hash of a tuple's key selects the part. Without a key, the stream is
    cut into parts in order of arrival, and the engine after a cut also gets the earlier tuples of
    the windows that are open at the cut (`host.spark.cuts`). The rows are the same with any number
    of parts. Only if evictions are allowed, rows may differ, since each engine has its own table of
    keys.

    Parameters
    ----------
    df : DataFrame
        Tuples, with all columns of the query's schema, as `sluice.answer` takes them. For a
        streaming frame the result is a streaming frame: each micro-batch has the rows of the
        windows that close in it. The checkpoint keeps the state of open windows, so after a restart
        each row appears once.
    directory : path-like
        A directory of ``sluice generate``, under the same path on every machine. The directory also
        holds the query.
    order : str or None
        As in `sluice.answer`: a column that ascends in order of arrival, or the order in files. A
        stream needs a column, and its values must ascend from micro-batch to micro-batch.
    start : str, int or None
        Start of window 0 of RANGE. None takes the start that the first tuple determines, as
        `sluice.answer` does. A streaming frame with PARTITION BY RANGE needs a start.
    settings : mapping or None
        Settings of the engine for all tasks, such as ``{"ws": 8, "wa": 2}``.
    partitions : int or None
        Greatest number of parts, at most 1,000,000; None is the parallelism of the session. There
        are more parts if a part would have more than half of the tuples that the engine can count
        in a stream, or more than 32 MiB. For a streaming frame with keys None is 4, and the number
        must stay the same for a checkpoint.
    counters : bool
        True returns an `EngineRows`, with the engines' counters as rows. The counts are exact, even
        if tasks are tried again, because each part's counts come from the same task as its rows.
    query : Query, DesignPoint, path or None
        If given, the directory must be of this query.
    backend : str, callable or None
        Back end of `host.Engine.open`. None chooses the engine in the network if Spark has given
        the task an address such as ``udp://10.0.0.7``, "pynq" if Spark has given another address or
        the machine has PYNQ, and "simulation" otherwise. A callable gets the description of the
        design and the addresses of the task's boards, and returns a `host.backend.Backend`.
    allow_evictions : bool
        True if an engine may evict keys from its table; if False, an eviction fails the job.
    options : mapping or None
        Arguments of the back end, such as ``{"cache": "/tmp/models"}`` of the simulation, or
        ``{"at": "udp://10.0.0.7"}`` for an engine in the network.

    Returns
    -------
    DataFrame or EngineRows
        The columns and types of `sluice.answer`. Windows of the whole stream are in their order.
        Under PARTITION BY the rows of each key are in their order.

    Raises
    ------
    UserError
        For a directory without a manifest or with another query, a setting that the engine refuses,
        a missing column, a wrong type, and an unknown order.
    """
    if not is_spark(df):
        raise UserError(f"windows takes a Spark DataFrame, not {type(df).__name__}")
    check_names(order=order)
    check_mapping(settings or {}, "settings")
    check_mapping(options or {}, "options")
    _check_partitions(partitions)
    design = OperatorDesign.read(
        directory,
        settings or {},
        backend=backend,
        options=options or {},
        allow_evictions=allow_evictions,
    )
    if query is not None:
        design.check_query(query_of(query))
    begin = begin_of(design.query, start)
    parts = None if partitions is None else int(partitions)
    results = _results(design, df, order, begin, parts)
    if not counters:
        return _rows(design, results)
    if not df.isStreaming:
        results = results.persist()
    return EngineRows(_rows(design, results), _counters(results), results)


def _check_partitions(partitions):
    """Raises UserError unless ``partitions`` is None or a number of partitions for Spark."""
    if partitions is None:
        return
    is_number = isinstance(partitions, Integral) and not isinstance(partitions, bool)
    if not is_number or not 1 <= partitions <= _MOST_PARTITIONS:
        raise UserError(
            f"partitions must be an integer from 1 to {_MOST_PARTITIONS:,}, not {partitions!r}"
        )


def _results(design, df, order, start, parts):
    """Returns the frame of results, see `golden.frames.engine_values`."""
    query, task = design.query, design.task
    try:
        if df.isStreaming:
            return stream_results(design, df, order, start, parts)
        tuples = prepared(query, df, order)
    except UserError as error:
        raise error.at(error.file or design.place) from None
    if parts is None:
        parts = df.sparkSession.sparkContext.defaultParallelism
    if is_keyed(query):
        return key_results(query, task, tuples, parts, design.part_size, start)
    return segment_results(query, task, tuples, parts, design.part_size, start)


def _rows(design, results):
    rows = results.filter(fn.col(f"`{COUNTER}`").isNull())
    return rows.select(*(fn.col(f"`{name}`") for name in design.query.row_names))


def _counters(results):
    counts = results.filter(fn.col(f"`{COUNTER}`").isNotNull())
    names = {PART: "part", COUNTER: "counter", COUNT: "count"}
    return counts.select(*(fn.col(f"`{name}`").alias(alias) for name, alias in names.items()))
