"""Checks the tuples of a generated bench: the same each time, and of all cases of the query."""

import pytest

from gen.cocotb_bench.made_tuples import (
    GREATEST_COUNT,
    SELECTED,
    USUAL_COUNT,
    made_tuples,
    usual_count,
)
from gen.prediction.overruns import overrun_count
from gen.prediction.selected_tuples import passing, raw_columns
from gen.simulate.table_size import entries_for, keys_of
from query.parser import parse
from query.types import String
from query.window import Range, WholeStream
from rtl.engine import ENGINES
from tb.gen.readmes import KINDS

ROWS = "CREATE INPUT STREAM S (k uint(8), x int(8)); SELECT {} FROM S {};"


@pytest.mark.parametrize("name", KINDS)
def test_the_same_tuples_each_time(name):
    design = KINDS[name]
    first, second, other = (made_tuples(design, seed=seed) for seed in (1, 1, 2))
    assert str(first.table.to_pylist()) == str(second.table.to_pylist())
    assert str(first.table.to_pylist()) != str(other.table.to_pylist())
    assert first.table.column_names == [column.name for column in design.query.columns]


def columns_of_numbers(query):
    """Returns the columns of numbers that are neither the key nor the time."""
    other = {query.key.name} if query.key is not None else set()
    if isinstance(query.window, Range):
        other.add(query.window.attribute.name)
    return [c for c in query.columns if c.name not in other and not isinstance(c.type, String)]


@pytest.mark.parametrize(
    "name", [n for n, design in KINDS.items() if columns_of_numbers(design.query)]
)
def test_numbers_are_also_at_the_ends_of_their_types(name):
    """Integers have both ends and 0, floats a NaN; keys and times are drawn in other ways."""
    tables = [made_tuples(KINDS[name], seed=seed).table for seed in (1, 2, 3)]
    for column in columns_of_numbers(KINDS[name].query):
        values = [value for table in tables for value in table[column.name].to_pylist()]
        if column.type.floating:
            assert any(value != value for value in values)
        else:
            assert {column.type.raw_min, 0, column.type.raw_max} <= set(values)


def test_floats_as_keys():
    """Each key has a place of its own in the table, by the bits of the float."""
    text = "CREATE INPUT STREAM S (k double, v int); SELECT k, sum(v) FROM S "
    query = parse(f"{text}[PARTITION BY k ROWS 8 SLIDE 2];")
    design = ENGINES["streamzip"](query=query, entries=16, ways=1)
    keys = keys_of(query, made_tuples(design))
    assert len(keys) > 1
    assert entries_for(keys[::-1], 64, 1, 16, 16) == 16


@pytest.mark.parametrize("name", [n for n, design in KINDS.items() if design.query.where])
def test_where_drops_a_part(name):
    query = KINDS[name].query
    tuples = made_tuples(KINDS[name])
    share = passing(query, raw_columns(query, tuples)).mean()
    assert SELECTED - 0.15 < share < SELECTED + 0.15


@pytest.mark.parametrize(
    "name", [n for n, design in KINDS.items() if isinstance(design.query.window, Range)]
)
def test_times_are_in_disorder_and_some_are_late(name):
    window = KINDS[name].query.window
    times = made_tuples(KINDS[name]).table[window.attribute.name].to_pylist()
    greatest, distances = times[0], []
    for time in times:
        greatest = max(greatest, time)
        distances.append(greatest - time)
    span = min(window.size + 5 * window.slide, (window.attribute.type.raw_max - times[0]) // 2)
    assert greatest - min(times) >= span
    late = sum(distance > window.slack for distance in distances)
    assert 0 < late < len(times) / 10
    is_disordered = sum(distance > 0 for distance in distances) > len(times) / 3
    assert is_disordered == (window.slack > 1)


@pytest.mark.parametrize("name", [n for n in KINDS if n.startswith("streamzip")])
def test_a_table_evicts_none_of_the_keys_in_any_order(name):
    design, parameters = KINDS[name], KINDS[name].parameters
    keys = keys_of(design.query, made_tuples(design))
    assert len(keys) > 1
    entries, ways = parameters["entries"], parameters["ways"]
    for order in (keys, keys[::-1], sorted(keys)):
        width = design.query.partition.type.width
        assert entries_for(order, width, ways, entries, entries) == entries


@pytest.mark.parametrize(
    ("items", "window", "count"),
    [
        ("k, sum(x)", "GROUP BY k", USUAL_COUNT),
        ("sum(x)", "[ROWS 16 SLIDE 4]", USUAL_COUNT),
        ("sum(x)", "[ROWS 1000 SLIDE 1]", 1330),  # 1,000 tuples and 64 windows, and the dropped
        ("sum(x)", "[ROWS 1000000 SLIDE 1]", GREATEST_COUNT),
        ("k, sum(x)", "[PARTITION BY k ROWS 100 SLIDE 10]", 1350),  # 6 keys
        ("k, sum(x)", "[PARTITION BY k ROWS 200 SLIDE 10]", 700),  # 2 keys
    ],
)
def test_as_many_tuples_as_windows_need(items, window, count):
    assert usual_count(parse(ROWS.format(items, window))) == count


def test_a_number_of_tuples():
    design = KINDS["pane"]
    assert isinstance(KINDS["group-by"].query.window, WholeStream)
    assert len(made_tuples(design, 17)) == 17
    short = KINDS["window-id, stream"]
    assert len(made_tuples(short)) == short.stream_max == 255


@pytest.mark.parametrize(
    ("window", "time", "options"),
    [
        ("RANGE 200 SLIDE 50", "uint(8)", {"codec": "base-delta", "window_max": 16}),
        ("RANGE 200 SLIDE 190", "uint(8)", {"window_max": 16, "ports": 1, "line_values": 2}),
        ("RANGE 200 SLIDE 20", "uint(16)", {"codec": "xor", "window_max": 8, "ports": 1}),
    ],
)
def test_rings_have_room_for_all_tuples(window, time, options):
    """The usual 300 tuples would be too many for these rings; with fewer a window still closes."""
    query = parse(
        f"CREATE INPUT STREAM S (k uint(6), x int(64), t {time});"
        f"SELECT k, max(x) FROM S [PARTITION BY k {window} WATTR t];"
    )
    design = ENGINES["streamzip"](query=query, marks=1, **options)
    assert overrun_count(design, made_tuples(design, USUAL_COUNT)) > 0
    tuples = made_tuples(design)
    assert overrun_count(design, tuples) == 0
    times = tuples.table["t"].to_pylist()
    assert max(times) - min(times) >= query.window.size
