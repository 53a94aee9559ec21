"""Computes the kind `time-groups` by Spark's own `window()`, as a job without Sluice does it."""

import sys

from pyspark.sql import functions as fn

from golden.spark.session import session
from tb.golden.large.data import BEGIN


def main() -> None:
    """Reads the Parquet file of the first argument, and writes the directory of the second.

    The session is that of Sluice with adaptive execution, so that only the windows differ.
    """
    source, target = sys.argv[1:]
    spark = session("local[*]")
    spark.conf.set("spark.sql.adaptive.enabled", "true")
    window = fn.window(fn.timestamp_seconds("d"), "600 seconds", "60 seconds")
    windows = spark.read.parquet(source).groupBy(window, "g")
    rows = windows.agg(fn.count("*").alias("n"), fn.sum("x").alias("s"), fn.max("x").alias("m"))
    rows = rows.where(fn.unix_timestamp("window.start") >= BEGIN).orderBy("window", "g")
    rows.write.mode("overwrite").parquet(target)


if __name__ == "__main__":
    main()
