"""Runs engines in the tasks of Spark: rows and counters are those of the plain reference."""

import pytest
from pyspark.errors import PythonException

import host.spark
import sluice
from query.errors import UserError
from tb.host.spark.frames import by_key, expected, plain, random_table, sums_of, with_settings

pytestmark = [pytest.mark.hdl, pytest.mark.spark]

#: Settings and numbers of parts of each design; the time at which window 0 begins, if it is given.
POINTS = {
    "group-by": ({}, (3,)),
    "swag": ({"size": 8, "slide": 4}, (1, 3, 5)),
    "swag, select": ({"size": 8, "slide": 8}, (1, 3)),
    "two-stacks": ({"size": 5, "slide": 2}, (4,)),
    "window-id": ({"slack": 3}, (1, 4)),
    "pane": ({"range": 20, "slide": 5, "slack": 3}, (4,), 12),
    "pane, sequential": ({}, (2, 7)),
    "streamzip": ({"size": 6, "slide": 2}, (3,)),
    "streamzip, percentiles": ({"size": 4, "slide": 2}, (1, 3)),
    "streamzip, time": ({"range": 6, "slide": 2}, (3,), 31),
}
DAILY = {"pane", "streamzip", "two-stacks"}


@pytest.mark.in_turn
@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=() if n in DAILY else pytest.mark.regress) for n in POINTS]
)
def test_rows_and_counters_are_those_of_the_reference(generated, spark, cache, name):
    design, directory = generated(name)
    settings, parts, *starts = POINTS[name]
    start = starts[0] if starts else None
    query = with_settings(design.query, settings)
    table = random_table(query, 200, seed=len(name))
    rows, counts = expected(query, table, start)
    assert start is None or rows != expected(query, table)[0]
    frame = spark.createDataFrame(table).repartition(3)
    for part_count in parts:
        results = host.spark.windows(
            frame, directory, order="number", start=start, settings=settings, partitions=part_count,
            counters=True, backend="simulation", options={"cache": str(cache / "bench")},
        )  # fmt: skip
        sums = sums_of(results.counters)
        actual = by_key(query, [plain(row) for row in results.rows.collect()])
        assert repr(actual) == repr(by_key(query, rows))  # so that -0 is not +0
        sums["filtered"] += sums["nan"]
        assert {name: sums[name] for name in counts} == counts
        assert (sums["replayed"] > 0) == (part_count > 1 and by_key(query, rows) is rows)
        results.results.unpersist()
    assert len(rows) > 3


def test_no_tuples_give_no_rows(generated, spark, cache):
    design, directory = generated("two-stacks")
    frame = spark.createDataFrame(random_table(design.query, 1, 0)).limit(0)
    options = {"cache": str(cache / "bench")}
    assert sluice.windows(frame, directory, order="number", options=options).collect() == []


@pytest.mark.in_turn
def test_executors_need_only_the_rooms_of_tasks(generated, spark, cache, monkeypatch):
    """A task imports neither the library nor the command line; a back end may be a function.

    Spark runs tasks with another environment in new processes. A process of an earlier test may
    have imported any module.
    """
    monkeypatch.setitem(spark.sparkContext.environment, "SLUICE_TEST", "new processes")
    design, directory = generated("two-stacks")
    table = random_table(design.query, 40, 3)
    frame, folder = spark.createDataFrame(table), str(cache / "bench")

    def backend(description, addresses):
        import sys

        from host.spark.task import RESOURCE
        from sim.host_simulation import CompiledSimulation

        assert not {"sluice", "gen", "tb"} & sys.modules.keys()
        assert (RESOURCE, addresses) == ("fpga", ())
        return CompiledSimulation(description, cache=folder)

    rows = sluice.windows(frame, directory, order="number", backend=backend).collect()
    assert [plain(row) for row in rows] == expected(design.query, table)[0]


def test_another_design_on_an_executor_is_refused(generated, spark):
    """The digest of the driver's manifest goes to the tasks."""
    design, directory = generated("two-stacks")
    frame = spark.createDataFrame(random_table(design.query, 5, 0))
    rows = sluice.windows(frame, directory, order="number")
    manifest = directory / "manifest.json"
    manifest.write_text(manifest.read_text() + "\n")
    with pytest.raises(PythonException, match="has another manifest than on the driver"):
        rows.collect()


def test_mistakes_are_one_line(generated, spark, tmp_path):
    design, directory = generated("two-stacks")
    frame = spark.createDataFrame(random_table(design.query, 5, 0))
    other = sluice.parse("CREATE INPUT STREAM S (x int(7)); SELECT sum(x) FROM S [ROWS 2 SLIDE 1];")
    calls = {
        "a directory that `sluice generate` has written": (frame, tmp_path, {}),
        "there is no column x, only: y, number": (frame.drop("x"), directory, {}),
        "x: a date is no value for int(7)": (
            frame.selectExpr("y", "number", "current_date() as x"), directory, {},
        ),
        "the order of arrival is unknown": (frame, directory, {"order": None}),
        "order: there is no column m": (frame, directory, {"order": "m"}),
        "is of another query: its engine answers": (frame, directory, {"query": other}),
        "waa is no setting": (frame, directory, {"settings": {"waa": 2}}),
        "slide must be at most size": (frame, directory, {"settings": {"ws": 2, "wa": 3}}),
        "partitions must be an integer from 1 to 1,000,000, not 0": (
            frame, directory, {"partitions": 0},
        ),
        "1,000,000, not 1000000000000": (frame, directory, {"partitions": 10**12}),
        "1,000,000, not True": (frame, directory, {"partitions": True}),
        "order must be a str, not int": (frame, directory, {"order": 5}),
        "settings must be a dict": (frame, directory, {"settings": [("ws", 2)]}),
        "options must be a dict": (frame, directory, {"options": 5}),
        "backend must be one of simulation, pynq, udp": (frame, directory, {"backend": "nope"}),
        "or a function that makes a Backend, not 5": (frame, directory, {"backend": 5}),
        "start is where": (frame, directory, {"start": 3}),
        "windows takes a Spark DataFrame, not dict": ({"x": [1]}, directory, {}),
    }  # fmt: skip
    for text, (df, place, arguments) in calls.items():
        with pytest.raises(UserError) as error:
            sluice.windows(df, place, **{"order": "number"} | arguments)
        assert text in str(error.value)
        assert "\n" not in str(error.value)
