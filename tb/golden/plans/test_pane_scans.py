"""Checks scans of panes against the loops of `tb.golden.reference`."""

import random

import pytest

from golden.answer import full_answer
from golden.plans import key_scan
from golden.plans.pane_scans import scans_pay
from golden.plans.plan import results_of
from golden.plans.row_windows import SHORT
from query.aggregate import Function
from query.query import Query
from query.window import Rows
from tb.golden import reference
from tb.golden.random_evictions import evictions_of, random_evictions
from tb.golden.random_queries import (
    SCHEMA,
    D,
    F,
    G,
    N,
    U,
    V,
    X,
    as_tuples,
    check,
    item,
    random_tuples,
    random_where,
)

pytestmark = pytest.mark.spark
SCOPES = ("stream", "keys", "keys in sections", "keys with lives")


def random_window(rng, partition, begins_at_each_pane):
    """Returns a window of more than `SHORT` rows: of 8 slides or more, or of 64.5 slides of 2."""
    slide, size = 2, 129
    if begins_at_each_pane:
        slide = rng.randrange(1, 6)
        size = slide * rng.randrange(max(8, SHORT // slide + 1), 20)
    return Rows(size=size, slide=slide, partition=partition)


def random_items(rng):
    """Returns items whose states have a fixed size."""
    numbers = []
    for function in (Function.SUM, Function.AVG):
        numbers.append(item(function, rng.choice([N, U, V, X])))
    for function in (Function.MIN, Function.MAX):
        numbers.append(item(function, rng.choice([N, U, V, X, F, D])))
    return (item(Function.COUNT, None), *rng.sample(numbers, rng.randrange(1, 5)))


def check_scope(spark, scope, seed, monkeypatch):
    """Checks a random query over 500 tuples; returns the number of rows."""
    rng = random.Random(f"{scope} {seed}")
    partition = None if scope == "stream" else G
    if scope == "keys in sections":
        monkeypatch.setattr(key_scan, "SECTION", 50)
    window = random_window(rng, partition, begins_at_each_pane=seed % 2 == 0)
    where = random_where(rng) if rng.random() < 0.3 else None
    query = Query(schema=SCHEMA, items=random_items(rng), window=window, where=where, group=None)
    assert scans_pay(window, results_of(query))
    tuples = [one | {"g": rng.randrange(3)} for one in random_tuples(rng, SCHEMA.columns, 500)]
    pairs = random_evictions(rng, query, tuples) if scope == "keys with lives" else []
    expected, _ = reference.run(query, tuples, evictions=pairs)
    evictions = evictions_of(query, pairs) if pairs else None
    answer = full_answer(query, spark, as_tuples(query, tuples), evictions=evictions)
    check(query, expected, answer.rows, seed)
    return len(expected)


@pytest.mark.in_turn
@pytest.mark.parametrize("scope", SCOPES)
def test_random_queries(spark, scope, monkeypatch):
    assert sum(check_scope(spark, scope, seed, monkeypatch) for seed in range(2)) > 15


@pytest.mark.regress
@pytest.mark.parametrize("scope", SCOPES)
def test_many_random_queries(spark, scope, monkeypatch):
    for seed in range(2, 40):
        check_scope(spark, scope, seed, monkeypatch)


@pytest.mark.in_turn
@pytest.mark.parametrize("partition", [None, G])
@pytest.mark.parametrize(("size", "slide"), [(1 << 62, 1), (200, 3), (200, 25)])
def test_windows_as_long_as_the_stream(spark, partition, size, slide):
    """Of 201 tuples the last window has the last tuple, or no window is full."""
    rng = random.Random(size)
    window = Rows(size=size, slide=slide, partition=partition)
    query = Query(schema=SCHEMA, items=random_items(rng), window=window, where=None, group=None)
    tuples = [one | {"g": 7, "f": 0.5, "d": 1.5} for one in random_tuples(rng, SCHEMA.columns, 201)]
    expected = reference.rows(query, tuples)
    assert len(expected) == (size <= 201)
    check(query, expected, full_answer(query, spark, as_tuples(query, tuples)).rows, size)
