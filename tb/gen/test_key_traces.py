"""`sluice simulate` of windows of each key on a real trace, on both memories, under stalls."""

import gzip
import json
from collections import Counter

import pytest

from tb.golden.data_files import shared

pytestmark = [pytest.mark.spark, pytest.mark.hdl, pytest.mark.regress]

TRACE = "google_cluster_task_events.txt.gz"
SCHEMA = "CREATE INPUT STREAM TaskEvents (job uint(32), priority uint(8), cpu {});"
FIXED = "fixed(8,24)"
ITEMS = "min(cpu), max(cpu), sum(cpu), avg(cpu), count(*)"
#: One design for all windows; 16,384 entries would take a minute more to make.
DESIGN = {"entries": 1024, "window_max": 4096, "line_values": 8}
#: The design with a codec, which has no lines of a fixed number of values.
CODED = {"entries": 1024, "window_max": 4096}
#: Factor of the tuples with a codec: windows of blocks are fewer lines, and so take fewer cycles.
SMALLER = 8
#: For each codec: the type of ``cpu``, the selected items, and further options.
CODECS = {
    "base-delta": (FIXED, ITEMS, {}),
    "xor": ("double", "min(cpu), max(cpu), count(*)", {}),
    "grid": ("double", "min(cpu), max(cpu), count(*)", {}),
    "sz": ("double", "min(cpu), max(cpu), count(*)", {"exponent": -24}),
}
#: Repetitions of the trace, for more than 50,000 tuples. A run has all tuples, or as many as keep
#: the engine busy for ``CYCLES`` cycles.
TIMES = 4
CYCLES = 2_000_000


@pytest.fixture(scope="module")
def lines():
    return gzip.decompress(shared(TRACE).read_bytes()).splitlines()


@pytest.fixture
def repeated(lines, tmp_path):
    """Returns a function that writes the repeated trace to a file, for windows of ws every wa."""

    def write(ws, wa, most=CYCLES):
        long = lines * TIMES
        path = tmp_path / "long.txt"
        path.write_bytes(b"\n".join(long[: enough(long, ws, wa, most)]) + b"\n")
        return path

    return write


