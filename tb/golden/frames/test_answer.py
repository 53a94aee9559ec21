"""Checks answers over frames against `tb.golden.reference`, however the tuples are partitioned."""

import random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import functions as fn

from golden.frames.answer import FrameAnswer, answer
from golden.order import arrival
from golden.plans import key_scan
from query.errors import UserError
from query.parser import parse
from tb.golden import reference
from tb.golden.frames.split_frames import ORDER, UNION, raw_rows, split_frame, user_table
from tb.golden.random_queries import SCHEMA, check, random_query, random_tuples

pytestmark = pytest.mark.spark

KINDS = pytest.mark.parametrize(
    "kind", ["whole", "rows", "partition rows", "range", "partition range"]
)


@pytest.fixture
def any_size(monkeypatch, spark, interpreted):
    """Answers a small frame as a large one, with big keys."""
    monkeypatch.setattr(arrival, "SMALL", 0)
    monkeypatch.setattr(arrival, "_BUCKETS", 5)
    monkeypatch.setattr(key_scan, "SECTION", 16)
    spark.conf.set(UNION, "false")
    yield
    spark.conf.unset(UNION)


def check_seeds(spark, kind, seeds):
    for seed in seeds:
        rng = random.Random(f"{kind} {seed}")
        query = random_query(rng, kind)
        count = rng.choice([0, 1, 5, 40, 80]) * (3 if kind == "partition rows" else 1)
        tuples = random_tuples(rng, SCHEMA.columns, count)
        start = rng.choice([None, None, -5, 20]) if kind.endswith("range") else None
        expected, late = reference.run(query, tuples, start)
        parts, in_order = rng.choice([1, 2, 7]), rng.random() < 0.5
        frame = split_frame(spark, user_table(query, tuples), rng, parts, in_order)
        computed = FrameAnswer.of(query, frame, ORDER, start)
        check(query, expected, raw_rows(query, computed.rows()), seed)
        assert computed.late_count() == late, seed


#: Seeds with at least 40 tuples in two partitions, and more than 12 rows.
DAILY = {
    "whole": 1008, "rows": 1040, "partition rows": 1019, "range": 1009, "partition range": 1003,
}  # fmt: skip


@pytest.mark.in_turn
@KINDS
def test_random_streams(spark, kind, any_size):
    check_seeds(spark, kind, [DAILY[kind]])


@pytest.mark.regress
@KINDS
def test_two_thousand_random_streams(spark, kind, any_size):
    check_seeds(spark, kind, range(400))


COLUMNS = "CREATE INPUT STREAM S (t int, k uint(8), x int); "
WINDOWS = {
    "rows": "SELECT k, sum(x) FROM S [ROWS 30 SLIDE 10] GROUP BY k;",
    "each row": "SELECT sum(x) FROM S [ROWS 30 SLIDE 1];",
    "partition each row": "SELECT k, sum(x) FROM S [PARTITION BY k ROWS 30 SLIDE 1];",
    "range": "SELECT count(*) FROM S [RANGE 60 SLIDE 20 WATTR t];",
    "grouped range": "SELECT k, max(x) FROM S [RANGE 60 SLIDE 20 WATTR t] GROUP BY k;",
    "partition rows": "SELECT k, sum(x) FROM S [PARTITION BY k ROWS 40 SLIDE 10];",
    "partition range": "SELECT k, sum(x) FROM S [PARTITION BY k RANGE 60 SLIDE 20 WATTR t];",
    "median": "SELECT k, median(x) FROM S [ROWS 30 SLIDE 10] GROUP BY k;",
    "whole": "SELECT k, sum(x) FROM S GROUP BY k;",
}


#: Times of a file: in order, and far from it.
ORDERED, DISORDERED = "id", "(id * 37) % 900"


