"""Checks that the percentiles of each window come with its last line with values."""

import random

import pytest

from rtl.keyed.cache.ranked_states import RankedStates
from tb.bench.unit import run_streams
from tb.rtl.keyed.cache.plans import cache_of
from tb.rtl.keyed.cache.sorted_changes import FRACTIONS


def windows_of(rng, count):
    """Returns ``count`` windows of 1 to 5 lines: a line is a sum, or None without values."""
    return [
        [rng.choice([None, rng.randrange(1, 200)]) for _ in range(rng.randrange(1, 6))]
        for _ in range(count)
    ]


@pytest.mark.parametrize(("stall_in", "stall_out"), [(0, 0), (0.5, 0), (0.1, 0.7), (0.4, 0.4)])
def test_the_last_line_with_values_has_the_percentiles(stall_in, stall_out):
    """A window without any value is one line without values, with its percentiles."""
    rng = random.Random(f"{stall_in} {stall_out}")
    plan, windows = cache_of(1, 4, FRACTIONS), windows_of(rng, 80)
    lines = [
        {"tuples": [{"r1": {"value": line or 0}}], "valid": line is not None, "last": place == last}
        for window in windows
        for last in [len(window) - 1]
        for place, line in enumerate(window)
    ]
    window_percentiles = [[rng.randrange(512) for _ in FRACTIONS] for _ in windows]
    values = [[line for line in window if line is not None] for window in windows]
    runs = run_streams(
        RankedStates(plan),
        {"states": lines, "percentiles": window_percentiles},
        {"o": sum(max(1, len(window)) for window in values)},
        stall_in=stall_in,
        stall_out=stall_out,
    )
    expected = [
        (line, place == max(0, len(window) - 1), expected_percentiles)
        for window, expected_percentiles in zip(values, window_percentiles, strict=True)
        for place, line in enumerate(window or [None])
    ]
    received = []
    for payload, (_, _, expected_percentiles) in zip(runs["o"].payloads, expected, strict=True):
        state = payload["tuples"][0]
        # r1 is the sum; r3 and later are the percentiles, inverted in ``above0``.
        percentiles = [state[f"r{3 + k}"] for k in range(len(FRACTIONS))]
        if payload["last"]:
            assert [~p["above0"] & 0x1FF for p in percentiles] == expected_percentiles
            assert all(p["count"] == 1 for p in percentiles)
        else:
            assert not any(any(p.values()) for p in percentiles)
        line = state["r1"]["value"] if payload["valid"] else None
        received.append((line, bool(payload["last"]), expected_percentiles))
    assert received == expected


def test_a_line_in_every_cycle():
    """Windows of one line, the common case of short windows, have no pause."""
    plan = cache_of(1, 4, FRACTIONS)
    lines = [{"tuples": [{"r1": {"value": k}}], "valid": 1, "last": 1} for k in range(40)]
    window_percentiles = [[k] * len(FRACTIONS) for k in range(40)]
    run = run_streams(
        RankedStates(plan), {"states": lines, "percentiles": window_percentiles}, {"o": 40}
    )["o"]
    first, last = run.cycles[0], run.cycles[-1]
    assert (first, last - first) == (RankedStates.latency, 39)