def enough(lines, ws, wa, most):
    """Returns the number of tuples after which windows have ``most`` lines, or the number of
    all.
    """
    seen, cycles_taken = Counter(), 0
    for count, line in enumerate(lines, 1):
        job = line.split()[1]
        seen[job] += 1
        back_end = seen[job] - ws
        cycles_taken += (back_end >= 0 and back_end % wa == 0) * (ws // DESIGN["line_values"])
        if cycles_taken >= most:
            return count
    return len(lines)


def check(sluice, tmp_path, data, ws, wa, *arguments, **settings):
    rows = f"[PARTITION BY job ROWS {ws} SLIDE {wa}]"
    return compared(sluice, tmp_path, data, rows, FIXED, ITEMS, DESIGN | settings, *arguments)


def compared(sluice, tmp_path, data, rows, cpu, items, settings, *arguments):
    """Runs a simulation, checks that every row is right, and returns the output's figures."""
    query = tmp_path / "keys.cql"
    query.write_text(f"{SCHEMA.format(cpu)}\nSELECT job, {items} FROM TaskEvents {rows};\n")
    options = [t for name, value in settings.items() for t in ("--set", f"{name}={value}")]
    source = ["--input", data, "--format", "google-task-events-excerpt"]
    code, out, _ = sluice("simulate", query, *source, *options, *arguments, "--json")
    output = json.loads(out)
    assert (code, output["mismatches"], output["problems"]) == (0, 0, [])
    assert output["stream_rule_violations"] == 0
    assert output["rows"] == output["rows_expected"] > 0
    return output


STALLS = ("--stall-input", 0.2, "--stall-output", 0.3, "--seed", 7)


def test_every_row_of_the_trace(sluice, tmp_path):
    output = check(sluice, tmp_path, shared(TRACE), 64, 8, *STALLS)
    assert output["memory"]["m3_read_modify_writes"] == 0


WINDOWS = [(ws, wa) for ws in (64, 256, 1024, 4096) for wa in (1, 8, 64, ws)]
#: ``stalled``: also at all channels of the memory, of which every burst takes a time of its own.
BACK_ENDS = {
    "ideal": ("--memory", "ideal"),
    "ideal, stalled": ("--memory", "restless", *STALLS),
    "ddr3": ("--memory", "ddr3"),
    "ddr3, stalled": ("--memory", "ddr3", *STALLS),
}


@pytest.mark.parametrize("back_end", BACK_ENDS)
@pytest.mark.parametrize("memory", ["mlq", "dram-only"])
@pytest.mark.parametrize(("ws", "wa"), dict.fromkeys(WINDOWS))
def test_every_row_of_the_repeated_trace(
    sluice, tmp_path, repeated, ws, wa, memory, back_end, record_property
):
    data = repeated(ws, wa)
    output = check(sluice, tmp_path, data, ws, wa, *BACK_ENDS[back_end], memory=memory)
    for name in ("tuples", "rows", "cycles"):
        record_property(name, output[name])
    assert output["tuples"] >= 50_000 or output["cycles"] >= CYCLES
    changed = output["memory"]["m3_read_modify_writes"]
    assert (changed > 0) == (memory == "dram-only")


@pytest.mark.parametrize("back_end", ["ideal, stalled", "ddr3"])
@pytest.mark.parametrize("m2_lines", [1, 2])
@pytest.mark.parametrize(("ws", "wa"), [(64, 1), (256, 8), (4096, 4096)])
def test_every_row_with_m2_outside(sluice, tmp_path, repeated, ws, wa, m2_lines, back_end):
    m2 = {"m2_kind": "external", "m2_lines": m2_lines}
    output = check(sluice, tmp_path, repeated(ws, wa), ws, wa, *BACK_ENDS[back_end], **m2)
    assert output["tuples"] >= 50_000 or output["cycles"] >= CYCLES


@pytest.mark.parametrize("back_end", ["ideal, stalled", "ddr3"])
@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize(("ws", "wa"), dict.fromkeys(WINDOWS))
def test_every_row_with_a_codec(
    sluice, tmp_path, repeated, ws, wa, codec, back_end, record_property
):
    """For a lossy codec golden's rows are those of the reconstructed values."""
    cpu, items, extra_options = CODECS[codec]
    rows, settings = (
        f"[PARTITION BY job ROWS {ws} SLIDE {wa}]",
        CODED | extra_options | {"codec": codec},
    )
    data, memory_options = repeated(ws, wa, CYCLES * SMALLER), BACK_ENDS[back_end]
    comparison = compared(sluice, tmp_path, data, rows, cpu, items, settings, *memory_options)
    record_property("tuples_per_cycle", comparison["tuples_per_cycle"])
    assert comparison["tuples"] >= 50_000 or comparison["cycles"] >= CYCLES


@pytest.mark.parametrize("back_end", ["ideal, stalled", "ddr3"])
@pytest.mark.parametrize(("ws", "wa"), [(64, 1), (1024, 8), (4096, 4096)])
def test_every_row_with_a_codec_and_a_median(sluice, tmp_path, repeated, ws, wa, back_end):
    items = f"{ITEMS}, median(cpu), percentile(cpu, 0.9)"
    rows, settings = f"[PARTITION BY job ROWS {ws} SLIDE {wa}]", CODED | {"codec": "base-delta"}
    data, memory_options = repeated(ws, wa), BACK_ENDS[back_end]
    comparison = compared(sluice, tmp_path, data, rows, FIXED, items, settings, *memory_options)
    assert comparison["tuples"] >= 50_000 or comparison["cycles"] >= CYCLES