@pytest.mark.parametrize(
    ("window", "time"),
    [
        ("range", DISORDERED),
        *(
            pytest.param(window, time, marks=pytest.mark.regress)
            for window, time in [
                ("rows", ORDERED),
                ("each row", ORDERED),
                ("partition each row", ORDERED),
                ("range", ORDERED),
                ("grouped range", ORDERED),
                ("grouped range", DISORDERED),
                ("partition rows", ORDERED),
                ("partition range", ORDERED),
                ("partition range", DISORDERED),
                ("median", ORDERED),
                ("whole", ORDERED),
            ]
        ),
    ],
)
def test_no_exchange_to_one_partition(spark, tmp_path, any_size, window, time):
    """Reads the plan: only panes are exchanged, or the tuples of keys, by their hashes."""
    path = str(tmp_path / "data")
    ordered = spark.range(0, 900, numPartitions=3)
    ordered.selectExpr(f"cast({time} as int) t", "id % 5 as k", "id as x").write.parquet(path)
    rows = answer(parse(COLUMNS + WINDOWS[window]), spark.read.parquet(path))
    plan = rows._jdf.queryExecution().executedPlan().toString()
    lines = [line.strip(" +-:*()0123456789") for line in plan.splitlines()]
    steps = [line.split("(")[0].split(" ")[0] for line in lines]  # from the last to the first
    single = [line for line in lines if "SinglePartition" in line]
    assert single == []
    first = len(steps) - 1 - steps[::-1].index("Exchange")
    aggregated = any(step.endswith("Aggregate") for step in steps[first:])
    assert aggregated or window.startswith("partition"), steps


def frame_of(spark, *rows):
    return spark.createDataFrame(list(rows), "t int, k int, x int, at long")


@pytest.mark.parametrize(
    ("order", "message"),
    [
        (None, "the order of arrival is unknown, because the tuples are not read from files"),
        ("when", "order: there is no column when, only: t, k, x, at"),
    ],
)
def test_an_order_that_is_unknown(spark, order, message):
    with pytest.raises(UserError, match=message):
        answer(parse(COLUMNS + WINDOWS["rows"]), frame_of(spark, (1, 1, 1, 1)), order)


@pytest.mark.in_turn
def test_columns_with_the_names_of_the_order(spark, tmp_path):
    """Tuples may have columns with the names #order and #file, which golden itself adds."""
    query = parse(COLUMNS + "SELECT sum(x) AS s FROM S [ROWS 2 SLIDE 1];")
    rows = [(3 - n, 0, n, n, n) for n in range(3)]
    frame = spark.createDataFrame(rows, "t int, k int, x int, a int, b int")
    named = frame.withColumnsRenamed({"a": "#order", "b": "a `b`"})
    in_order = answer(query, frame, "t").collect()
    assert [row["s"] for row in in_order] == [3, 1]
    assert answer(query, named, "t").collect() == in_order
    assert answer(query, named.withColumn("#order", named["t"]), "#order").collect() == in_order
    for name in ("1", "2"):
        frame.withColumnRenamed("a", "#file").coalesce(1).write.parquet(str(tmp_path / name))
    files = spark.read.parquet(str(tmp_path / "1"), str(tmp_path / "2"))
    assert answer(query, files).collect() == answer(query, files.drop("#file")).collect()


def test_a_column_that_hides_the_position_in_files(spark, tmp_path):
    path = str(tmp_path / "data")
    frame_of(spark, (1, 1, 1, 5)).withColumnRenamed("at", "_metadata").write.parquet(path)
    with pytest.raises(UserError, match="a column with the name _metadata hides the position"):
        answer(parse(COLUMNS + WINDOWS["rows"]), spark.read.parquet(path))


def test_tuples_at_the_same_place_of_the_order(spark, interpreted):
    rows = answer(
        parse(COLUMNS + WINDOWS["rows"]), frame_of(spark, (1, 1, 1, 5), (2, 1, 1, 5)), "at"
    )
    with pytest.raises(Exception, match="two tuples have the value 5 in the column of the order"):
        rows.collect()


def test_an_order_with_nulls(spark):
    with pytest.raises(UserError, match="the column of the order has 1 values that are NULL"):
        answer(parse(COLUMNS + WINDOWS["rows"]), frame_of(spark, (1, 1, 1, None)), "at")


