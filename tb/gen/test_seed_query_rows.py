"""`sluice simulate` of the seed's query with each codec, on two traces, under stalls.

The query is "average, minimum, maximum and median CPU usage for each job, last WS, every WA". One
design for each codec and kind of window runs all sizes, because WS and WA are settings.
"""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tb.figures.ratios import generated, google
from tb.rtl.engine.key_values import number_of

pytestmark = [pytest.mark.spark, pytest.mark.hdl, pytest.mark.regress]

SCHEMA = "CREATE INPUT STREAM TaskEvents (t uint(32), job uint(32), cpu {});"
ITEMS = "avg(cpu), min(cpu), max(cpu), median(cpu)"
#: Medians by pivots. One pass suffices up to SLIDE 4; more distant windows may take several.
DESIGN = {"entries": 1024, "window_max": 4096, "percentiles": "pivot", "neighbours": 4}
#: For each codec: the type of ``cpu``, and options.
CODECS = {
    "base-delta": ("fixed(8,24)", {}),
    "xor": ("double", {}),
    "grid": ("double", {}),
    "sz": ("double", {"exponent": -24}),
}
BITS = {"fixed(8,24)": 32, "double": 64}
TRACES = {"made": generated, "Google": google}
MEMORIES = {
    "restless": ("--memory", "restless", "--stall-input", 0.2, "--stall-output", 0.3, "--seed", 7),
    "ddr3": ("--memory", "ddr3", "--stall-input", 0.1, "--stall-output", 0.1, "--seed", 8),
}
SIZES = (64, 256, 1024, 4096)
ROWS = [("ROWS", ws, wa) for ws in SIZES for wa in (1, 4, 16, 64, ws)]
#: With RANGE WS and WA are times. A window spans at most 64 slides here, because golden computes
#: each slide of each window. A ring also holds slides before a window, so it has more places.
OVER_TIME = {"overlap": 128, "window_max": 8192}
RANGES = [("RANGE", ws, wa) for _, ws, wa in ROWS if ws // wa <= 64]
#: Greatest number of values in all windows of a run. With RANGE a tuple of a key closes as many
#: windows as slides have passed since the tuple before, so a run has as many rows as values.
VALUES = {"ROWS": 1_000_000, "RANGE": 200_000}
#: Least length of a run with RANGE, in windows.
MIN_WINDOWS = 3


def length_of(kind, job, ws, wa):
    """Returns how many tuples of a trace a run takes, so that its windows have about VALUES values.

    With RANGE a tuple comes in each unit of time, and is in ws / wa windows. For instance with
    RANGE 64 SLIDE 1 a run takes 3,125 tuples, and with RANGE 4096 SLIDE 64 it takes 12,288.
    """
    if kind == "RANGE":
        return max(VALUES[kind] * wa // ws, MIN_WINDOWS * ws)
    nth = number_of(job) + 1
    closed = np.cumsum((nth >= ws) & ((nth - ws) % wa == 0))
    return int(np.searchsorted(closed, VALUES[kind] // ws)) + 1


@pytest.mark.parametrize("memory", MEMORIES)
@pytest.mark.parametrize("trace", TRACES)
@pytest.mark.parametrize(("kind", "ws", "wa"), dict.fromkeys(ROWS + RANGES))
@pytest.mark.parametrize("codec", CODECS)
def test_every_row(sluice, tmp_path, record_property, codec, kind, ws, wa, trace, memory):
    """The hardware's rows equal golden's. With a lossy codec golden takes the restored values."""
    job, cpu = TRACES[trace]()
    _, job = np.unique(job, return_inverse=True)
    times = 5 if trace == "Google" and kind == "ROWS" else 1
    job, cpu = np.tile(job, times), np.tile(cpu, times)
    count = length_of(kind, job, ws, wa)
    job, cpu = job[:count], cpu[:count]
    data = tmp_path / "trace.parquet"
    columns = {"t": np.arange(len(job)), "job": job, "cpu": cpu}
    pq.write_table(pa.table(columns), data)
    cpu_type, options = CODECS[codec]
    options = DESIGN | options | {"codec": codec}
    window = f"[PARTITION BY job {kind} {ws} SLIDE {wa}]"
    if kind == "RANGE":
        options |= OVER_TIME
        window = f"[PARTITION BY job RANGE {ws} SLIDE {wa} WATTR t]"
    query = tmp_path / "seed.cql"
    query.write_text(f"{SCHEMA.format(cpu_type)}\nSELECT job, {ITEMS} FROM TaskEvents {window};\n")
    sets = [text for name, value in options.items() for text in ("--set", f"{name}={value}")]
    code, out, err = sluice("simulate", query, "--input", data, *sets, *MEMORIES[memory], "--json")
    output = json.loads(out)
    assert (code, output["mismatches"], output["problems"]) == (0, 0, []), err
    assert output["stream_rule_violations"] == 0
    assert output["rows"] == output["rows_expected"] > 0
    passes = output["memory"]["passes"]
    assert passes >= output["rows"]
    if kind == "ROWS" and wa <= DESIGN["neighbours"]:
        # One pass suffices for each window but the first of a key, which is a search of all bits.
        first_windows = int((np.bincount(job) >= ws).sum())
        assert passes <= output["rows"] + first_windows * (2 * BITS[cpu_type] + 1)
    record_property("passes per window", passes / output["rows"])
    record_property("tuples per cycle", output["tuples_per_cycle"])
