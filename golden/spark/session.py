"""Starts the Spark session of the golden answers, tuned for one machine and small jobs."""

import os
import signal
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from pyspark import SparkConf, SparkContext
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from golden.spark import class_archive
from query.errors import UserError

_NAME = "sluice-golden"  # application of a Spark that this module has started
_JAVA = "spark.driver.extraJavaOptions"
#: Environment variable of the locale. Java takes the encoding of files' names from it, and the
#: language of the system's error messages.
_LOCALE, _UTF_8 = "LC_ALL", "C.UTF-8"
_SETTINGS = {
    "spark.sql.shuffle.partitions": "2",
    "spark.default.parallelism": "2",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.ansi.enabled": "true",  # an overflow is an error, never a wrong row
    "spark.sql.caseSensitive": "true",  # the query language is case-sensitive, too
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    "spark.sql.legacy.parquet.nanosAsLong": "true",  # else Spark refuses the file for one column
    # Medians and lists of up to so many keys are hashed; by default Spark sorts from 128 keys on.
    "spark.sql.objectHashAggregate.sortBased.fallbackThreshold": "65536",
    "spark.driver.memory": "4g",
    "spark.driver.maxResultSize": "3g",  # a larger answer is refused
    "spark.log.level": "ERROR",
    # ORC has times without a zone, which Spark reads in the zone of the Java machine. Without UTC
    # an hour that a change of clocks leaves out would be mixed with the hour after it.
    "spark.executorEnv.TZ": "UTC",
    f"spark.executorEnv.{_LOCALE}": _UTF_8,
    _JAVA: "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Duser.timezone=UTC",
}
# Names the Python of local workers: this one with its packages, whatever the PATH holds.
_PYTHON = "PYSPARK_PYTHON"
_LOCAL = {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}


def session(master: str = "local[*]") -> SparkSession:
    """Returns the session on ``master``; starts it if there is none.

    Parameters
    ----------
    master : str
        ``local[*]``, ``local-cluster[...]`` or the address of a cluster. On a cluster of other
        machines Spark chooses the driver's address; on this machine the address is the loopback.

    Notes
    -----
    A process has one Spark. If the user's program has started Spark, the session has golden's
    settings of SQL in the user's Spark: ``master`` has no effect, the user's sessions stay as they
    are, and so do the memory, the locale and the time zone of Java. If this function has started
    Spark, a second call with another ``master`` stops this Spark and starts another; frames of the
    first session are then unusable. The handler of Ctrl-C stays the same, since PySpark's own
    handler calls a Java machine that may be busy or have ended.
    """
    context = SparkContext._active_spark_context
    if context is not None and context.appName != _NAME:
        return _session_in(context)
    if context is not None and context.master != master:
        SparkSession.builder.getOrCreate().stop()
    is_running = SparkContext._gateway is not None  # a Java machine takes options only once
    return start(master, [] if is_running else class_archive.java_options())


@cache
def _session_in(context):
    """Returns a session with golden's settings in a Spark that the user's program has started."""
    spark = SparkSession.builder.getOrCreate().newSession()
    for name, value in _SETTINGS.items():
        if name.startswith("spark.sql."):
            spark.conf.set(name, value)
    return spark


@contextmanager
def same_active_session() -> Iterator[None]:
    """Restores the active session at the end of the block: golden's frames make theirs active."""
    before = SparkSession.getActiveSession()
    try:
        yield
    finally:
        if before is not None and SparkContext._active_spark_context is before.sparkContext:
            SparkSession._activeSession = before
            before._jvm.SparkSession.setActiveSession(before._jsparkSession)


def start(master: str, java_options: list[str]) -> SparkSession:
    """Starts Spark on ``master``, and returns its session.

    Java gets ``java_options`` beside the options of this module. A Java machine that runs already
    keeps its options, and a Spark that runs already keeps its master. Local workers run the Python
    that ``PYSPARK_PYTHON`` names; for a local master it is set to this Python if it is not set.

    Raises UserError if PySpark cannot start, for instance without Java or a usable master.
    """
    scratch = tempfile.gettempdir()
    settings = _SETTINGS | {
        "spark.sql.warehouse.dir": f"{scratch}/sluice-warehouse",
        "spark.local.dir": scratch,
    }
    if master.startswith("local"):
        settings |= _LOCAL
        os.environ.setdefault(_PYTHON, sys.executable)
    options = " ".join([settings[_JAVA], *map(_quoted, java_options)])
    settings |= {_JAVA: options}
    conf = SparkConf().setMaster(master).setAppName(_NAME).setAll(list(settings.items()))
    handler = signal.getsignal(signal.SIGINT)
    try:
        with _java_locale():
            SparkContext.getOrCreate(conf)
    except PySparkException as error:  # such as no Java
        reason = f"{_first_line(error)} Is a Java runtime installed?"
        raise UserError(f"PySpark cannot start with the master {master}: {reason}") from None
    except Exception as error:
        if not hasattr(error, "java_exception"):
            raise
        reason = _first_line(error.java_exception.getMessage())  # an error in Java
        raise UserError(f"PySpark cannot start with the master {master}: {reason}") from None
    finally:
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, handler)
    return SparkSession.builder.getOrCreate()


@contextmanager
def _java_locale() -> Iterator[None]:
    """Gives a Java machine that starts in the block a locale whose names of files are UTF-8.

    Python takes names for UTF-8 with ``LC_ALL=C``, too, and Java for ASCII.
    """
    before = os.environ.get(_LOCALE)
    os.environ[_LOCALE] = _UTF_8
    try:
        yield
    finally:
        if before is None:
            del os.environ[_LOCALE]
        else:
            os.environ[_LOCALE] = before


def _first_line(message):
    return next(iter(str(message).splitlines()), "no message")


def _quoted(option):
    """Returns an option of Java as Spark reads it: a path may hold blanks."""
    escaped = option.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