def test_groups_need_no_order(spark, interpreted):
    rows = answer(parse(COLUMNS + WINDOWS["whole"]), frame_of(spark, (1, 1, 4, 1), (1, 1, 5, 1)))
    assert [tuple(row) for row in rows.collect()] == [(0, 1, 9)]


@pytest.mark.in_turn
def test_files_are_in_order_of_their_paths(spark, tmp_path, any_size):
    """The second file is the longest, so Spark puts it into the first partition."""
    numbers = [range(0, 3), range(3, 4000), range(4000, 4002), range(4002, 4100)]
    for place, part in enumerate(numbers):
        rows = [(7 * n, n % 3, n, n) for n in part]
        folder = str(tmp_path / f"part{place}")
        spark.createDataFrame(rows, "t int, k int, x int, at long").coalesce(1).write.parquet(
            folder
        )
    frame = spark.read.parquet(*(str(tmp_path / f"part{place}") for place in (2, 0, 3, 1)))
    query = parse(COLUMNS + "SELECT min(x), max(x) FROM S [ROWS 10 SLIDE 10] WHERE x != 3;")
    actual_rows = [tuple(row) for row in answer(query, frame).collect()]
    passing_values = [n for n in range(4100) if n != 3]
    assert actual_rows == [
        (j, passing_values[10 * j], passing_values[10 * j + 9]) for j in range(409)
    ]


@pytest.mark.in_turn
def test_files_of_equal_length_in_any_order_of_their_sizes(spark, tmp_path, interpreted):
    """Spark packs the largest files first, so runs of equal shifts are not beside each other."""
    for place, padding in enumerate((5000, 10, 3000, 4000, 20, 30)):
        texts = random.Random(place).randbytes(padding).hex()
        rows = [(0, 0, 4 * place + n, texts) for n in range(4)]
        frame = spark.createDataFrame(rows, "t int, k int, x int, padding string")
        frame.coalesce(1).write.parquet(str(tmp_path / f"part{place}"))
    frame = spark.read.parquet(*(str(tmp_path / f"part{place}") for place in range(6)))
    query = parse(COLUMNS + "SELECT count(*), min(x), max(x) FROM S [ROWS 4 SLIDE 4];")
    actual_rows = [tuple(row) for row in answer(query, frame).collect()]
    assert actual_rows == [(j, 4, 4 * j, 4 * j + 3) for j in range(6)]


@pytest.mark.in_turn
def test_more_executors_after_the_tuples_were_numbered(spark, tmp_path, any_size):
    """The splits of the files stay, so each tuple has the same number in each job."""
    spark.range(4000).selectExpr(
        "cast(id as int) as t", "0 as k", "cast(id as int) as x", "id as at"
    ).coalesce(1).write.parquet(str(tmp_path / "tuples"))
    query = parse(COLUMNS + "SELECT min(x), max(x) FROM S [ROWS 1000 SLIDE 1000];")
    setting, smallest = "spark.sql.leafNodeDefaultParallelism", "spark.sql.files.maxPartitionBytes"
    spark.conf.set(smallest, "1024")
    spark.conf.set("spark.sql.files.openCostInBytes", "0")
    try:
        for order in ("at", None):
            spark.conf.set(setting, "2")
            rows = answer(query, spark.read.parquet(str(tmp_path / "tuples")), order)
            spark.conf.set(setting, "4")
            actual_rows = [tuple(row) for row in rows.collect()]
            assert actual_rows == [(j, 1000 * j, 1000 * j + 999) for j in range(4)]
    finally:
        for name in (setting, smallest, "spark.sql.files.openCostInBytes"):
            spark.conf.unset(name)


def test_the_end_of_a_window_fits_but_its_begin_is_far_from_the_first(spark, interpreted):
    """The difference between the begins of the first and the last window exceeds an int64."""
    query = parse(
        "CREATE INPUT STREAM S (t int(63), x int); SELECT count(*) FROM S "
        f"[RANGE {1 << 61} SLIDE {1 << 61} WATTR t SLACK 1];"
    )
    times = [-(1 << 62), (1 << 62) - 1]
    frame = spark.createDataFrame([(t, 0, t) for t in times], "t long, x int, at long")
    rows = [tuple(row) for row in answer(query, frame, "at").collect()]
    first = -3 << 61
    assert [row[1] for row in rows] == [first + (k + 1 << 61) for k in range(len(rows))]
    assert sum(row[2] for row in rows) == 2
    assert len(rows) == 5


