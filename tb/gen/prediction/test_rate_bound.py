"""Checks what bounds the rate: the bus, the rows, stalls, or a stage of the engine."""

from dataclasses import replace

import pyarrow as pa
import pytest

from gen.commands import demo
from gen.design.build import resolve
from gen.prediction.rate_bound import RateBound


@pytest.mark.parametrize(
    ("settings", "name", "text"),
    [
        # A tuple of the example is a job of 32 bits and a share of 32.
        (["lanes=4", "bus_bits=128"], "bus", "the bus of 128 bits: it carries 2 tuples per beat, "),
        (["lanes=4", "bus_bits=256"], "engine", "the bus of 256 bits carries 4 tuples per beat"),
        (["lanes=2", "bus_bits=128"], "engine", "the bus of 128 bits carries 2 tuples per beat"),
        (["lanes=4", "bus_bits=32"], "bus", "the bus of 32 bits: it carries 0.5 tuples per beat, "),
        (["lanes=1", "bus_bits=64"], "engine", "the bus of 64 bits carries 1 tuple per beat"),
        (["lanes=4"], "engine", "the bus of 256 bits carries 4 tuples per beat"),
        (["lanes=4", "network=true"], "bus", "the bus of 64 bits: it carries 1 tuple per beat, "),
    ],
)
def test_bounds_of_a_face(examples, settings, name, text):
    design = resolve(examples / "cluster_groupby.cql", options=settings).design
    bound = RateBound.of(design, design.prediction)
    assert bound.name == name
    assert text in bound.text
    assert bound.text.startswith(f"the {name}")
    lanes = settings[0].removeprefix("lanes=")
    assert (f"the engine takes {lanes}" in bound.text) == (name == "bus")
    assert bound.values()["rate_bounded_by"] == name


def test_an_engine_that_is_slower_than_its_bus(examples):
    """Four lanes behind a bus of 2 tuples: the bus bounds, unless the engine is slower still."""
    design = resolve(examples / "cluster_groupby.cql", options=["lanes=4", "bus_bits=128"]).design
    for rate, name in ((2.0, "bus"), (1.9, "engine")):
        assert RateBound.of(design, replace(design.prediction, tuples_per_cycle=rate)).name == name


@pytest.mark.parametrize(
    ("rows", "predicted", "stalls", "name"),
    [
        # A row for every tuple: 2 rows of 16 bytes leave in a beat, and 4 tuples of 8 enter.
        (400, 2.0, (0, 0), "rows"),
        (400, 1.9, (0, 0), "engine"),
        (400, 1.0, (0, 0.5), "rows"),
        (4, 4.0, (0, 0), "engine"),
        (0, 4.0, (0, 0), "engine"),
        (4, 2.0, (0.5, 0), "stalls"),
        (4, 1.9, (0.5, 0), "engine"),
    ],
)
def test_rows_that_leave_more_slowly_than_tuples_enter(tmp_path, rows, predicted, stalls, name):
    """Tuples of 8 bytes, rows of 16."""
    (tmp_path / "q.cql").write_text(
        "CREATE INPUT STREAM S (k uint(32), v int); SELECT k, sum(v), max(v) FROM S GROUP BY k;"
    )
    design = resolve(tmp_path / "q.cql", options=["lanes=4", "bus_bits=256"]).design
    assert (design.input.packing.bytes, design.rows.packing.bytes) == (8, 16)
    table = pa.table({"window": [0] * rows})
    prediction = replace(design.prediction, tuples_per_cycle=predicted)
    bound = RateBound.of_run(design, prediction, 400, None, table, stalls)
    assert bound.name == name
    assert ("m_axis carries 2 rows per beat" in bound.text) == (name == "rows")
    without_stalls = "without stalls the bus carries 4 tuples per beat"
    assert (without_stalls in bound.text) == (name == "stalls")


def test_stalls_of_a_bus_that_is_wider_than_the_engine(examples):
    """A bus of 4 tuples for 2 lanes: stalls in half of the cycles leave 2 tuples per cycle."""
    options = ["lanes=2", "bus_bits=256"]
    design = resolve(examples / "cluster_groupby.cql", options=options).design
    prediction = replace(design.prediction, tuples_per_cycle=2.0)
    table = pa.table({"window": [0] * 4})
    bound = RateBound.of_run(design, prediction, 400, None, table, (0.5, 0))
    assert bound.text == "the engine; the bus of 256 bits carries 4 tuples per beat"
    slower = replace(design.prediction, tuples_per_cycle=1.0)
    bound = RateBound.of_run(design, slower, 400, None, table, (0.75, 0))
    assert bound.text == "the stalls of the input; without stalls the bus carries 4 tuples per beat"


KEYS = "CREATE INPUT STREAM S (k uint(16), v int(64)); SELECT k, sum(v) FROM S "
WORST = "[PARTITION BY k ROWS 64 SLIDE 1];"


@pytest.mark.parametrize(
    ("window", "settings", "stage"),
    [
        # A window of 64 values has 7 or 8 lines before its last line. Four ports of 128 bits move a
        # line in each cycle, and one port a quarter of a line. The aggregation takes all lines.
        (WORST, ["ports=4", "port_bits=128"], ", by its aggregation of windows"),
        (WORST, ["ports=1", "port_bits=128"], ", by its reads of lines at the memory ports"),
        (WORST, ["memory=dram-only", "ports=1"], ", by its reads of lines at the memory ports"),
        ("[PARTITION BY k ROWS 64 SLIDE 64];", ["ports=4"], ""),
    ],
)
def test_the_slowest_stage_of_windows_of_keys(tmp_path, window, settings, stage):
    (tmp_path / "q.cql").write_text(KEYS + window)
    options = [*settings, "window_max=64"]
    design = resolve(tmp_path / "q.cql", engine="streamzip", options=options).design
    bound = RateBound.of(design, design.prediction)
    assert bound.text.startswith(f"the engine{stage}; the bus of ")
    assert bound.values()["rate_bounded_by"] == "engine"
    full = replace(design.prediction, tuples_per_cycle=1.0)
    assert RateBound.of(design, full).text.startswith("the engine; the bus of ")


def test_the_demo_is_bounded_by_its_bus():
    """Four lanes, and a board whose streams are as wide as a memory port: 2 tuples of 64 bits."""
    design = resolve(demo.EXAMPLES / "cluster_groupby.toml", board=demo.BOARD).design
    bound = RateBound.of(design, design.prediction)
    assert bound.text == "the bus of 128 bits: it carries 2 tuples per beat, the engine takes 4"
    assert bound.values() == {"rate_bounded_by": "bus", "tuples_per_beat": 2}
    assert design.prediction.tuples_per_cycle == 2
