"""Checks long gaps in the times, and many overlapping windows.

Golden answers such a query, or refuses it in one line.
"""

import numpy as np
import pyarrow as pa
import pytest

from golden.answer import answer
from golden.tuples import Tuples, arrow_type
from query.errors import UserError
from query.parser import parse

pytestmark = pytest.mark.spark

RESULTS = "SELECT count(*), sum(x), avg(x) FROM S"


def rows_of(spark, text, times, start=None, time="int(48)"):
    """Returns the answer as a table; tuple n has x = 5 + n and k = n % 2."""
    query = parse(f"CREATE INPUT STREAM S (t {time}, k uint(8), x int); {text};")
    n = np.arange(len(times))
    columns = {"t": pa.array(times, pa.int64()), "k": pa.array(n % 2), "x": pa.array(5 + n)}
    table = {c.name: columns[c.name].cast(arrow_type(c.type)) for c in query.columns}
    return answer(query, spark, Tuples(query.schema, pa.table(table)), start)


def test_three_million_empty_windows(spark):
    """The tuples lie in the first, a middle and the last of 3,000,001 windows."""
    rows = rows_of(spark, f"{RESULTS} [RANGE 10 SLIDE 10 WATTR t]", [-7, 15_000_004, 29_999_990])
    numbers = np.arange(3_000_001)
    assert np.array_equal(rows["window"].to_numpy(), numbers)
    assert np.array_equal(rows["window_end"].to_numpy(), 10 * numbers)
    counts, sums = (rows[name].to_numpy() for name in ("count(*)", "sum(x)"))
    filled = [0, 1_500_001, 3_000_000]
    assert np.flatnonzero(counts).tolist() == np.flatnonzero(sums).tolist() == filled
    assert rows.take(filled).select(rows.column_names[2:]).to_pylist() == [
        {"count(*)": 1, "sum(x)": value, "avg(x)": value} for value in (5, 6, 7)
    ]
    assert rows["avg(x)"].null_count == 3_000_001 - 3


@pytest.mark.parametrize("start", [None, 3])
def test_wide_ends_of_empty_windows(spark, start):
    """The ends of windows of 64-bit times are decimals; one end lies beyond the type."""
    text = f"{RESULTS} [RANGE {1 << 61} SLIDE {1 << 61} WATTR t]"
    rows = rows_of(spark, text, [3, (1 << 63) - 1], start, "int(64)")
    first = (start or 0) + (1 << 61)
    assert [int(end) for end in rows["window_end"].to_pylist()] == [
        first + (k << 61) for k in range(4)
    ]
    assert rows["count(*)"].to_pylist() == [1, 0, 0, 1]


@pytest.mark.parametrize(
    ("times", "start", "gap"),
    [
        ([0, 1_700_000_000], None, "from 0 to 1700000000"),
        ([5, 4, 1_700_000_000, 1_600_000_009], None, "from 5 to 1600000009"),
        ([1_700_000_000, -9], 0, "from 0 to 1700000000"),  # -9 is before the start
    ],
)
def test_a_gap_that_is_too_long(spark, times, start, gap):
    with pytest.raises(UserError) as raised:
        rows_of(spark, f"{RESULTS} [RANGE 10 SLIDE 10 WATTR t]", times, start)
    assert str(raised.value) == (
        "t: windows with SLIDE 10 from 0 to 1700000000 are 170,000,001, and at most 100,000,000 "
        f"are answered; the longest gap is {gap}"
    )


@pytest.mark.parametrize("window", ["PARTITION BY k ", ""])
def test_a_gap_without_rows_is_no_gap(spark, window):
    """With groups or keys, only windows that hold a tuple have rows."""
    by = "" if window else " GROUP BY k"
    text = f"SELECT k, sum(x) FROM S [{window}RANGE 10 SLIDE 10 WATTR t]{by}"
    rows = rows_of(spark, text, [0, 1, 0, 1_700_000_000, 1_700_000_000, 1_700_000_010])
    last = [(170_000_000, 0, 9), (170_000_000, 1, 8), (170_000_001, 1, 10)]
    closed = [(0, 1, 6), (0, 0, 12), (170_000_000, 1, 8)]
    expected = closed if window else [(0, 0, 12), (0, 1, 6), *last]
    assert [(r["window"], r["k"], r["sum(x)"]) for r in rows.to_pylist()] == expected