@pytest.mark.in_turn
def test_a_table_with_buckets(spark, any_size):
    """A table with buckets gives the rows of its files in order, in each job.

    Spark may read a table by its buckets in one job and by its files in another, which depends on
    the plan. So the test also checks the setting that forbids buckets.
    """
    even, odd = (
        next(k for k in range(50) if spark.sql(f"SELECT pmod(hash({k}), 2)").head()[0] == half)
        for half in range(2)
    )
    # The second bucket is the larger file, so it is the first of the files.
    rows = [(n, even, float(n), 1000 + n) for n in range(6)]
    rows += [(n, odd, float(n), n) for n in range(402)]
    frame = spark.createDataFrame(rows, "t int, k int, x float, at long").repartition(1)
    query = parse(
        "CREATE INPUT STREAM S (t int, k int, x float); "
        "SELECT k, count(*), max(x) FROM S [ROWS 4 SLIDE 4] GROUP BY k;"
    )
    spark.conf.set("spark.sql.adaptive.enabled", "true")
    try:
        frame.sortWithinPartitions("at").write.bucketBy(2, "k").saveAsTable("buckets")
        actual_rows = sorted(
            tuple(row) for row in answer(query, spark.table("buckets"), "at").collect()
        )
    finally:
        spark.conf.unset("spark.sql.adaptive.enabled")
        spark.sql("DROP TABLE IF EXISTS buckets")
    middle = sorted([(100, even, 2, 1.0), (100, odd, 2, 401.0)])
    full = [(j, odd, 4, 4.0 * j + 3) for j in range(100)]
    assert actual_rows == [*full, *middle, (101, even, 4, 5.0)]
    setting = "spark.sql.sources.bucketing.autoBucketedScan.enabled"
    assert spark.conf.get(setting) == "false"


def test_a_file_that_is_there_twice(spark, tmp_path, interpreted):
    (tmp_path / "a.csv").write_text("t,k,x\n1,2,3\n4,5,6\n")
    place = str(tmp_path / "a.csv")
    frame = spark.read.csv([place, place], schema="t int, k int, x int", header=True).coalesce(1)
    query = parse(COLUMNS + "SELECT count(*) FROM S [ROWS 2 SLIDE 2];")
    with pytest.raises(UserError, match=r"the order of arrival is unknown|is a file there twice"):
        answer(query, frame).collect()


@pytest.mark.parametrize("folder", [False, True])
def test_one_large_file_that_is_there_twice(spark, tmp_path, interpreted, folder):
    """Spark sorts splits by their length, so the parts of both copies alternate."""
    query = parse(COLUMNS + "SELECT count(*) FROM S [ROWS 2 SLIDE 2];")
    columns = {name: pa.array(range(5000), pa.int32()) for name in ("t", "k", "x")}
    pq.write_table(pa.table(columns), tmp_path / "a.parquet", row_group_size=500)
    place = str(tmp_path / "a.parquet")
    assert answer(query, spark.read.parquet(place)).count() == 2500
    frame = spark.read.parquet(place, str(tmp_path) if folder else place)
    assert frame.count() == 10000
    with pytest.raises(UserError, match=r"the order of arrival is unknown, because .* twice"):
        answer(query, frame)


