"""Checks that the host class returns golden's rows in runs with changing settings and no reset."""

import numpy as np
import pytest

from golden.compare.tables import first_difference
from host import Engine
from query.types import Fixed
from query.window import Range
from tb.host.tables import expected, random_tuples, same_kinds

pytestmark = pytest.mark.hdl

#: Settings of consecutive runs, by the name of the design.
POINTS = {
    "group-by": ({}, {}, {}),
    "group-by, select": ({}, {}, {}),
    "swag": ({}, {"ws": 8, "wa": 4}, {"size": 4, "slide": 4}),
    "swag, select": ({}, {"ws": 8, "wa": 8}, {}),
    "two-stacks": ({}, {"ws": 5, "wa": 2}, {"ws": 5, "wa": 5}),
    "window-id": ({}, {"range": 20}, {"slack": 3}),
    "pane": ({}, {"range": 20, "slide": 5, "slack": 0}, {"slack": 3}),
    "pane, sequential": ({}, {"slack": 1}, {}),
    "streamzip": ({}, {"ws": 4, "wa": 2}, {"ws": 1, "wa": 1}),
    "streamzip, base-delta": ({}, {"ws": 6, "wa": 3}, {}),
    "streamzip, time": ({}, {"range": 6, "slide": 2}, {}),
}


def numbers_of(design, settings, changes):
    """Returns the settings after ``configure(**changes)``, by register name and in raw units."""
    terms = {"ws": "size", "wa": "slide"}
    return settings | {terms.get(name, name): value for name, value in changes.items()}


DAILY = {"group-by", "two-stacks", "streamzip"}
#: Two designs also run with stalls; the engine benches stall all designs.
RUNS = [*((name, 0) for name in POINTS), ("group-by", 0.3), ("streamzip", 0.3)]


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("name", "stall"),
    [pytest.param(*r, marks=() if r[0] in DAILY else pytest.mark.regress) for r in RUNS],
)
def test_rows_are_those_of_golden(generated, cache, name, stall):
    design, directory = generated(name)
    settings = dict(design.settings.values)
    row_count = 0
    with Engine.open(
        directory, "simulation", cache=cache / "bench", stall_input=stall, stall_output=stall
    ) as engine:
        for seed, changes in enumerate(POINTS[name]):
            settings = numbers_of(design, settings, changes)
            tuples = random_tuples(design, 150 + seed, seed)
            answer = expected(design, tuples, settings, cache)
            start = {}
            if isinstance(design.query.window, Range) and design.query.where is not None:
                start = {"start": answer.start}
            rows = engine.configure(**changes, **start).run(tuples.table, raw=True)
            rows = same_kinds(rows, answer.rows)
            assert first_difference(answer.rows, rows) is None
            assert engine.last.tuples == len(tuples)
            assert engine.last.dropped.get("late", 0) == answer.late
            row_count += rows.num_rows
    assert row_count >= 3 * len(POINTS[name])


#: Faces of designs: bus widths that divide no tuple or row, and each kind of packet end.
FACES = (
    ("two-stacks", {"bus_bits": 32, "packets": "stream", "end_marker": True}),
    ("group-by", {"bus_bits": 128, "packets": "beats:3"}),
    ("pane", {"bus_bits": 64, "end_marker": True}),
    ("streamzip", {"bus_bits": 64, "end_marker": True}),
    ("two-stacks", {"bus": "avalon", "bus_bits": 32, "end_marker": True}),
    ("group-by", {"bus": "avalon"}),
    ("pane", {"bus": "avalon", "bus_bits": 128, "end_marker": True}),
    ("streamzip", {"bus": "avalon", "bus_bits": 64, "end_marker": True}),
    ("two-stacks", {"bus": "vitis", "bus_bits": 64, "end_marker": True}),
)


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("name", "face"),
    [pytest.param(*f, marks=() if f is FACES[0] else pytest.mark.regress) for f in FACES],
)
def test_faces_of_the_bus(generated, cache, name, face):
    """Rows are right in three runs, of which the second is an empty stream."""
    design, directory = generated(name, **face)
    settings = design.settings.values
    with Engine.open(
        directory, "simulation", cache=cache / "bench", stall_input=0.2, stall_output=0.2
    ) as engine:
        for seed, count in enumerate((100, 0, 30)):
            tuples = random_tuples(design, count, seed)
            answer = expected(design, tuples, settings, cache)
            rows = same_kinds(engine.run(tuples.table, raw=True), answer.rows)
            assert first_difference(answer.rows, rows) is None
            assert (rows.num_rows > 0) == (count > 0)


@pytest.mark.regress
def test_fixed_point_is_scaled_both_ways(generated, cache):
    """Values are rounded to the column's last place, and sums of rounded values are exact."""
    design, directory = generated("streamzip, base-delta")
    (column,) = (c for c in design.query.schema.columns if isinstance(c.type, Fixed))
    assert column.type == Fixed(20, 12)
    key = design.query.key.name
    values = np.array([1.5, -0.25, 1 / 3, 2.0**-13, 3 * 2.0**-13, 7.0])
    table = {key: np.zeros(6, np.int64), column.name: values}
    with Engine.open(directory, "simulation", cache=cache / "bench") as engine:
        rows = engine.configure(ws=1, wa=1).run(table)
    rounded = [1.5, -0.25, 1365 / 4096, 0.0, 2 / 4096, 7.0]
    assert rows[f"sum({column.name})"].tolist() == rounded
    assert rows["count(*)"].tolist() == [1] * 6


@pytest.mark.in_turn
def test_models_lie_in_the_users_cache(generated, tmp_path, monkeypatch):
    """Without an argument ``cache``, models are in the cache of `sluice simulate`."""
    _design, directory = generated("group-by")
    monkeypatch.chdir(tmp_path)
    files_before = set(tmp_path.iterdir())
    with Engine.open(directory, "simulation") as engine:
        engine.run({field.name: [1] for field in engine.description.tuples.fields})
        assert engine.counters()["tuples"] == 1
    assert set(tmp_path.iterdir()) == files_before
