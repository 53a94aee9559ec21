"""Checks frames of results: the rows of an engine as a user reads them, then its counts."""

from decimal import Decimal
from math import copysign

import numpy as np
import pyarrow as pa

from golden.frames.engine_values import COUNT, COUNTER, PART, result_batches
from query.parser import parse

QUERY = parse(
    "CREATE INPUT STREAM S (k fixed(4,1), x fixed(6,2), f float, t fixed(8,4));"
    "SELECT k, sum(x) AS s, max(f) AS f FROM S [PARTITION BY k RANGE 2 SLIDE 1 WATTR t];"
)


def test_rows_and_counts():
    """The raw end 24 of ``t fixed(8,4)`` is 1.5; a masked value is NULL; a count has no row."""
    raws = {
        "window": np.array([0, 1]),
        "window_end": np.array([24, 40]),
        "k": np.array([-1, 3]),
        "s": np.ma.array([5, 0], mask=[False, True]),
        "f": np.ma.array(np.float32([-0.0, 0]), mask=[False, True]),
    }
    batches = result_batches(QUERY, raws, {"late": 7, "tuples": 9}, 3)
    rows = pa.Table.from_batches(batches).to_pylist()
    tags = {PART: 3, COUNTER: None, COUNT: None}
    none = dict.fromkeys(raws)
    first = {"window": 0, "window_end": Decimal("1.5"), "k": Decimal("-0.5")}
    second = {"window": 1, "window_end": Decimal("2.5"), "k": Decimal("1.5")}
    expected = [
        first | {"s": Decimal("1.25"), "f": -0.0} | tags,
        second | {"s": None, "f": None} | tags,
        none | {PART: 3, COUNTER: "late", COUNT: 7},
        none | {PART: 3, COUNTER: "tuples", COUNT: 9},
    ]
    assert rows == expected
    assert copysign(1, rows[0]["f"]) == -1


def test_no_rows():
    """A part without rows has only its counts."""
    integers = np.array([], np.int64)
    raws = dict.fromkeys(("window", "window_end", "k", "s"), integers)
    raws["f"] = np.array([], np.float32)
    batches = result_batches(QUERY, raws, {"late": 7}, 3)
    rows = pa.Table.from_batches(batches).to_pylist()
    assert rows == [dict.fromkeys(raws) | {PART: 3, COUNTER: "late", COUNT: 7}]