@pytest.mark.parametrize("order", [None, "t"])
def test_a_frame_whose_rows_depend_on_the_columns_of_a_job(spark, tmp_path, interpreted, order):
    """The job that counts the tuples would count the line of a text that is no number."""
    (tmp_path / "a.csv").write_text("t,k,x\n1,1,1\n2,1,oops\n3,1,2\n4,1,3\n")
    query = parse(COLUMNS + "SELECT k, count(*), sum(x) FROM S [ROWS 4 SLIDE 4] GROUP BY k;")
    reader = spark.read.option("header", True).schema("t int, k int, x int")
    frame = reader.option("mode", "DropMalformed").csv(str(tmp_path / "a.csv"))
    with pytest.raises(UserError, match=r"^mode=dropmalformed: Spark then reads other rows"):
        answer(query, frame, order)
    assert answer(query, frame.cache(), order).count() == 0
    frame.unpersist()
    ignoring = reader.option("ignoreCorruptFiles", True).csv(str(tmp_path / "a.csv"))
    with pytest.raises(UserError, match=r"^ignorecorruptfiles=true: Spark then reads"):
        answer(query, ignoring, order)
    groups = parse(COLUMNS + "SELECT k, count(*), sum(x) FROM S GROUP BY k;")
    if order is None:
        assert [tuple(row) for row in answer(groups, frame).collect()] == [(0, 1, 3, 6)]


def test_a_directory_without_a_file_has_no_tuples(spark, tmp_path, interpreted):
    query = parse(COLUMNS + "SELECT count(*), sum(x) FROM S [ROWS 4 SLIDE 4];")
    frame = spark.read.schema("t int, k int, x int").parquet(str(tmp_path))
    assert answer(query, frame).collect() == []


def test_texts_with_a_collation_are_compared_byte_by_byte(spark, interpreted):
    query = parse(
        "CREATE INPUT STREAM S (k string(4), x int); "
        'SELECT k, count(*), max(x) FROM S WHERE k != "b" GROUP BY k;'
    )
    rows = [("a", 1), ("A", 2), ("a ", 4), ("B", 8), ("b", 16)]
    frame = spark.createDataFrame(rows, "k string, x int")
    for collation in ("UTF8_LCASE", "UTF8_BINARY_RTRIM", "UNICODE_CI"):
        collated = frame.withColumn("k", fn.collate("k", collation))
        actual_rows = sorted(tuple(row) for row in answer(query, collated).collect())
        expected = [(0, "A", 1, 2), (0, "B", 1, 8), (0, "a", 1, 1), (0, "a ", 1, 4)]
        assert actual_rows == expected, collation


def test_a_streaming_frame_is_refused(spark):
    """The error names `sluice.windows`, which runs an engine over a streaming frame."""
    frame = spark.readStream.format("rate").load().withColumnsRenamed({"value": "x"})
    query = parse("CREATE INPUT STREAM S (x int(64)); SELECT x, count(*) FROM S GROUP BY x;")
    for order in (None, "timestamp"):
        with pytest.raises(UserError, match="a streaming frame has no answer"):
            answer(query, frame, order)


@pytest.mark.in_turn
@pytest.mark.parametrize("function", ["current_timestamp()", "now()", "localtimestamp()"])
def test_a_frame_that_depends_on_the_time_of_day(spark, tmp_path, function):
    """All jobs see the time of the call, or with ``order`` that at which the frame was saved."""
    query = parse(
        "CREATE INPUT STREAM S (x int(64), id int(64));"
        "SELECT min(x), max(x), count(*) FROM S [ROWS 2 SLIDE 2];"
    )
    spark.range(100).repartition(2).write.parquet(str(tmp_path / "ids"))
    time = fn.expr(f"unix_micros(timestamp({function}))")
    timed = spark.read.parquet(str(tmp_path / "ids")).withColumn("x", time)
    for frame, order in (
        (timed, None),
        (timed, "id"),
        (timed.filter("x % 7 >= 0"), None),
        (spark.range(100).join(timed, "id"), "id"),
    ):
        rows = answer(query, frame, order)
        later_time = spark.range(1).select(time).head()[0]
        times = {time for row in rows.collect() for time in row[1:3]}
        assert (rows.count(), len(times)) == (50, 1)
        assert max(times) < later_time
    saved = timed.persist()
    assert saved.count() == 100
    assert {row[1] for row in answer(query, saved, "id").collect()} == {saved.head()["x"]}
    saved.unpersist()
