"""Each segment of a stream gets its own tuples, and again those that its first windows need."""

import random

import pyarrow as pa
import pytest

from golden.order.arrival import ORDER
from host.spark.cuts import RowWindows, TimeWindows
from query.parser import parse
from sluice.operator.prepared import NUMBER, prepared, prepared_stream
from sluice.operator.segments import SEGMENT, divide
from tb.golden import reference

STREAM = "CREATE INPUT STREAM S (n int, x int, f float, t uint(64)); "
SCHEMA = f"{STREAM}SELECT sum(x), max(f) FROM S "
#: Reads no floats, so no tuple is dropped as a NaN.
INTEGERS = f"{STREAM}SELECT sum(x) FROM S "
COUNT, SIZE = 60, 13


def table(seed):
    """Returns tuples whose numbers of arrival are in the column ``n``."""
    rng = random.Random(seed)
    floats = (0.5, -0.0, float("nan"))
    return pa.table(
        {
            "n": range(COUNT),
            "x": [rng.randrange(-3, 6) for _ in range(COUNT)],
            "f": pa.array([rng.choice(floats) for _ in range(COUNT)], pa.float32()),
            "t": [max(0, 2 * n + rng.randrange(-9, 2)) for n in range(COUNT)],
        }
    )


@pytest.mark.in_turn
@pytest.mark.spark
@pytest.mark.parametrize(
    ("text", "start"),
    [
        (f"{SCHEMA}[ROWS 11 SLIDE 4] WHERE x > 0", None),
        (f"{INTEGERS}[ROWS 11 SLIDE 4]", None),
        (f"{SCHEMA}[RANGE 20 SLIDE 6 WATTR t SLACK 5] WHERE x > 0", None),
        (f"{SCHEMA}[RANGE 200 SLIDE 6 WATTR t SLACK 5]", 31),
    ],
)
def test_tuples_of_segments(spark, text, start):
    query, tuples = parse(f"{text};"), table(5).to_pylist()
    frame = spark.createDataFrame(table(5)).repartition(4)
    segments, copies = divide(query, prepared(query, frame, "n"), SIZE, start)
    actual = {(row[SEGMENT], row[NUMBER]) for row in copies.collect()}
    assert copies.count() == len(actual)
    arrived = [t for t in tuples if reference.arrives(query, t)]
    expected, window = set(), query.window
    for segment in range(-(-COUNT // SIZE)):
        expected |= {(segment, n) for n in range(COUNT) if n // SIZE == segment}
        earlier = [t for t in arrived if t["n"] < segment * SIZE]
        if isinstance(segments.windows, RowWindows):
            cut = RowWindows(window.size, window.slide).cut(len(earlier))
            replays = earlier[cut.threshold :]
        else:
            first = (arrived[0]["t"] - 5) // 6 * 6 if start is None else start
            windows = TimeWindows(window.size, window.slide, window.slack, "t", first)
            cut = windows.cut(max((t["t"] for t in earlier), default=None))
            replays = [t for t in earlier if t["t"] >= cut.threshold]
            assert segments.windows == windows
        assert segments.cuts[segment] == cut
        expected |= {(segment, t["n"]) for t in replays}
    assert actual == expected
    assert len(expected) > COUNT


@pytest.mark.in_turn
@pytest.mark.spark
def test_thousands_of_segments(spark):
    """Spark's compiler follows a plan by recursion; it must not depend on the segments."""
    rows = [{"n": n, "x": 1, "f": 0.5, "t": n} for n in range(6000)]
    query = parse(f"{SCHEMA}[ROWS 4 SLIDE 1];")
    frame = spark.createDataFrame(pa.Table.from_pylist(rows))
    segments, copies = divide(query, prepared(query, frame, "n"), 2, None)
    assert len(segments.cuts) == 3000
    # Windows that end in the segments from 5000, 5002 and 5004 on hold tuple 5001.
    assert copies.filter(copies[NUMBER] == 5001).count() == 3


@pytest.mark.spark
def test_a_stream_may_have_a_column_with_the_name_of_the_order(spark):
    query = parse("CREATE INPUT STREAM S (x int); SELECT sum(x) FROM S [ROWS 2 SLIDE 1];")
    rates = spark.readStream.format("rate").load()
    frame = rates.selectExpr("cast(value as int) x", "value n", f"'text' `{ORDER}`")
    tuples = prepared_stream(query, frame, "n")
    assert tuples.dtypes == [("c0", "bigint"), ("accepted", "boolean"), (ORDER, "bigint")]
