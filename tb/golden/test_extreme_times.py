"""Checks times near the ends of their types against the reference, whose integers are unlimited."""

import random

import pyarrow as pa
import pytest

from golden.answer import full_answer
from golden.frames.results import user_schema
from golden.tuples import Tuples, arrow_type
from query.errors import UserError
from query.parser import parse
from tb.golden import reference

pytestmark = pytest.mark.spark

TOP, BOTTOM, UTOP = (1 << 63) - 1, -(1 << 63), (1 << 64) - 1
RESULTS = "SELECT count(*), sum(x), max(x) FROM S"


def compare(spark, time, text, times, start=None):
    """Compares rows and late tuples of a stream of times with the reference; returns the rows."""
    query = parse(f"CREATE INPUT STREAM S (t {time}, k uint(8), x int); {text};")
    rows = [{"t": t, "k": n % 2, "x": n} for n, t in enumerate(times)]
    table = {c.name: pa.array([r[c.name] for r in rows]) for c in query.columns if c.name != "t"}
    type_ = arrow_type(query.schema["t"].type)
    time_column = pa.array(times, pa.decimal128(38, 0)).cast(type_)
    table = {c.name: table.get(c.name, time_column) for c in query.columns}
    result = full_answer(query, spark, Tuples(query.schema, pa.table(table)), start)
    expected, late = reference.run(query, rows, start)
    actual = result.rows.to_pylist()
    assert [{k: int(v) for k, v in row.items() if v is not None} for row in actual] == [
        {k: v for k, v in row.items() if v is not None} for row in expected
    ]
    assert result.late == late
    return actual


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("time", "window", "times"),
    [
        ("int(64)", "[RANGE 10 SLIDE 10 WATTR t]", [TOP - 5, TOP]),
        ("int(64)", "[RANGE 10 SLIDE 3 WATTR t SLACK 30]", [BOTTOM, BOTTOM + 2, BOTTOM + 40]),
        ("uint(64)", "[RANGE 7 SLIDE 2 WATTR t SLACK 5]", [UTOP - 9, UTOP - 12, UTOP]),
        ("uint(64)", "[RANGE 10 SLIDE 10 WATTR t SLACK 30]", [0, 3, 17]),
        ("uint(64)", f"[RANGE {1 << 62} SLIDE {1 << 61} WATTR t]", [0, UTOP, 5]),
        ("int(64)", f"[RANGE {1 << 62} SLIDE {1 << 61} WATTR t SLACK {1 << 62}]", [BOTTOM, TOP, 0]),
        ("uint(63)", "[RANGE 10 SLIDE 10 WATTR t]", [TOP]),
        ("int(8)", "[RANGE 10 SLIDE 10 WATTR t SLACK 200]", [127, -128, 127]),
        # The first windows end before -(2**63), the last windows within int64.
        ("int(62)", f"[RANGE {1 << 60} SLIDE {1 << 60} WATTR t SLACK {TOP}]", [-(1 << 61), 9]),
        ("fixed(4,60)", "[RANGE 0.5 SLIDE 0.25 WATTR t SLACK 1]", [BOTTOM, TOP, 0]),
    ],
)
@pytest.mark.parametrize(
    "shape", ["stream", pytest.param("group", marks=pytest.mark.regress), "partition"]
)
def test_ends_of_types(spark, time, window, times, shape):
    text = f"{RESULTS} {window}"
    if shape == "group":
        text = f"{text} GROUP BY k"
    if shape == "partition":
        text = text.replace("[", "[PARTITION BY k ")
        times = [t for t in times for _ in "ab"]
    # The end of the stream closes no window of a key, so a short stream may have no row.
    assert compare(spark, time, text, times) or shape == "partition"


def test_the_last_window_ends_beyond_the_type(spark):
    """The time 2**63 - 1 lies in [2**63 - 8, 2**63 + 2), since 2**63 - 8 is a multiple of 10."""
    rows = compare(spark, "int(64)", f"{RESULTS} [RANGE 10 SLIDE 10 WATTR t]", [TOP])
    assert [int(row["window_end"]) for row in rows] == [(1 << 63) + 2]


@pytest.mark.in_turn
@pytest.mark.parametrize("shape", ["stream", "group"])
def test_a_distant_start(spark, shape):
    by = " GROUP BY k" if shape == "group" else ""
    text = f"{RESULTS} [RANGE {1 << 62} SLIDE {1 << 62} WATTR t]{by}"
    assert compare(spark, "int(64)", text, [TOP, BOTTOM, 0], start=BOTTOM)
    assert compare(spark, "int(64)", text, [BOTTOM, TOP], start=TOP)
    assert not compare(spark, "int(64)", text, [BOTTOM, 0], start=TOP)


@pytest.mark.in_turn
@pytest.mark.parametrize("seed", range(6))
def test_random_times_near_the_ends(spark, seed):
    rng = random.Random(f"ends {seed}")
    time, edge, inward = rng.choice(
        [("int(64)", TOP, -1), ("int(64)", BOTTOM, 1), ("uint(64)", UTOP, -1)]
    )
    times = [edge + inward * rng.randrange(60) for _ in range(30)]
    size = rng.randrange(1, 20)
    window = f"RANGE {size} SLIDE {rng.randrange(1, size + 1)} WATTR t SLACK {rng.randrange(40)}"
    partition = rng.choice(["", "PARTITION BY k "])
    assert compare(spark, time, f"{RESULTS} [{partition}{window}]", times) or partition


@pytest.mark.parametrize("by", [" GROUP BY k", "PARTITION"])
def test_windows_without_a_number(spark, by):
    window = (
        "[PARTITION BY k RANGE 1 SLIDE 1 WATTR t]"
        if by == "PARTITION"
        else "[RANGE 1 SLIDE 1 WATTR t]"
    )
    text = f"{RESULTS} {window}{'' if by == 'PARTITION' else by}"
    with pytest.raises(UserError) as raised:
        compare(spark, "uint(64)", text, [0, UTOP])
    assert str(raised.value) == (
        f"t: windows with SLIDE 1 from 0 to {UTOP} are {1 << 64:,}, and at most {TOP:,} are "
        f"answered; the longest gap is from 0 to {UTOP}"
    )


def test_a_distant_end_has_as_many_digits_as_it_needs():
    """With SLACK 100000 the first window of fixed(8,8) may end at -100,128."""
    schema = "CREATE INPUT STREAM S (t fixed(8,8), x int); SELECT sum(x) FROM S "
    query = parse(schema + "[RANGE 100 SLIDE 100 WATTR t SLACK 100000];")
    kind = user_schema(query).field("window_end").type
    assert kind.scale == 8
    assert kind.precision >= 8 + len("100128")
