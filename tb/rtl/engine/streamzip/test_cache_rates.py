"""Checks rates of one key with a window after each tuple, with a cache of windows and without.

The cache reads at most 128 values in a cycle (seed 000, section 3.4.4 and figure 19). So a window
of up to 128 values takes one cycle, and a larger window is several times as fast as without a
cache.
"""

import pytest

from tb.rtl.engine.cache_rates import RANKED, measured, measured_in_time, predicted

pytestmark = [pytest.mark.hdl, pytest.mark.regress]

CODECS = ["none", "base-delta", "xor", "xor-chained", "grid", "sz"]
CACHED = {"cached_keys": 1}
#: For base-delta, whose decoder reads up to 54 values in a cycle without a cache.
WIDE = {"cached_keys": 1, "cache_lanes": 256}


@pytest.mark.parametrize("dram", ["ideal", "ddr3"])
@pytest.mark.parametrize("codec", CODECS)
def test_a_tuple_in_each_cycle_with_windows_of_128(codec, dram, record_property):
    rate = measured(codec, 128, dram, **CACHED)
    record_property("rate", float(rate))
    assert rate >= 0.95


@pytest.mark.parametrize(
    ("codec", "dram"),
    [
        *(("none", dram) for dram in ("ideal", "ddr3")),
        *((codec, "ideal") for codec in ("base-delta", "xor", "grid", "sz")),
    ],
)
def test_a_tuple_in_each_cycle_with_windows_of_time(codec, dram, record_property):
    """A window is read from its mark on, so 128 tuples in a RANGE need more than 128 lanes.

    With a codec each tuple begins a block, because each tuple is in another slide.
    """
    rate = measured_in_time(codec, 128, dram, **WIDE)
    record_property("rate", float(rate))
    assert rate >= 0.95


@pytest.mark.parametrize("dram", ["ideal", "ddr3"])
@pytest.mark.parametrize(
    ("codec", "options"),
    [(codec, WIDE if codec == "base-delta" else CACHED) for codec in CODECS],
)
def test_windows_of_1024_are_three_times_as_fast(codec, options, dram, record_property):
    with_cache, without = (measured(codec, 1024, dram, **cache) for cache in (options, {}))
    record_property("with", float(with_cache))
    record_property("without", float(without))
    assert with_cache >= 3 * without


@pytest.mark.parametrize("codec", CODECS)
def test_a_tuple_in_each_cycle_with_medians(codec, record_property):
    rate = measured(codec, 128, "ideal", RANKED, **CACHED)
    record_property("rate", float(rate))
    assert rate >= 0.95


def test_a_tuple_in_each_cycle_with_medians_of_windows_of_time(record_property):
    rate = measured_in_time("none", 128, "ideal", RANKED, **WIDE)
    record_property("rate", float(rate))
    assert rate >= 0.95


@pytest.mark.parametrize(
    ("codec", "options"),
    [(codec, WIDE if codec == "base-delta" else CACHED) for codec in CODECS],
)
def test_medians_of_1024_are_three_times_as_fast(codec, options, record_property):
    """Without the cache pivots find the medians, as for windows that are not in the cache."""
    with_cache = measured(codec, 1024, "ideal", RANKED, **options)
    without = measured(codec, 1024, "ideal", RANKED, percentiles="pivot")
    record_property("with", float(with_cache))
    record_property("without", float(without))
    assert with_cache >= 3 * without


def test_the_rate_is_as_predicted():
    for ws in (128, 1024):
        prediction = predicted("xor", ws, "ideal", **CACHED)
        assert measured("xor", ws, "ideal", **CACHED) == pytest.approx(prediction, rel=0.02)
