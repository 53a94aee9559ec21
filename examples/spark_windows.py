"""The windows of the example queries, written by hand with Spark's own functions.

Each function takes a DataFrame with the columns of its query, and where the window needs an order
also the column ``number``, which ascends in order of arrival: Spark's rows have no order. Its
docstring says where the rows differ from the query's. A test runs all functions beside
``sluice.answer`` and checks both the equal rows and the differences (tb/examples).

    spark-submit examples/spark_windows.py trades.parquet
"""

import sys

from pyspark.sql import DataFrame, SparkSession, Window
from pyspark.sql import functions as fn


def jobs(events: DataFrame) -> DataFrame:
    """Groups without a window, as in ``cluster_groupby.cql``.

    The rows are equal. Spark needs no sorted input, where an engine does.
    """
    return (
        events.groupBy("job")
        .agg(
            fn.min("cpu").alias("min(cpu)"),
            fn.max("cpu").alias("max(cpu)"),
            fn.sum("cpu").alias("sum(cpu)"),
            fn.count("*").alias("count(*)"),
            fn.countDistinct("cpu").alias("count(distinct cpu)"),
        )
        .orderBy("job")
    )


def trades_of_ten_minutes(trades: DataFrame) -> DataFrame:
    """Windows of time over the whole stream by ``window()``, as in ``range_trades_slack.cql``.

    Windows with trades that both have are equal, as long as no trade is late. The differences:

    - A late trade counts. ``window()`` of a batch job has no order of arrival, so it finds no trade
      late; the query drops trades that come more than SLACK out of order. (In Structured Streaming
      a watermark drops trades, too, but only between micro-batches, so the rows depend on how the
      stream was cut.)
    - A window without trades has no row here. The query has a row with the count 0.
    - Up to nine windows before the query's first one have rows here. They begin before the query's
      first window, and so hold trades of less than ten minutes.
    """
    time = fn.timestamp_seconds("Time")
    return (
        trades.where("Symbol = 'UBSN'")
        .groupBy(fn.window(time, "600 seconds", "60 seconds").alias("w"))
        .agg(fn.count("*").alias("Number"))
        .select(fn.unix_timestamp("w.end").alias("window_end"), "Number")
        .orderBy("window_end")
    )


def last_trades(trades: DataFrame, size: int = 1024, slide: int = 1) -> DataFrame:
    """Windows of rows over the whole stream by a window function, as in ``rows_trades.cql``.

    The rows are equal except the average. The differences:

    - A window function gives a row for every tuple: the filter leaves the complete windows, and of
      these every ``slide``-th.
    - One task orders and numbers the whole stream, however large the cluster is.
    - Spark's ``avg`` of integers is a double, and the query's an integer, rounded toward zero.
    - A window with GROUP BY, or with a median, cannot be written this way.
    """
    stream = Window.orderBy("number")
    frame = stream.rowsBetween(1 - size, 0)
    numbered = trades.select(
        fn.row_number().over(stream).alias("arrivals"),
        fn.count("*").over(frame).alias("count(*)"),
        fn.min("Price").over(frame).alias("min(Price)"),
        fn.max("Price").over(frame).alias("max(Price)"),
        fn.avg("Price").over(frame).alias("avg(Price)"),
    )
    window = (fn.col("arrivals") - size) / slide
    complete = numbered.where((fn.col("arrivals") >= size) & (window == fn.floor(window)))
    return complete.select(window.cast("long").alias("window"), *numbered.columns[1:])


def last_readings(readings: DataFrame, size: int = 8, slide: int = 2) -> DataFrame:
    """Windows of rows of each key by a window function, as in ``rows_per_key.cql``.

    The rows are equal except the average, and ``orderBy("number")`` gives them the query's order:
    that of the tuples that complete the windows. The differences:

    - Count-based slides need the filter on the key's own row number.
    - Spark's ``median`` refuses a frame of rows, and interpolates. Here each window is collected
      and sorted, so its median is a value that occurred, as in the query.
    - Spark's ``avg`` of decimals has four more digits, and the query's is rounded toward zero.
    - One task has all tuples of a key, however many they are.
    """
    of_key = Window.partitionBy("vehicle").orderBy("number")
    frame = of_key.rowsBetween(1 - size, 0)
    values = fn.sort_array(fn.collect_list("speed").over(frame))
    numbered = readings.select(
        "number",
        "vehicle",
        fn.row_number().over(of_key).alias("arrivals"),
        fn.avg("speed").over(frame).alias("avg(speed)"),
        fn.element_at(values, (size + 1) // 2).alias("median(speed)"),
    )
    window = (fn.col("arrivals") - size) / slide
    complete = numbered.where((fn.col("arrivals") >= size) & (window == fn.floor(window)))
    return complete.orderBy("number").select(
        window.cast("long").alias("window"), "vehicle", "avg(speed)", "median(speed)"
    )


def machines_of_five_minutes(events: DataFrame) -> DataFrame:
    """Windows of time of each key by ``window()``, as in ``range_per_key.cql``.

    The differences, beside those of `trades_of_ten_minutes`:

    - A window that is still open has a row here. In the query a window ends when a tuple of its key
      reaches the window's end, and a window that is open at the end of the data has no row.
    - The rows have no order of arrival, and the query's come when their windows end.
    """
    time = fn.timestamp_seconds("time")
    return (
        events.where("priority >= 9 AND (cpu > 0 OR ram > 0)")
        .groupBy("machine", fn.window(time, "5 minutes", "1 minute").alias("w"))
        .agg(
            fn.count("*").alias("tasks"),
            fn.sum("cpu").alias("cpu"),
            fn.expr("percentile_disc(0.95) WITHIN GROUP (ORDER BY ram)").alias("ram95"),
        )
        .select(fn.unix_timestamp("w.end").alias("window_end"), "machine", "tasks", "cpu", "ram95")
        .orderBy("machine", "window_end")
    )


if __name__ == "__main__":
    session = SparkSession.builder.appName("windows by hand").getOrCreate()
    trades_of_ten_minutes(session.read.parquet(sys.argv[1])).show(100)
