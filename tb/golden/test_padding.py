"""Checks that zero bytes at the end of a string are padding, and not part of the string."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from golden.answer import answer
from golden.readers import read
from golden.tuples import Tuples
from query.parser import parse

pytestmark = pytest.mark.spark

SCHEMA = "CREATE INPUT STREAM S (s string(3), x int); "
TEXTS = ["a", "a\0", "\0a", "", "\0\0", "a\0\0", "a\0b", "b"]


def rows_of(spark, text, tuples=None):
    query = parse(SCHEMA + text)
    table = pa.table({"s": TEXTS, "x": range(8)})
    tuples = tuples or Tuples(query.schema, table)
    return [tuple(row.values()) for row in answer(query, spark, tuples).to_pylist()]


# Columns of the rows: window, s, count, sum.
GROUPED = "SELECT s, count(*), sum(x) FROM S GROUP BY s;"
GROUPS = [(0, "", 2, 7), (0, "\0a", 1, 2), (0, "a", 3, 6), (0, "a\0b", 1, 6), (0, "b", 1, 7)]


def test_groups(spark):
    assert rows_of(spark, GROUPED) == GROUPS


def test_keys(spark):
    text = "SELECT s, sum(x) FROM S [PARTITION BY s ROWS 2 SLIDE 1];"
    assert rows_of(spark, text) == [(0, "a", 1), (0, "", 7), (1, "a", 6)]


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("where", "total"),
    [
        ('s = "a"', 0 + 1 + 5),
        ('s = "a\0"', 0 + 1 + 5),
        ('s != "a"', 2 + 3 + 4 + 6 + 7),
        ('s = ""', 3 + 4),
        ('s < "a"', 2 + 3 + 4),
        ('s <= "a\0\0"', 0 + 1 + 2 + 3 + 4 + 5),
        ('s > "a"', 6 + 7),
        ('s >= "a" AND s != "b"', 0 + 1 + 5 + 6),
    ],
)
def test_where(spark, where, total):
    assert rows_of(spark, f"SELECT s, sum(x) FROM S WHERE {where} GROUP BY s;")
    rows = rows_of(spark, f"SELECT x, sum(x) FROM S WHERE {where} GROUP BY x;")
    assert sum(row[-1] for row in rows) == total


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_files(spark, tmp_path, suffix):
    path = tmp_path / f"data{suffix}"
    if suffix == ".csv":
        path.write_text("s,x\n" + "".join(f"{text},{x}\n" for x, text in enumerate(TEXTS)))
    else:
        pq.write_table(pa.table({"s": TEXTS, "x": range(8)}), path)
    query = parse(SCHEMA + GROUPED)
    assert rows_of(spark, GROUPED, read(path, query)) == GROUPS
