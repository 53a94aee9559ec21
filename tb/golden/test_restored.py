"""Windows of what a codec keeps, by PySpark: the example of docs/codecs.md, worked by hand."""

from itertools import pairwise

import pyarrow as pa
import pytest

from golden.answer import full_answer
from golden.codecs import blocks
from golden.codecs.sz import Sz
from golden.tuples import Tuples
from query.parser import parse

CAME = [1000, 1005, 1020, 1040, 1100, 1195, 1 << 40]
KEPT = [1000, 1000, 1020, 1040, 1100, 1200, 1 << 40]


@pytest.mark.spark
def test_windows_are_of_what_is_kept(spark):
    """Of each key by itself: two of them take the same values in turn."""
    query = parse(
        "CREATE INPUT STREAM S (k uint(8), x int(64));"
        "SELECT k, sum(x), max(x) FROM S [PARTITION BY k ROWS 2 SLIDE 1];"
    )
    values = {"k": [3, 4] * len(CAME), "x": [x for x in CAME for _ in range(2)]}
    tuples = Tuples(query.schema, pa.table({name: pa.array(v) for name, v in values.items()}))
    for codec, kept in ((None, CAME), (Sz(), KEPT)):
        rows = full_answer(query, spark, tuples, codec=codec).rows.to_pylist()
        found = [(row["k"], int(row["sum(x)"]), row["max(x)"]) for row in rows]
        assert found == [(k, a + b, max(a, b)) for a, b in pairwise(kept) for k in (3, 4)]


def test_of_stamped_blocks_none_is_raw():
    """Four escapes fill a block; the one behind it is raw, and so its values are as they came."""
    values = [1 << 40, 1 << 41, 1 << 42, 1 << 43, 1000, 1005]
    assert blocks.restored_values(Sz(), values) == values
    assert blocks.restored_values(Sz(), values, stamped=True) == [*values[:4], 1000, 1000]


@pytest.mark.spark
def test_what_is_late_is_not_compressed(spark):
    """In windows of 4 units 5,000 comes too late, and 1,045 is predicted from 1,000 and 1,020."""
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
