"""Tests whether the bus or the engine bounds the rate."""

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
    bound = RateBound.of(design, design.prediction.tuples_per_cycle)
    assert bound.name == name
    assert text in bound.text
    assert bound.text.startswith(f"the {name}")
    lanes = settings[0].removeprefix("lanes=")
    assert (f"the engine takes {lanes}" in bound.text) == (name == "bus")
    assert bound.values()["rate_bounded_by"] == name


def test_an_engine_that_is_slower_than_its_bus(examples):
    """Four lanes behind a bus of 2 tuples: the bus bounds, unless the engine is slower still."""
    design = resolve(examples / "cluster_groupby.cql", options=["lanes=4", "bus_bits=128"]).design
    assert RateBound.of(design, 2.0).name == "bus"
    assert RateBound.of(design, 1.9).name == "engine"


@pytest.mark.parametrize(
    ("rows", "predicted", "stalls", "name"),
    [
        # A row for every tuple: 2 of 16 bytes leave in a beat of 32, and 4 tuples of 8 enter.
        (400, 2.0, (0, 0), "rows"),
        (400, 1.9, (0, 0), "engine"),
        (400, 1.0, (0, 0.5), "rows"),
        (4, 4.0, (0, 0), "engine"),
        (0, 4.0, (0, 0), "engine"),
        (4, 2.0, (0.5, 0), "engine"),
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
    bound = RateBound.of_run(design, predicted, 400, table, stalls)
    assert bound.name == name
    assert ("m_axis carries 2 rows per beat" in bound.text) == (name == "rows")


def test_the_demo_is_bounded_by_its_bus():
    """Four lanes, and a board whose streams are as wide as a memory port: 2 tuples of 64 bits."""
    design = resolve(demo.EXAMPLES / "cluster_groupby.toml", board=demo.BOARD).design
    bound = RateBound.of(design, design.prediction.tuples_per_cycle)
    assert bound.text == "the bus of 128 bits: it carries 2 tuples per beat, the engine takes 4"
    assert bound.values() == {"rate_bounded_by": "bus", "tuples_per_beat": 2}
    assert design.prediction.tuples_per_cycle == 2
