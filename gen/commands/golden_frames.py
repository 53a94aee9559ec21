"""Computes golden's rows of large data, which Spark reads, answers and writes by itself."""

from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pyspark import SparkContext

from gen.design.first_window import start_of, start_text
from gen.terminal.console import Output
from golden import readers
from golden.frames import source
from golden.frames.answer import FrameAnswer
from golden.frames.errors import clear_errors
from golden.frames.faults import refuse_value
from golden.frames.sink import write_rows
from golden.plans.lives import Evictions, partition_column
from golden.spark import class_archive
from golden.spark.session import session, start
from query.errors import UserError
from query.query import Query

#: Size in bytes up to which a file is read here, and its rows are cached. Spark reads larger files.
LARGE = 64 << 20
_FORMATS = f"{', '.join(source.FORMATS[:-1])} and {source.FORMATS[-1]}"
_NAMED = 1 << 30  # bytes of all files, up to which the line of a bad value is searched
_PARTITION = 32 << 20  # bytes of data for each partition of a shuffle
#: Options of a Java machine for jobs of a minute. Java's second compiler takes long, and makes code
#: faster that runs often. The thresholds are ten times Java's own, so it compiles the loops over
#: tuples, but not Spark's planner. The planner would cost a sixth of the processor time of a job of
#: 10 million tuples.
_COMPILER = [
    "-XX:TieredStopAtLevel=4",
    "-XX:Tier4InvocationThreshold=50000",
    "-XX:Tier4MinInvocationThreshold=6000",
    "-XX:Tier4CompileThreshold=150000",
    "-XX:Tier4BackEdgeThreshold=400000",
]


def is_for_spark(data: Path, format: str | None, order: str | None, parts: bool) -> bool:
    """Returns True if Spark reads the data, and False if a reader of small files does.

    Spark reads files above `LARGE`, directories, patterns and formats that no reader of small files
    knows, and any data with an ``order`` or ``parts``. The formats of traces are only for a reader
    of small files: raises UserError for a trace with an order, parts, a directory or a pattern.
    """
    needs_spark = order is not None or parts or source.is_plural(data)
    if format in readers.FORMATS and format not in source.FORMATS:
        if needs_spark:
            raise _not_by_spark(data, format)
        return False
    if needs_spark:
        return True
    if format is not None:
        return format in source.FORMATS and (format not in readers.FORMATS or _is_large(data))
    return source.has_format(data) and (not readers.has_format(data) or _is_large(data))


def _is_large(data):
    try:
        return data.stat().st_size > LARGE
    except OSError:  # a file that cannot be read: the reader of small files says why
        return False


def rows_by_spark(
    out: Output,
    query: Query,
    data: Path,
    format: str | None,
    order: str | None,
    start: str | None,
    evictions: Evictions | None,
    master: str,
    output: Path,
    parts: bool,
) -> dict[str, Any]:
    """Writes the rows of ``data`` to ``output``; returns the figures that the command prints."""
    if format is not None and format not in source.FORMATS:
        raise _not_by_spark(data, format)
    begin, warning = start_of(query, start)
    if warning is not None:
        out.warn(warning)
    if evictions is not None:
        partition_column(query)
    files = source.files_of(data)
    source.refuse_packed(files, format)
    size, is_planned = sum(file.stat().st_size for file in files), False
    try:
        with out.step(f"golden rows of {data}, by PySpark", mute=True), clear_errors(data):
            spark = _session(master)
            with _settings_for(spark, size):
                frame = source.frame_of(spark, data, query, format, order)
                answer = FrameAnswer.of(query, frame, order, begin)
                if evictions:
                    answer = answer.with_evictions(evictions)
                is_planned = True
                late = answer.late_count()
                tuples, nan = answer.counts()
                rows = write_rows(answer, output, parts)  # last: after an error no row is written
    except UserError as error:
        _refuse_value(files, query, format, size, is_planned)
        raise error if error.file else error.at(data) from None
    return {
        "query": str(query),
        "tuples": tuples,
        "start": start_text(query, answer.start),
        "rows": rows,
        "evictions": 0 if evictions is None else len(evictions),
        "dropped": {"late": late, "nan": nan},
        "rows_file": str(output),
        "files": [str(output)],
    }


def _not_by_spark(data, format):
    """Returns the error for a format that Spark does not read for the command."""
    if format not in readers.FORMATS:
        return UserError(f"Spark reads {_FORMATS}, and not {format}", file=data)
    message = f"with --order, --parts, a directory or a pattern Spark reads {_FORMATS} only"
    return UserError(f"{message}; {format} must be one file without these options", file=data)


def _session(master):
    """Returns the session; a new Java machine compiles as for a job of a minute, not of seconds."""
    if SparkContext._gateway is not None:  # a Java machine takes options only once
        return session(master)
    return start(master, [*class_archive.java_options(), *_COMPILER])


@contextmanager
def _settings_for(spark, size):
    """Sets Spark's planner for data of ``size`` bytes: adaptive, with partitions by size."""
    settings = {
        "spark.sql.adaptive.enabled": "true",
        "spark.sql.shuffle.partitions": str(max(2, -(-size // _PARTITION))),
    }
    before = {name: spark.conf.get(name, None) for name in settings}
    for name, value in settings.items():
        spark.conf.set(name, value)
    try:
        yield
    finally:
        for name, value in before.items():
            spark.conf.set(name, value) if value is not None else spark.conf.unset(name)


def _refuse_value(files, query, format, size, is_planned):
    """Raises the UserError that names the line of a bad value, if one of the files has any.

    An error before the plan ``is_planned`` is none of a value in JSON lines or ORC.
    """
    for file in files if size <= _NAMED else ():
        file_format = format or source.format_of(file)
        if file_format in readers.FORMATS:
            readers.read(file, query, file_format)
        elif is_planned:
            refuse_value(file, query, file_format)