@pytest.mark.in_turn
@pytest.mark.parametrize("window", ["PARTITION BY k ", ""])
def test_overlaps_are_copied_block_by_block(spark, window):
    """The tuple at 200,000 is in 200,001 windows of RANGE 2**40, the tuple at 0 in one window."""
    by = "" if window else " GROUP BY k"
    text = f"SELECT k, count(*) FROM S [{window}RANGE {1 << 40} SLIDE 1 WATTR t]{by}"
    closing = [1 << 41] * 2 if window else []
    rows = rows_of(spark, text, [0, 200_000, *closing], start=0)
    if window:
        keys = rows["k"].to_numpy()
        assert np.array_equal(rows["window"].to_numpy()[keys == 1], np.arange(200_001))
        assert rows["window"].to_numpy()[keys == 0].tolist() == [0]
    else:
        assert rows["window"].to_pylist() == [0, *range(200_001)]
        assert rows["k"].to_pylist() == [0] + [1] * 200_001


@pytest.mark.in_turn
@pytest.mark.parametrize("window", ["PARTITION BY k ", ""])
def test_windows_of_rows_that_hardly_fit(spark, window):
    """Golden does not make 10**10 pairs of tuple and window, since few windows are full."""
    tuples, size = (200_002, 100_000) if window else (100_001, 100_000)
    text = f"SELECT count(*), min(x) FROM S [{window}ROWS {size} SLIDE 1]"
    rows = rows_of(spark, text, range(tuples)).to_pylist()
    keys = (0, 1, 0, 1) if window else (0, 0)
    lows = (5, 6, 7, 8) if window else (5, 6)
    assert [(row["count(*)"], row["min(x)"], row.get("k", 0)) for row in rows] == [
        (size, low, key) for low, key in zip(lows, keys, strict=True)
    ]
    text = f"SELECT min(x) FROM S [{window}ROWS {(1 << 48) - 1} SLIDE 1]"
    assert rows_of(spark, text, [1, 2]).num_rows == 0


@pytest.mark.parametrize("window", ["PARTITION BY k ", ""])
def test_overlaps_that_are_too_many(spark, window):
    """The tuple at 0 is in one window, the tuple at 2**39 in 2**39 + 1 windows.

    With PARTITION BY only closed windows have a row.
    """
    by = "" if window else " GROUP BY k"
    text = f"SELECT k, count(*) FROM S [{window}RANGE {1 << 40} SLIDE 1 WATTR t]{by}"
    closing = [1 << 42] * 2 if window else []
    with pytest.raises(UserError) as raised:
        rows_of(spark, text, [0, 1 << 39, *closing], start=0)
    assert str(raised.value) == (
        f"[{window}RANGE {1 << 40} SLIDE 1 WATTR t]: a pane would be in {(1 << 39) + 1:,} "
        "windows, and at most 100,000,000 are possible"
    )


@pytest.mark.parametrize("window", ["PARTITION BY k ", ""])
def test_copies_that_are_too_many(spark, window):
    by = "" if window else " GROUP BY k"
    text = f"SELECT k, count(*) FROM S [{window}RANGE 99999999 SLIDE 1 WATTR t]{by}"
    closing = [300_000_000] * 2 if window else []
    with pytest.raises(UserError) as raised:
        rows_of(spark, text, [99_999_998 + i for i in range(102)] + closing, start=0)
    assert str(raised.value) == (
        f"[{window}RANGE 99999999 SLIDE 1 WATTR t]: 102 panes would have "
        f"{102 * 99_999_999:,} copies for windows, and at most 10,000,000,000 are possible"
    )


def test_windows_of_a_key_that_are_never_closed_cost_nothing(spark):
    text = f"SELECT k, count(*) FROM S [PARTITION BY k RANGE {1 << 40} SLIDE 1 WATTR t]"
    assert rows_of(spark, text, [0, 1 << 39], start=0).num_rows == 0
