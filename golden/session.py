"""The Spark session of the golden answers, tuned for one machine and small jobs."""

import os
import signal
import sys
import tempfile
import threading

from pyspark import SparkConf, SparkContext
from pyspark.sql import SparkSession

_SETTINGS = {
    "spark.sql.shuffle.partitions": "2",
    "spark.default.parallelism": "2",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.ansi.enabled": "true",  # an overflow is an error, never a wrong row
    "spark.sql.caseSensitive": "true",  # as the query language is
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    "spark.sql.objectHashAggregate.sortBased.fallbackThreshold": "65536",
    "spark.driver.memory": "4g",
    "spark.driver.maxResultSize": "3g",  # an answer beyond it is refused
    "spark.log.level": "ERROR",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
}
# Of workers here: with this Python's packages, whatever the PATH says.
_PYTHON = "PYSPARK_PYTHON"
_LOCAL = {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}


def session(master="local[*]") -> SparkSession:
    """The session on ``master``, started when there is none yet.

    Parameters
    ----------
    master : str
        ``local[*]``, ``local-cluster[...]`` or the address of a cluster. On a real cluster the
        driver's address is left to Spark; on this machine it is the loopback.

    Notes
    -----
    A process has one session: a second call with another ``master`` stops the first. What happens
    on Ctrl-C stays as it was: PySpark's own way of it would call a JVM that is busy or gone.
    """
    running = SparkSession.getActiveSession()
    if running is not None and running.sparkContext.master != master:
        running.stop()
    scratch = tempfile.gettempdir()
    settings = _SETTINGS | {
        "spark.sql.warehouse.dir": f"{scratch}/sluice-warehouse",
        "spark.local.dir": scratch,
    }
    if master.startswith("local"):
        settings |= _LOCAL
        os.environ.setdefault(_PYTHON, sys.executable)
    conf = SparkConf().setMaster(master).setAppName("sluice-golden").setAll(settings.items())
    before = signal.getsignal(signal.SIGINT)
    try:
        SparkContext.getOrCreate(conf)
    finally:
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, before)
    return SparkSession.builder.getOrCreate()
