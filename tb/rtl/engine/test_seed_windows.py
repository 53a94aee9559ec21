"""Checks the plain rows of the seed's query against the plain model, which goes tuple by tuple."""

import numpy as np
import pytest

from tb.rtl.engine import seed_windows
from tb.rtl.engine.key_bench import point
from tb.rtl.engine.model import NUMBER, result_of
from tb.rtl.engine.seed_points import SELECT
from tb.rtl.engine.seed_windows import seed_rows


def rows_of(query, key, value, ws, wa):
    """Returns the places of the tuples that close windows, and their rows, by the plain model."""
    tuples_by_key, closers, rows = {}, [], []
    for place, (k, x) in enumerate(zip(key.tolist(), value.tolist(), strict=True)):
        members = tuples_by_key.setdefault(k, [])
        members.append({"x": x, NUMBER: len(members)})
        begin = len(members) - ws
        if begin >= 0 and begin % wa == 0:
            results = [result_of(item.aggregate, members[-ws:]) for item in query.items]
            rows.append((begin // wa, k, *results))
            closers.append(place)
    return closers, rows


@pytest.mark.parametrize(("ws", "wa"), [(1, 1), (5, 2), (16, 16), (37, 5), (64, 1), (200, 1)])
@pytest.mark.parametrize("type_", ["fixed(40,24)", "double"])
def test_rows_are_those_of_the_plain_model(type_, ws, wa, monkeypatch):
    """Few values are sorted at a time; no key has the 200 values of the longest window."""
    monkeypatch.setattr(seed_windows, "SORTED", 128)
    query = point(8, 3, type_, SELECT, percentiles="pivot", codec="none").query
    rng = np.random.default_rng(3)
    key = rng.integers(0, 3, 400)
    value = rng.random(400).view(np.int64) if type_ == "double" else rng.integers(-99, 100, 400)
    closers, rows = seed_rows(key, value, ws, wa, type_ == "double")
    assert (closers.tolist(), rows) == rows_of(query, key, value, ws, wa)
    assert bool(rows) == (ws < 200)


def test_rows_by_hand():
    """Windows have 2 values, so the median is the smaller one; the sum 0.1 + 0.2 is rounded."""
    bits = np.array([0.1, 0.2, 0.4]).view(np.int64)
    mean = np.array([(0.1 + 0.2) / 2]).view(np.int64)[0]
    places, rows = seed_rows(np.zeros(3, int), bits, 2, 2, True)
    assert (places.tolist(), rows) == ([1], [(0, 0, mean, bits[0], bits[1], bits[0])])
    _, rows = seed_rows(np.zeros(3, int), np.array([5, 1, 2]), 2, 1, False)
    assert rows == [(0, 0, 3, 1, 5, 1), (1, 0, 1, 1, 2, 1)]
