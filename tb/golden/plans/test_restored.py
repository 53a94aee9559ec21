"""Checks windows of restored values by PySpark: the example of docs/codecs.md, computed by hand."""

from itertools import pairwise

import pyarrow as pa
import pytest

from golden.answer import full_answer
from golden.codecs import blocks
from golden.codecs.sz import Sz
from golden.tuples import Tuples, arrow_type
from query.parser import parse

VALUES = [1000, 1005, 1020, 1040, 1100, 1195, 1 << 40, -5]
RESTORED = [1000, 1000, 1020, 1040, 1100, 1200, 1 << 40, -5]


@pytest.mark.spark
def test_windows_aggregate_restored_values(spark):
    """Compresses each key by itself: two keys get the same values in turn."""
    query = parse(
        "CREATE INPUT STREAM S (k uint(8), x int(64));"
        "SELECT k, sum(x), max(x) FROM S [PARTITION BY k ROWS 2 SLIDE 1];"
    )
    values = {"k": [3, 4] * len(VALUES), "x": [x for x in VALUES for _ in range(2)]}
    tuples = Tuples(query.schema, pa.table({name: pa.array(v) for name, v in values.items()}))
    for codec, restored in ((None, VALUES), (Sz(), RESTORED)):
        rows = full_answer(query, spark, tuples, codec=codec).rows.to_pylist()
        actual = [(row["k"], int(row["sum(x)"]), row["max(x)"]) for row in rows]
        assert actual == [(k, a + b, max(a, b)) for a, b in pairwise(restored) for k in (3, 4)]


@pytest.mark.in_turn
@pytest.mark.spark
@pytest.mark.parametrize(
    ("type_", "items"),
    [("double", "avg(x), max(x)"), ("double", "avg(x)"), ("float", "avg(x), max(x)"),
     ("float", "max(x)")],
)  # fmt: skip
def test_averages_of_restored_floats(spark, type_, items):
    """A bound of 0.25 in units of 2^-4: 1.5 and 2.25 are restored as the values before them."""
    query = parse(
        f"CREATE INPUT STREAM S (k uint(8), x {type_});"
        f"SELECT k, {items} FROM S [PARTITION BY k ROWS 2 SLIDE 1];"
    )
    x = pa.array([1.25, 1.5, 2.0, 2.25], arrow_type(query.schema["x"].type))
    tuples = Tuples(query.schema, pa.table({"k": [3] * 4, "x": x}))
    model = Sz(query.schema["x"].type.width, kind="float", exponent=-4, absolute=4, relative=0)
    restored = [1.25, 1.25, 2.0, 2.0]
    rows = full_answer(query, spark, tuples, codec=model).rows.to_pylist()
    if "avg(x)" in items:
        assert [row["avg(x)"] for row in rows] == [(a + b) / 2 for a, b in pairwise(restored)]
    if "max(x)" in items:
        assert [row["max(x)"] for row in rows] == [max(pair) for pair in pairwise(restored)]


def test_stamped_blocks_are_never_raw():
    """Four escapes fill a block; without stamps the next block is raw, hence exact."""
    values = [1 << 40, 1 << 41, 1 << 42, 1 << 43, 1000, 1005]
    assert blocks.restored_values(Sz(), values) == values
    assert blocks.restored_values(Sz(), values, stamped=True) == [*values[:4], 1000, 1000]


@pytest.mark.in_turn
@pytest.mark.spark
def test_late_values_are_not_compressed(spark):
    """The windows have 4 units: 5,000 is late, and 1,045 is predicted from 1,000 and 1,020."""
    query = parse(
        "CREATE INPUT STREAM S (k uint(8), x int(64), t uint(8));"
        "SELECT k, sum(x), max(x) FROM S [PARTITION BY k RANGE 4 SLIDE 4 WATTR t];"
    )
    values = {"k": [3] * 7, "x": [1000, 1005, 1020, 5000, 1045, 7, 7], "t": [0, 1, 5, 2, 6, 8, 12]}
    tuples = Tuples(query.schema, pa.table({name: pa.array(v) for name, v in values.items()}))
    answer = full_answer(query, spark, tuples, codec=Sz())
    rows = answer.rows.to_pylist()
    assert [(int(row["sum(x)"]), row["max(x)"]) for row in rows] == [
        (2000, 1000),
        (1020 + 1040, 1040),
        (7, 7),
    ]
    assert answer.late == 1
