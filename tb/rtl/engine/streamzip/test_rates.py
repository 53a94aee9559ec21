"""Checks rates of windows of each key at the seed's size: 16,384 keys, values of 64 bits.

Every row is compared with lists of each key. Rates are long-run rates: they begin when the table's
sweep after reset is over.
"""

import numpy as np
import pytest

from tb.rtl.engine.key_rates import RatePoint, design_of, measure, random_keys
from tb.rtl.engine.key_values import windows_of

pytestmark = pytest.mark.hdl

NAMES = ["small", pytest.param("seed", marks=pytest.mark.regress)]
BACK_ENDS = ["ideal", pytest.param("ddr3", marks=pytest.mark.regress)]


@pytest.mark.in_turn
@pytest.mark.long("name")
@pytest.mark.parametrize("back_end", BACK_ENDS)
@pytest.mark.parametrize("kind", ["random", "single", "bursts"])
@pytest.mark.parametrize("name", NAMES)
def test_a_tuple_in_every_cycle_where_windows_do_not_overlap(name, kind, back_end, record_property):
    """Each full line is written once, and read at most once, for its window.

    A key that is evicted loses the line that it fills. A single key is never evicted.
    """
    design = design_of(name)
    largest = design.options.window_max
    keys = random_keys(name, 4000 if name == "small" else 200_000, kind)
    rate, _, counters = measure(design, keys, largest, largest, back_end)
    record_property("rate", float(rate))
    assert rate >= (0.95 if back_end == "ideal" else 0.9)
    _, tuples = np.unique(keys, return_counts=True)
    full_lines = (tuples // 8).sum()
    assert counters["m3_lines_read"] <= counters["m3_lines_written"] <= full_lines
    if kind == "single" or not counters["collision"]:
        assert counters["m3_lines_written"] == full_lines


@pytest.mark.regress
@pytest.mark.parametrize("back_end", ["ideal", "ddr3"])
@pytest.mark.parametrize("kind", ["random", "single", "bursts"])
def test_a_tuple_in_every_cycle_with_m2_outside(kind, back_end):
    design = design_of("seed", m2="external")
    rate, _, _ = measure(design, random_keys("seed", 60_000, kind), 4096, 4096, back_end)
    assert rate >= (0.95 if back_end == "ideal" else 0.9)


LONG_WINDOWS = [pytest.param("seed", n, marks=pytest.mark.regress) for n in (256, 1024, 4096)]


@pytest.mark.in_turn
@pytest.mark.long("name")
@pytest.mark.parametrize("back_end", BACK_ENDS)
@pytest.mark.parametrize("kind", ["single", "few"])
@pytest.mark.parametrize(("name", "ws"), [("small", 256), *LONG_WINDOWS])
def test_with_a_window_after_each_tuple_the_memory_is_the_limit(
    name, ws, kind, back_end, record_property
):
    keys = random_keys(name, 4 * ws + 1000, "random")
    keys = keys[:1].repeat(ws + 1000) if kind == "single" else keys[np.arange(len(keys)) % 4]
    _, lines, _ = measure(design_of(name), keys, ws, 1, back_end)
    record_property("lines per cycle", float(lines))
    assert lines >= (0.9 if back_end == "ideal" else 0.75)


@pytest.mark.regress
@pytest.mark.parametrize("back_end", ["ideal", "ddr3"])
def test_dram_only_is_as_slow_as_its_structure_says(back_end, record_property):
    """Rows and banks of ddr3 make dram-only slower; mlq is 10 times as fast on it."""
    design = design_of("seed", "dram-only")
    key_names = random_keys("seed", 512, "random")
    keys = key_names[np.random.default_rng(1).integers(0, len(key_names), 200_000)]
    rate, _, counters = measure(design, keys, 4096, 4096, back_end, skip=150_000)
    record_property("rate", float(rate))
    numbers = {"size": 4096, "slide": 4096, "keys": len(np.unique(keys)), "dram": back_end}
    assert abs(rate / design.predict(**numbers).tuples_per_cycle - 1) <= 0.1
    assert counters["m3_lines_written"] == len(keys)
    if back_end == "ddr3":
        assert 10 * rate < measure(design_of("seed"), keys, 4096, 4096, back_end)[0]


def points(memory, dram, *cases, **fields):
    """Returns the points of tuples (ws, wa, keys) or (ws, wa, keys, skew)."""
    names = ("ws", "wa", "keys", "skew")
    return [
        RatePoint(memory=memory, dram=dram, **dict(zip(names, one, strict=False)), **fields)
        for one in cases
    ]


QUICK = points("mlq", "ideal", (256, 1, 1), (64, 8, 8), (64, 64, 4), size="small")
EXTERNAL_M2 = [
    *points("mlq", "ideal", (16, 1, 256), (16, 4, 512), (16, 1, 16), m2="external"),
    *points("mlq", "ddr3", (64, 8, 256), (4096, 4096, 16), m2="external"),
]
LONG = [
    *points("mlq", "ideal", (64, 1, 64), (64, 8, 1), (64, 8, 512), (256, 1, 4), (256, 8, 64, 1.0)),
    *points("mlq", "ideal", (1024, 64, 64), (4096, 4096, 16)),
    *points("mlq", "ddr3", (64, 1, 1), (64, 1, 512), (64, 1, 64, 2.0), (64, 8, 1), (64, 8, 64)),
    *points("mlq", "ddr3", (64, 64, 512), (256, 1, 1), (256, 1, 4), (256, 8, 4), (256, 8, 64, 1.0)),
    *points("mlq", "ddr3", (256, 64, 64), (256, 256, 512), (1024, 1, 1), (1024, 8, 64)),
    *points("mlq", "ddr3", (1024, 64, 1), (1024, 64, 64, 1.0), (4096, 1, 4), (4096, 64, 16)),
    *points("dram-only", "ideal", (64, 64, 64), (64, 64, 2048), (256, 256, 512), (64, 1, 64)),
    *points("dram-only", "ideal", (64, 64, 512, 1.0), (256, 8, 64)),
    *points("dram-only", "ddr3", (64, 64, 64), (64, 64, 512), (64, 64, 2048), (64, 1, 64)),
    *points("dram-only", "ddr3", (64, 8, 512), (256, 64, 64), (256, 8, 64, 1.0), (1024, 64, 64)),
]


#: Points with a larger difference, by averages and for the tuples (docs/per-key-rates.md).
FARTHER_BY_AVERAGES = {"mlq-ddr3-64-1-512keys": 0.13}
FARTHER_BY_STREAM = {"mlq-ideal-16-1-256keys-m2outside": 0.14}


@pytest.mark.in_turn(5)
@pytest.mark.long("name")
@pytest.mark.parametrize(
    ("name", "point"),
    [
        *(("small", point) for point in QUICK),
        *(pytest.param("seed", point, marks=pytest.mark.regress) for point in LONG + EXTERNAL_M2),
    ],
    ids=str,
)
def test_the_rate_is_as_predicted(name, point, record_property):
    """Rate and latency are within a tenth of the predictions, with two exceptions for the rate.

    The rate is compared with the prediction by averages, and with that for the tuples; the latency
    is compared with the latter only.
    """
    measured, by_stream = point.measured(), point.stream_prediction()
    predicted = point.predicted.tuples_per_cycle
    record_property("rate", measured.rate)
    record_property("predicted", predicted)
    assert abs(measured.rate / predicted - 1) <= FARTHER_BY_AVERAGES.get(str(point), 0.1)
    assert abs(measured.rate / by_stream.rate - 1) <= FARTHER_BY_STREAM.get(str(point), 0.1)
    assert abs(measured.latency / by_stream.latency - 1) <= 0.1


def test_the_windows_that_are_waited_for():
    """Windows have 2 values and do not overlap: (1, 3) and (5, 6) of key 0, and (2, 4) of key 1.

    The tuples at the places 2, 3 and 5 close them.
    """
    key, value = np.array([0, 1, 0, 1, 0, 0, 1]), np.array([1, 2, 3, 4, 5, 6, 7])
    places, rows = windows_of(key, value, 2, 2)
    assert places.tolist() == [2, 3, 5]
    assert rows == [(0, 0, 1, 3, 2, 4), (0, 1, 2, 4, 2, 6), (1, 0, 5, 6, 2, 11)]
