"""Makes the archive of Spark's classes: runs small jobs, and lets Java store the loaded classes.

``python -m golden.spark.class_training`` makes the archive of this Java and this PySpark, see
`golden.spark.class_archive`. Exit code 0 means that there is an archive. Otherwise the program
prints the reason in a line, and ends with 1.
"""

import sys
import tempfile

import pyarrow as pa
from pyspark.sql import SparkSession, Window
from pyspark.sql import functions as fn

from golden.spark import class_archive
from golden.spark.arrow_maps import map_batches
from golden.spark.session import start
from query.errors import UserError

_TUPLES = 1000


def train(options: list[str]) -> None:
    """Runs the jobs in a Java machine with ``options``, and waits until the machine has ended."""
    spark = start("local[2]", options)
    java = spark.sparkContext._gateway.proc
    try:
        with tempfile.TemporaryDirectory() as folder:
            run_jobs(spark, folder)
        spark.stop()
    finally:
        java.stdin.close()
        java.wait()


def run_jobs(spark: SparkSession, folder: str) -> None:
    """Runs jobs with the operators that answers use: files, groups, windows, joins, Arrow."""
    numbers = list(range(_TUPLES))
    table = pa.table({"n": numbers, "key": [n % 7 for n in numbers], "x": [n / 3 for n in numbers]})
    spark.createDataFrame(table).write.parquet(f"{folder}/tuples")
    df = spark.read.parquet(f"{folder}/tuples")
    df.write.csv(f"{folder}/texts", header=True)
    texts = spark.read.csv(f"{folder}/texts", header=True, schema=df.schema)
    groups = texts.groupBy("key").agg(
        fn.count("*").alias("count"),
        fn.sum(fn.col("n").cast("decimal(38,0)")).alias("sum"),
        fn.countDistinct("x").alias("distinct"),
        fn.expr("percentile_disc(0.5) within group (order by n)").alias("median"),
        fn.sort_array(fn.collect_list(fn.struct("n", "x"))).alias("values"),
    )
    groups.orderBy("key").toArrow()
    by_key = Window.partitionBy("key").orderBy("n")
    running = df.withColumn("greatest", fn.max("x").over(by_key.rowsBetween(-9, 0)))
    running = running.withColumn("place", fn.row_number().over(by_key))
    running.withColumn("window", fn.explode(fn.sequence("n", fn.col("n") + 3))).groupBy(
        "window", "key"
    ).agg(fn.min("n"), fn.max("greatest"), fn.avg("place")).orderBy("window", "key").toArrow()
    joined = running.join(groups, "key").select(*running.columns, "median")
    map_batches(joined, lambda batches: batches, joined.schema).write.parquet(f"{folder}/rows")


def _main() -> int:
    try:
        archive = class_archive.make(train)
    except (UserError, OSError) as error:
        print(f"sluice: no archive of Spark's classes: {error}", file=sys.stderr)
        return 1
    if archive is None:
        print("sluice: Java writes no archive of Spark's classes", file=sys.stderr)
    return 0 if archive else 1


if __name__ == "__main__":
    sys.exit(_main())
