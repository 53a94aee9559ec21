"""Checks scans of keys in sections by hand: the example of `golden.plans.key_scan`."""

import pytest

from golden.plans import key_scan
from golden.plans.key_scan import KeyScan

pytestmark = pytest.mark.spark

KEYS = [5, 9, 5, 5, 5, 9, 9, 5]
VALUES = [3, 8, 1, 2, 7, 4, 9, 5]


@pytest.fixture
def tuples(spark, monkeypatch):
    monkeypatch.setattr(key_scan, "SECTION", 3)
    rows = [(n, key, x) for n, (key, x) in enumerate(zip(KEYS, VALUES, strict=True))]
    return spark.createDataFrame(rows, "n long, key int, x int").repartition(3)


@pytest.mark.in_turn
@pytest.mark.parametrize("in_sections", [False, True])
def test_counts_and_greatest_values(tuples, in_sections):
    scan = KeyScan(["key"], in_sections)
    counted = scan.counted(scan.with_greatest(tuples, "x", "greatest"), "count")
    rows = [(row["count"], row["greatest"]) for row in counted.orderBy("n").collect()]
    assert rows == [(0, 3), (0, 8), (1, 3), (2, 3), (3, 7), (1, 8), (2, 9), (4, 7)]
    totals = scan.with_total(tuples, "x", "total").select("key", "total").distinct().collect()
    assert {(5, 18), (9, 21)} == {tuple(row) for row in totals}


def test_a_key_that_is_too_big(tuples):
    assert KeyScan.of(tuples, ["key"], len(KEYS)).in_sections
    assert not KeyScan.of(tuples.filter("key = 9"), ["key"], len(KEYS)).in_sections
    assert not KeyScan.of(tuples, ["key"], 3).in_sections
