"""Checks the software engines against PySpark, window by window, on random streams."""

import numpy as np
import pyarrow as pa
import pytest

from golden.answer import full_answer, nan_count
from golden.cpu.engines import Algorithm, run
from golden.generate.cluster import cluster
from golden.tuples import Tuples, arrow_type
from query.parser import parse

pytestmark = [pytest.mark.spark, pytest.mark.xdist_group("cpu")]

TUPLES = 400
COLUMNS = {"i": np.int32, "l": np.int64, "f": np.float32, "d": np.float64}
STREAM = "CREATE INPUT STREAM S (t int(64), i int, l int(64), f float, d double); "
FUNCTIONS = ("sum", "min", "max", "avg")
QUICK = [
    "ROWS 7 SLIDE 7",
    "ROWS 33 SLIDE 1",
    "RANGE 1 SLIDE 1 WATTR t",
    "RANGE 30 SLIDE 7 WATTR t",
]
REGRESS = [
    "ROWS 1 SLIDE 1",
    "ROWS 16 SLIDE 8",
    "ROWS 100 SLIDE 33",
    "RANGE 16 SLIDE 4 WATTR t",
    "RANGE 40 SLIDE 40 WATTR t",
]


def stream(seed, nan=0.0):
    """Returns columns of each type over its whole range, and times with gaps and repetitions."""
    rng = np.random.Generator(np.random.PCG64(seed))
    columns = {"t": np.cumsum(rng.choice([0, 0, 0, 1, 1, 2, 5, 60], TUPLES)) - 300}
    for name, kind in COLUMNS.items():
        if np.dtype(kind).kind == "i":
            edges = np.iinfo(kind)
            columns[name] = rng.integers(edges.min, edges.max, TUPLES, kind, endpoint=True)
            columns[name][rng.random(TUPLES) < 0.2] = edges.min
        else:
            values = rng.normal(size=TUPLES) * 10.0 ** rng.integers(-6, 7, TUPLES)
            columns[name] = values.astype(kind)
            columns[name][rng.random(TUPLES) < 0.1] = -0.0
            columns[name][rng.random(TUPLES) < 0.1] = 0.0
            columns[name][rng.random(TUPLES) < nan] = np.nan
    return columns


def check(spark, columns, window, names=tuple(COLUMNS), start=None):
    """Compares PySpark and every algorithm: all aggregates of the named columns."""
    items = [f"{function}({name}) AS {function}_{name}" for name in names for function in FUNCTIONS]
    query = parse(STREAM + f"SELECT count(*) AS count, {', '.join(items)} FROM S [{window}];")
    used = {c.name: pa.array(columns[c.name]).cast(arrow_type(c.type)) for c in query.columns}
    tuples = Tuples(query.schema, pa.table(used))
    answer = full_answer(query, spark, tuples, start)
    rows = answer.rows
    assert rows.num_rows > 0
    shape, nan = (query.window.size, query.window.slide), nan_count(query, tuples)
    if window.startswith("RANGE"):
        shape += (columns["t"], start)
    for algorithm in Algorithm:
        able = ("sum", "avg") if algorithm == Algorithm.SUBTRACT_ON_EVICT else FUNCTIONS
        for name in names:
            answer_ = run(algorithm, ["count", *able], columns[name], *shape)
            if window.startswith("RANGE"):
                assert answer_.end.tolist() == rows["window_end"].to_pylist()
            else:
                assert answer_.end is None
            assert (answer_.nan, answer_.late) == (nan, answer.late)
            assert answer_.columns["count"].tolist() == rows["count"].to_pylist()
            for function in able:
                expected = rows[f"{function}_{name}"].to_pylist()
                actual = answer_.masked(function).tolist()
                tolerance = error_bound(algorithm, function, columns[name], shape)
                place = f"{algorithm}: {function}({name}) [{window}]"
                assert [x is None for x in actual] == [x is None for x in expected], place
                assert near(actual, expected, tolerance), place


def near(actual, expected, tolerance):
    """Returns True if two columns differ by at most ``tolerance``; None requires equal bits."""
    if tolerance is None:  # the texts of -0 and +0 differ
        return actual == expected and [str(x) for x in actual] == [str(x) for x in expected]
    numbers = (np.array([0.0 if x is None else x for x in c]) for c in (actual, expected))
    return (np.abs(np.subtract(*numbers)) <= tolerance).all()


def error_bound(algorithm, function, values, shape):
    """Returns the largest distance to PySpark's results, as in docs/cpu.md; None if exact."""
    exact = values.dtype.kind == "i" or function in ("min", "max")
    if exact or algorithm == Algorithm.NON_INCREMENTAL:
        return None
    # Not by the algorithm under test, which could widen its own bound.
    absolute = np.abs(values).astype(np.float64)
    sizes = run(Algorithm.NON_INCREMENTAL, ["sum", "count"], absolute, *shape).columns
    bound = (2 * sizes["count"] + 2) * np.finfo(values.dtype).eps / 2 * sizes["sum"]
    if algorithm == Algorithm.SUBTRACT_ON_EVICT:
        bound += 4 * len(values) * 2.0**-53 * sizes["sum"].max()
    return bound / np.maximum(sizes["count"], 1) if function == "avg" else bound


#: In `make test` windows of rows have one type, and windows of time two others, because all
#: algorithms are compiled for each type.
ROWS_TYPES, RANGE_TYPES = ["d"], ["l", "f"]


@pytest.mark.in_turn
@pytest.mark.parametrize("window", QUICK)
def test_two_types(spark, window):
    check(spark, stream(seed=1), window, RANGE_TYPES if "RANGE" in window else ROWS_TYPES)


@pytest.mark.regress
@pytest.mark.parametrize("window", [*QUICK, *REGRESS])
def test_all_types(spark, window):
    check(spark, stream(seed=1), window)


@pytest.mark.in_turn
@pytest.mark.parametrize(
    "names", [RANGE_TYPES, pytest.param(list(COLUMNS), marks=pytest.mark.regress)], ids="".join
)
def test_start_and_late_tuples(spark, names):
    columns = stream(seed=2)
    check(spark, columns, "RANGE 30 SLIDE 7 WATTR t", names, start=int(columns["t"][50]) + 1)
    check(spark, columns, "RANGE 30 SLIDE 30 WATTR t", names, start=-400)


@pytest.mark.in_turn
def test_nans(spark):
    columns = stream(seed=3, nan=0.2)
    check(spark, columns, "ROWS 10 SLIDE 4", ["d"])
    check(spark, columns, "RANGE 10 SLIDE 4 WATTR t", ["f"])


@pytest.mark.in_turn
def test_the_cluster_trace(spark):
    """The query is the seed's (section 4.5): an average over 64 seconds, slide by slide."""
    trace = cluster(8_000, seed=5)
    time, cpu = trace["time"].to_numpy(), trace["cpu"].cast(pa.float32()).to_numpy()
    for slide in (1, 16):
        check(spark, {"t": time, "f": cpu}, f"RANGE 64 SLIDE {slide} WATTR t", ["f"])
