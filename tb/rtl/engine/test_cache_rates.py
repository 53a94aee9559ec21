"""Rates with a cache of windows and without, of one key with a window after each tuple.

Seed 000, section 3.4.4 and figure 19: at most 128 values in a cycle, so windows of up to 128 take
one; and larger ones are several times as fast as without.
"""

from functools import cache

import numpy as np
import pytest

from tb.harness.memory import Memory
from tb.rtl.engine.bench import shipped
from tb.rtl.engine.key_bench import point
from tb.rtl.engine.key_rates import windows_of

pytestmark = [pytest.mark.hdl, pytest.mark.regress]

CACHED = {"cached_keys": 1}
#: Whose decoder gives up to 54 values in a cycle without one.
WIDE = {"cached_keys": 1, "cache_lanes": 256}


@cache
def design_of(codec, **options):
    size = {"entries": 64, "window_max": 1024, "ports": 4, "port_bits": 128}
    select = "sum(x), max(x)"
    return point(1024, 1, "int(64)", select, "uint(32)", codec=codec, **size, **options)


@cache
def measured(codec, ws, dram, **options):
    """Tuples per cycle, once all windows are hits; rows are right, and nothing is read for hits."""
    design, rng = design_of(codec, **options), np.random.default_rng(1)
    count, begin = 2 * ws + 1500, 2 * ws + 200
    value = np.cumsum(rng.integers(-3, 4, count))
    events = [{"k": 7, "x": int(x), "y": 0} for x in value]
    settings = design.settings.values | {"size": ws, "slide": 1}
    done = shipped(design).run(
        [events], [settings], memory=Memory(backend=dram), idle_timeout=50_000, drain=5_000
    )
    _, rows = windows_of(np.zeros(count, int), value, ws, 1)
    assert [(row[0], row[2]) for row in done.packets[0]] == [(n, total) for n, _, total in rows]
    if options:
        assert done.counters["cached_windows"] == len(rows) - (ws - 1)
    (into,) = done.outcome.inputs.values()
    return (count - 1 - begin) / (into.taken[-1] - into.taken[begin])


@pytest.mark.parametrize("dram", ["ideal", "ddr3"])
@pytest.mark.parametrize("codec", ["base-delta", "xor"])
def test_a_tuple_in_each_cycle_with_windows_of_128(codec, dram, record_property):
    rate = measured(codec, 128, dram, **CACHED)
    record_property("rate", rate)
    assert rate >= 0.95


@pytest.mark.parametrize("dram", ["ideal", "ddr3"])
@pytest.mark.parametrize(("codec", "options"), [("base-delta", WIDE), ("xor", CACHED)])
def test_windows_of_1024_are_three_times_as_fast(codec, options, dram, record_property):
    with_cache, without = (measured(codec, 1024, dram, **given) for given in (options, {}))
    record_property("with", with_cache)
    record_property("without", without)
    assert with_cache >= 3 * without


def test_the_rate_is_as_predicted():
    for ws in (128, 1024):
        found = design_of("xor", **CACHED).predict(size=ws, slide=1, keys=1).tuples_per_cycle
        assert measured("xor", ws, "ideal", **CACHED) == pytest.approx(found, rel=0.02)
