"""The host class: rows are golden's, run after run and with other settings, without any reset."""

import numpy as np
import pytest

from golden.comparison import first_difference
from host import Engine
from query.types import Fixed
from query.window import Range
from tb.host.tables import expected, random_tuples, same_kinds

pytestmark = pytest.mark.hdl

#: The engine's design, and the settings of three runs in a row.
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


def numbers_of(design, settings, given):
    """What the settings are behind those that were given, by their own names and in raw units."""
    terms = {"ws": "size", "wa": "slide"}
    return settings | {terms.get(name, name): value for name, value in given.items()}


DAILY = {"group-by", "two-stacks", "streamzip"}
#: With stalls, too: the benches have them for all.
RUNS = [*((name, 0) for name in POINTS), ("group-by", 0.3), ("streamzip", 0.3)]


@pytest.mark.parametrize(
    ("name", "stall"),
    [pytest.param(*r, marks=() if r[0] in DAILY else pytest.mark.regress) for r in RUNS],
)
def test_rows_are_those_of_golden(generated, cache, name, stall):
    design, directory = generated(name)
    settings = dict(design.settings.values)
    some = 0
    with Engine.open(
        directory, "simulation", cache=cache / "bench", stall_input=stall, stall_output=stall
    ) as engine:
        for seed, given in enumerate(POINTS[name]):
            settings = numbers_of(design, settings, given)
            tuples = random_tuples(design, 150 + seed, seed)
            answer = expected(design, tuples, settings, cache)
            start = {}
            if isinstance(design.query.window, Range) and design.query.where is not None:
                start = {"start": answer.start}
            rows = engine.configure(**given, **start).run(tuples.table, raw=True)
            rows = same_kinds(rows, answer.rows)
            assert first_difference(answer.rows, rows) is None
            assert engine.last.tuples == len(tuples)
            assert engine.last.dropped.get("late", 0) == answer.late
            some += rows.num_rows
    assert some >= 3 * len(POINTS[name])


#: Of a design: widths that divide nothing, and each way in which packets can end.
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


@pytest.mark.parametrize(
    ("name", "face"),
    [pytest.param(*f, marks=() if f is FACES[0] else pytest.mark.regress) for f in FACES],
)
def test_faces_of_the_bus(generated, cache, name, face):
    """Two runs in a row, one of them empty in between."""
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
    """Values are those of the column, rounded to its last place; sums of them are exact."""
    design, directory = generated("streamzip, base-delta")
    (column,) = (c for c in design.query.schema.columns if isinstance(c.type, Fixed))
    assert column.type == Fixed(20, 12)
    key = design.query.key.name
    values = np.array([1.5, -0.25, 1 / 3, 2.0**-13, 3 * 2.0**-13, 7.0])
    table = {key: np.zeros(6, np.int64), column.name: values}
    with Engine.open(directory, "simulation", cache=cache / "bench") as engine:
        rows = engine.configure(ws=1, wa=1).run(table)
    kept = [1.5, -0.25, 1365 / 4096, 0.0, 2 / 4096, 7.0]
    assert rows[f"sum({column.name})"].tolist() == kept
    assert rows["count(*)"].tolist() == [1] * 6


def test_models_lie_in_the_users_cache(generated, tmp_path, monkeypatch):
    """Without a folder of one's own: in the same place as those of `sluice simulate`."""
    _design, directory = generated("group-by")
    monkeypatch.chdir(tmp_path)
    before = set(tmp_path.iterdir())
    with Engine.open(directory, "simulation") as engine:
        engine.run({field.name: [1] for field in engine.description.tuples.fields})
        assert engine.counters()["tuples"] == 1
    assert set(tmp_path.iterdir()) == before
