"""Windows written by hand in Spark, beside golden: the equal rows, and each stated difference."""

import random
from decimal import Decimal
from math import trunc
from pathlib import Path

import pyarrow as pa
import pytest

import sluice
from examples import spark_windows

EXAMPLES = Path(__file__).parents[2] / "examples"
pytestmark = pytest.mark.spark


def golden(query, table):
    """Returns golden's rows of an example, or of a query's text, as dicts."""
    query = sluice.parse(query) if " " in query else sluice.load(EXAMPLES / f"{query}.cql")
    return sluice.answer(query, table, master="local[2]").to_pylist()


def by_hand(spark, window, table, *arguments):
    """Returns the rows of a function of the example, over the tuples in a random order."""
    order = list(range(table.num_rows))
    random.Random(1).shuffle(order)
    frame = spark.createDataFrame(table.take(order)).repartition(3)
    return window(frame, *arguments).toArrow().to_pylist()


def trades(rng, count, step=40):
    """Returns trades in order of time, with gaps of more than ten minutes."""
    times, time = [], 10_007
    for _ in range(count):
        time += rng.choice((0, step, step, 1500)) if rng.random() < 0.2 else rng.randrange(step)
        times.append(time)
    prices = [rng.randrange(-50, 50) for _ in times]
    symbols = [rng.choice(("UBSN", "NESN")) for _ in times]
    numbers = range(count)
    columns = {"Symbol": symbols, "Price": prices, "Volume": prices, "Time": times}
    return pa.table(columns | {"number": pa.array(numbers)})


def test_jobs(spark):
    rng = random.Random(2)
    cpu = pa.array([Decimal(rng.randrange(64)) / 64 for _ in range(200)], pa.decimal128(20, 8))
    ones = [1] * 200
    table = pa.table(
        {"time": ones, "job": [rng.randrange(9) for _ in ones], "event": ones, "priority": ones}
    ).append_column("cpu", cpu)
    expected = golden("cluster_groupby", table)
    for row in expected:
        assert row.pop("window") == 0
    assert by_hand(spark, spark_windows.jobs, table) == expected


@pytest.mark.in_turn
def test_trades_of_ten_minutes(spark):
    table = trades(random.Random(3), 120)
    rows = {row["window_end"]: row["Number"] for row in golden("range_trades_slack", table)}
    actual = by_hand(spark, spark_windows.trades_of_ten_minutes, table)
    counts = {row["window_end"]: row["Number"] for row in actual}
    common = rows.keys() & counts.keys()
    assert common
    assert {end: rows[end] for end in common} == {end: counts[end] for end in common}
    empty = {end for end, count in rows.items() if not count}
    assert empty
    assert rows.keys() - counts == empty
    first = min(rows)
    assert sorted(counts.keys() - rows) == [
        end for end in range(first - 540, first, 60) if end in counts
    ]
    assert counts.keys() - rows


@pytest.mark.in_turn
def test_a_late_trade_counts_by_hand(spark):
    """A trade of the first minute arrives last: the query drops it, and window() counts it."""
    times = [60, 90, 700, 60]
    ones = [1] * 4
    table = pa.table({"Symbol": ["UBSN"] * 4, "Price": ones, "Volume": ones, "Time": times})
    rows = {row["window_end"]: row["Number"] for row in golden("range_trades_slack", table)}
    actual = by_hand(spark, spark_windows.trades_of_ten_minutes, table)
    counts = {row["window_end"]: row["Number"] for row in actual}
    assert (rows[600], counts[600]) == (2, 3)
    assert (rows[660], counts[660]) == (2, 3)
    assert rows[720] == counts[720] == 1


@pytest.mark.parametrize(("size", "slide"), [(8, 1), (7, 3), (1, 1)])
def test_last_trades(size, slide, spark):
    table = trades(random.Random(4), 40)
    query = (
        (EXAMPLES / "rows_trades.cql").read_text().replace("1024 SLIDE 1", f"{size} SLIDE {slide}")
    )
    actual = by_hand(spark, spark_windows.last_trades, table, size, slide)
    for row in actual:
        row["avg(Price)"] = trunc(row["avg(Price)"])
    assert sorted(actual, key=lambda row: row["window"]) == golden(query, table)


def test_windows_of_rows_need_one_task(spark):
    frame = spark.createDataFrame(trades(random.Random(4), 40))
    plan = spark_windows.last_trades(frame)._jdf.queryExecution().executedPlan().toString()
    assert "SinglePartition" in plan


def test_last_readings(spark):
    rng = random.Random(5)
    count = 150
    speed = [Decimal(rng.randrange(4096)) / 64 for _ in range(count)]
    table = pa.table(
        {
            "ts": list(range(count)),
            "vehicle": [rng.choice((1, 1, 2, 3)) for _ in range(count)],
            "speed": pa.array(speed, pa.decimal128(20, 8)),
            "number": list(range(count)),
        }
    )
    actual = by_hand(spark, spark_windows.last_readings, table)
    for row in actual:
        row["avg(speed)"] = Decimal(trunc(row["avg(speed)"] * 65536)) / 65536
    assert len(actual) > 20
    assert actual == golden("rows_per_key", table)


def test_machines_of_five_minutes(spark):
    """The query has the rows of the windows that a tuple of their machine has ended."""
    rng = random.Random(6)
    count = 200
    times = sorted(rng.randrange(3000) for _ in range(count))
    share = [Decimal(rng.randrange(32)) / 64 for _ in range(count)]
    table = pa.table(
        {
            "time": times,
            "machine": [rng.randrange(4) for _ in range(count)],
            "priority": [rng.choice((0, 9, 11)) for _ in range(count)],
            "cpu": pa.array(share, pa.decimal128(20, 8)),
            "ram": pa.array(share[::-1], pa.decimal128(20, 8)),
        }
    )
    actual = by_hand(spark, spark_windows.machines_of_five_minutes, table)
    rows = golden("range_per_key", table)
    first = rows[0]["window_end"] - 300 - 60 * rows[0]["window"]  # start of window 0
    last = {}
    for row in table.to_pylist():
        if row["priority"] >= 9 and (row["cpu"] > 0 or row["ram"] > 0):
            last[row["machine"]] = row["time"]
    ended_rows = [
        row for row in actual
        if row["window_end"] <= last[row["machine"]] and row["window_end"] - 300 >= first
    ]  # fmt: skip
    for row in rows:
        del row["window"]
    assert 20 < len(ended_rows) < len(actual)
    assert ended_rows == sorted(rows, key=lambda row: (row["machine"], row["window_end"]))
