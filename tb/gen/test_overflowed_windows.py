"""`sluice simulate` with rings that are too small for some windows: their rows alone are marked.

The data compress well for a time, then are noise, then compress again. So windows overflow in the
middle of the stream, and the windows after them must be right.
"""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

pytestmark = [pytest.mark.spark, pytest.mark.hdl]

REGRESS = pytest.mark.regress
ROWS = "ROWS 1024 SLIDE 64"
RANGE = "RANGE 1024 SLIDE 64 WATTR t"
ITEMS = "avg(x), min(x), count(*), median(x)"
#: For each point: the type of x, the results, the window, and options.
POINTS = {
    "pivots": ("fixed(20,12)", ITEMS, ROWS, {"codec": "base-delta", "percentiles": "pivot"}),
    "sorter": ("fixed(20,12)", ITEMS, ROWS, {"codec": "base-delta", "percentiles": "sorter"}),
    "sums of floats": ("double", "avg(x), sum(x)", ROWS, {"codec": "xor", "decoders": 3}),
    "floats, pivots": ("double", ITEMS, ROWS, {"codec": "grid", "percentiles": "pivot"}),
    "lossy": (
        *("double", ITEMS, ROWS),
        {"codec": "sz", "percentiles": "pivot", "expected_ratio": 12},
    ),
    "cache": ("int(32)", ITEMS, ROWS, {"codec": "base-delta", "cached_keys": 1}),
    "copies": ("int(32)", ITEMS, ROWS, {"codec": "base-delta", "m2_blocks": 2}),
    "time, pivots": ("int(32)", ITEMS, RANGE, {"codec": "base-delta", "percentiles": "pivot"}),
    "time, sorter": ("int(32)", ITEMS, RANGE, {"codec": "base-delta", "percentiles": "sorter"}),
    "time, floats": (
        *("double", "avg(x), max(x)", RANGE),
        {"codec": "xor", "decoders": 2, "expected_ratio": 12},
    ),
    "time, cache": ("int(32)", ITEMS, RANGE, {"codec": "base-delta", "cached_keys": 1}),
    "time, copies": (
        *("int(32)", "min(x), count(*)", RANGE),
        {"codec": "base-delta", "m2_blocks": 2, "cached_keys": 1},
    ),
}
DAILY = {"pivots", "time, sorter"}
COUNT, KEYS = 9000, 2


def columns(rng):
    """Returns times, some of them late, keys, and values of which a sixth in a row is noise."""
    t = np.arange(COUNT) // 2 + rng.integers(0, 3, COUNT)
    x = np.full(COUNT, 1.5)
    noise = slice(COUNT // 3, COUNT // 2)
    x[noise] = rng.integers(-500_000, 500_000, COUNT // 6)
    x[noise] += rng.integers(0, 4096, COUNT // 6) / 4096
    return {"t": t, "k": rng.integers(0, KEYS, COUNT), "x": x}


@pytest.mark.in_turn
@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=() if n in DAILY else REGRESS) for n in POINTS]
)
def test_only_rows_of_large_windows_are_marked(sluice, tmp_path, name):
    kind, results, window, options = POINTS[name]
    data = columns(np.random.default_rng(len(name)))
    if kind.startswith("int"):
        data["x"] = np.floor(data["x"]).astype(np.int64)
    pq.write_table(pa.table(data), tmp_path / "d.parquet")
    (tmp_path / "q.cql").write_text(
        f"CREATE INPUT STREAM S (t uint(32), k uint(8), x {kind});\n"
        f"SELECT k, {results} FROM S [PARTITION BY k {window}];\n"
    )
    options = {"expected_ratio": 4, "entries": 8, "window_max": 2048} | options
    sets = [text for option, value in options.items() for text in ("--set", f"{option}={value}")]
    stalls = ("--memory", "restless", "--stall-input", 0.1, "--stall-output", 0.2, "--seed", 3)
    code, out, err = sluice(
        "simulate", tmp_path / "q.cql", "--input", tmp_path / "d.parquet", *sets, *stalls, "--json"
    )
    output = json.loads(out)
    (problem,) = output["problems"]
    assert "did not fit into the rings of their keys" in problem
    assert (code, output["mismatches"], output["stream_rule_violations"]) == (1, 0, 0), err
    assert output["rows"] == output["rows_expected"]
    # A cache has most windows, also if the ring of their key is too small for them.
    min_overflowed = 1 if "cached_keys" in options else 10
    assert min_overflowed <= output["overflowed_windows"] <= output["rows"] - 10


@pytest.mark.in_turn
@pytest.mark.parametrize("slide", [16, pytest.param(1, marks=REGRESS)])
def test_the_rate_of_a_stream_whose_windows_all_overflow(sluice, tmp_path, slide):
    """Each new block of noise waits until the earlier windows are complete and a block gives way.

    Without this wait the prediction was six times too high with windows every 16 tuples.
    """
    rng, count = np.random.default_rng(5), 12_000
    data = {
        "t": np.arange(count),
        "k": rng.integers(0, 8, count),
        "x": rng.integers(-(1 << 31), 1 << 31, count),
    }
    pq.write_table(pa.table(data), tmp_path / "d.parquet")
    (tmp_path / "q.cql").write_text(
        "CREATE INPUT STREAM S (t uint(32), k uint(8), x int(32));\n"
        f"SELECT k, max(x), min(x) FROM S [PARTITION BY k ROWS 256 SLIDE {slide}];\n"
    )
    options = {"codec": "base-delta", "expected_ratio": 4, "entries": 64, "window_max": 256}
    sets = [text for option, value in options.items() for text in ("--set", f"{option}={value}")]
    code, out, err = sluice(
        "simulate", tmp_path / "q.cql", "--input", tmp_path / "d.parquet", *sets, "--json"
    )
    output = json.loads(out)
    assert (code, output["mismatches"]) == (1, 0), err
    assert output["overflowed_windows"] == output["rows"] > 600
    rate, predicted = output["tuples_per_cycle"], output["predicted_tuples_per_cycle"]
    assert predicted == pytest.approx(rate, rel=0.08)
