"""Divides random streams into micro-batches: their rows are those of one stream, each row once."""

import random

import numpy as np
import pyarrow as pa
import pytest

from host import HostError
from host.spark import stream_state
from host.spark.cuts import RowWindows, TimeWindows
from host.spark.key_state import KeyJob
from host.spark.saved import Saved
from host.spark.stream_state import MOST_WINDOWS, StreamJob
from query.parser import parse
from tb.golden import reference
from tb.host.spark.plain_task import PlainTask, as_rows

SCHEMA = "CREATE INPUT STREAM S (k {}, x {}, t {}); SELECT "
KINDS = {"uint(4)": np.int64, "string(3)": object, "float": np.float32, "uint(64)": np.uint64}
KEYS = {
    "uint(4)": (0, 1, 15),
    "string(3)": ("", "a", "abc"),
    "float": (0.0, -0.0, 1.5),
    "uint(64)": (0, 1, (1 << 64) - 1),
}


def random_tuples(rng, count, keys, values, low=0, disorder=0):
    tuples, time = [], low
    for _ in range(count):
        time += rng.choice((0, 0, 1, 2, 3, 30))
        late = max(low, time - rng.randrange(disorder + 1))
        tuples.append({"k": rng.choice(keys), "x": rng.choice(values), "t": late})
    return tuples


def rows_of(job, query, tuples, places):
    """Returns the rows of the micro-batches between places, the counts, and the saved tuples.

    The state passes through bytes after each micro-batch.
    """
    rows, sums, saved, saved_count = [], {}, None, 0
    floats = "f" if query.schema["x"].type.floating else "i"
    kinds = {"k": KINDS[str(query.schema["k"].type)], "x": f"{floats}8", "t": np.uint64}
    ends = [*places, len(tuples)]
    for begin, end in zip([0, *places], ends, strict=True):
        if begin == end:
            continue  # Spark calls nothing for a micro-batch without tuples
        batch = tuples[begin:end]
        columns = {name: np.array([t[name] for t in batch], kind) for name, kind in kinds.items()}
        accepted = np.array([reference.arrives(query, t) for t in batch])
        order = pa.array(range(begin, end))
        actual, counts, state = job.advance(saved, columns, accepted, order)
        saved = Saved.from_bytes(state.to_bytes(), "this")
        rows += as_rows(actual)
        saved_count = max(saved_count, len(saved.tuples["k"]))
        sums = {name: sums.get(name, 0) + count for name, count in counts.items()}
    return rows, sums, saved_count


def closed(query, tuples, start=None):
    """Returns the reference's rows without those that the end of a stream adds, and late tuples."""
    rows, late = reference.run(query, tuples, start)
    if query.partition is None and isinstance(job_windows(query, start), TimeWindows):
        times = [t["t"] for t in tuples if reference.arrives(query, t)]
        last = job_windows(query, start).punctuation(max(times)) if times else 0
        rows = [row for row in rows if row["window_end"] <= last]
    return rows, late or 0


def job_windows(query, start):
    window = query.window
    if hasattr(window, "slack"):
        return TimeWindows(window.size, window.slide, window.slack, "t", start)
    return RowWindows(window.size, window.slide)


def places_of(rng, count):
    """Yields the places that divide ``count`` tuples: none, one before each tuple, random ones."""
    yield []
    yield list(range(1, count))
    for _ in range(3):
        yield sorted(rng.choices(range(count + 1), k=rng.randrange(1, 6)))


def by_key(rows):
    return sorted(rows, key=lambda row: (repr(row["k"]), row["window"]))


@pytest.mark.parametrize("where", ["", "WHERE x > 0"])
def test_rows_of_the_whole_stream(where):
    rng, row_count = random.Random(3), 0
    for _ in range(7):
        size = rng.randrange(1, 9)
        slide = rng.randrange(1, size + 1)
        text = f"count(*) AS n, sum(x) AS s FROM S [ROWS {size} SLIDE {slide}] {where};"
        query = parse(SCHEMA.format("uint(4)", "int(8)", "uint(64)") + text)
        tuples = random_tuples(rng, rng.randrange(1, 40), (1, 2), range(-5, 9))
        job = StreamJob(PlainTask(query), job_windows(query, None), "this", False)
        for places in places_of(rng, len(tuples)):
            rows, counts, saved = rows_of(job, query, tuples, places)
            assert rows == reference.rows(query, tuples)
            assert counts["tuples"] == len(tuples)
            assert saved < size
            row_count += len(rows)
    assert row_count > 90


@pytest.mark.parametrize("where", ["", "WHERE x > 0"])
@pytest.mark.parametrize("low", [0, (1 << 64) - 2000])
def test_times_of_the_whole_stream(where, low):
    rng, row_count, late_count = random.Random(low + 4), 0, 0
    for _ in range(9):
        size = rng.randrange(1, 50)
        slide, slack = rng.randrange(1, size + 1), rng.choice((0, 1, 7, 60))
        text = (
            f"count(*) AS n, max(x) AS m FROM S [RANGE {size} SLIDE {slide} WATTR t SLACK {slack}]"
        )
        query = parse(SCHEMA.format("uint(4)", "int(8)", "uint(64)") + f"{text} {where};")
        tuples = random_tuples(rng, rng.randrange(1, 40), (1, 2), range(-5, 9), low, 20)
        times = [t["t"] for t in tuples if reference.arrives(query, t)]
        start = (times[0] - slack) // slide * slide if times else 0
        has_start = rng.random() < 0.5
        if has_start:
            start += rng.randrange(-20, 20)
        job = StreamJob(PlainTask(query), job_windows(query, start), "this", has_start)
        expected, late = closed(query, tuples, start)
        for places in places_of(rng, len(tuples)):
            rows, counts, _ = rows_of(job, query, tuples, places)
            assert rows == expected
            assert counts["late"] == late
            row_count, late_count = row_count + len(rows), late_count + late
    assert row_count > 90
    assert late_count > 15


@pytest.mark.parametrize(
    ("key", "floats"),
    [("uint(4)", True), ("string(3)", False), ("float", False), ("uint(64)", True)],
)
def test_rows_of_keys(key, floats):
    """Sums of floats, whose digits depend on the tree of additions, are the same to the bit."""
    rng, row_count = random.Random(5), 0
    values = [rng.uniform(-4, 9) for _ in range(30)] if floats else range(-5, 9)
    for _ in range(7):
        size = rng.randrange(1, 9)
        slide = rng.randrange(1, size + 1)
        text = f"k, sum(x) AS s FROM S [PARTITION BY k ROWS {size} SLIDE {slide}] WHERE x > -3;"
        types = (key, "double" if floats else "int(8)", "uint(64)")
        query = parse(SCHEMA.format(*types) + text)
        tuples = random_tuples(rng, rng.randrange(1, 60), KEYS[key], values)
        job = KeyJob(PlainTask(query), job_windows(query, None), "k", "this", floats)
        expected = by_key(reference.rows(query, tuples))
        for places in places_of(rng, len(tuples)):
            rows, counts, _ = rows_of(job, query, tuples, places)
            assert repr(by_key(rows)) == repr(expected)
            assert counts["rows"] == len(expected)
            row_count += len(rows)
    assert row_count > 120


@pytest.mark.parametrize("low", [0, (1 << 64) - 2000])
def test_times_of_keys(low):
    rng, row_count, late_count = random.Random(low + 6), 0, 0
    for _ in range(12):
        size = rng.randrange(1, 50)
        slide = rng.randrange(1, size + 1)
        text = f"k, sum(x) AS s FROM S [PARTITION BY k RANGE {size} SLIDE {slide} WATTR t]"
        query = parse(SCHEMA.format("uint(4)", "int(8)", "uint(64)") + f"{text} WHERE x > -3;")
        tuples = random_tuples(rng, rng.randrange(1, 60), (1, 2, 3), range(-5, 9), low, 40)
        start = low // slide * slide + rng.randrange(-20, 60)
        job = KeyJob(PlainTask(query), job_windows(query, start), "k", "this", False)
        rows, late = closed(query, tuples, start)
        expected = by_key(rows)
        for places in places_of(rng, len(tuples)):
            rows, counts, _ = rows_of(job, query, tuples, places)
            assert by_key(rows) == expected
            assert counts["late"] == late
            row_count, late_count = row_count + len(rows), late_count + late
    assert row_count > 90
    assert late_count > 40


@pytest.mark.parametrize(
    ("size", "slide", "start", "oldest", "window"),
    [
        (30, 10, 0, 1000, 96),
        (30, 10, 0, 39, 0),
        (30, 10, 100, 5, 0),
        (1, 1, -(1 << 63), (1 << 63) - 1, 1 << 62),
        (10, 5, 0, (1 << 64) - 1, ((1 << 63) - 1) // 5),
    ],
)
def test_the_start_of_a_run(size, slide, start, oldest, window):
    """A start is a signed number of 64 bits, and a window's number, too."""
    cut = TimeWindows(size, slide, 0, "t", start).near(oldest)
    assert (cut.window, cut.threshold) == (window, start + window * slide)


def test_windows_of_keys_are_numbered_near_their_tuples():
    """An engine counts 2^32 slides; these times are only 2^12 slides after the start."""
    text = "k, sum(x) AS s FROM S [PARTITION BY k RANGE 30 SLIDE 10 WATTR t] WHERE x < 9;"
    query = parse(SCHEMA.format("uint(4)", "int(8)", "uint(64)") + text)
    task = PlainTask(query)
    job = KeyJob(task, job_windows(query, 7), "k", "this", False)
    tuples = random_tuples(random.Random(1), 60, (1, 2, 3), range(-5, 9), 10 << 12, 40)
    tuples[25] = {"k": 1, "x": 9, "t": 0}  # WHERE drops this tuple, so its time does not matter
    expected, _ = closed(query, tuples, 7)
    rows, _, _ = rows_of(job, query, tuples, [20, 40])
    assert by_key(rows) == by_key(expected)
    assert min(row["window"] for row in rows) > 4000
    assert max(task.windows) < 200


def test_only_the_saved_tuples_of_keys_with_new_tuples_are_sent_again():
    """Of 100 keys with two saved tuples each, a micro-batch of 3 keys sends 6 tuples again."""
    query = parse(
        SCHEMA.format("uint(64)", "int(8)", "uint(64)")
        + "k, sum(x) AS s FROM S [PARTITION BY k ROWS 3 SLIDE 1];"
    )
    job = KeyJob(PlainTask(query), RowWindows(3, 1), "k", "this", False)

    def advance(saved, keys, order):
        column = np.ones(len(keys), np.int64)
        columns = {"k": np.array(keys, np.uint64), "x": column, "t": column.astype(np.uint64)}
        order = pa.array(range(order, order + len(keys)))
        return job.advance(saved, columns, column == 1, order)

    keys = list(range(100))
    rows, counts, saved = advance(None, keys * 2, 0)
    assert (as_rows(rows), counts["replayed"], len(saved.tuples["k"])) == ([], 0, 200)
    rows, counts, saved = advance(saved, [7, 99, 0], 200)
    assert [row["k"] for row in as_rows(rows)] == [7, 99, 0]
    assert (counts["tuples"], counts["replayed"], len(saved.tuples["k"])) == (3, 6, 200)
    rows, counts, saved = advance(saved, keys, 203)
    assert sorted((row["k"], row["window"], row["s"]) for row in as_rows(rows)) == [
        (key, int(key in (0, 7, 99)), 3) for key in keys
    ]
    assert (counts["tuples"], counts["replayed"], len(saved.tuples["k"])) == (100, 200, 200)


def test_saved_tuples_of_windows_of_time():
    """Neither a tuple of closed windows only, nor a late one, is saved.

    After 12 the punctuation is 10. So [0, 10) is closed and [5, 15) open, and the second 9 is late.
    """
    text = "SELECT count(*) AS n FROM S [RANGE 10 SLIDE 5 WATTR t SLACK 2];"
    query = parse(SCHEMA.format("uint(4)", "int(8)", "uint(64)").removesuffix("SELECT ") + text)
    job = StreamJob(PlainTask(query), job_windows(query, 0), "this", True)
    saved, order = None, 0
    for times, expected, remaining, late in (
        ([1, 9, 12], [2], [9, 12], 0),
        ([9], [], [9, 12], 1),
        ([17], [2], [12, 17], 0),
    ):
        column = np.ones(len(times), np.int64)
        columns = {"k": column, "x": column, "t": np.array(times, np.uint64)}
        numbers = pa.array(range(order, order + len(times)))
        rows, counts, saved = job.advance(saved, columns, column == 1, numbers)
        order += len(times)
        assert [row["n"] for row in as_rows(rows)] == expected
        assert saved.tuples["t"].tolist() == remaining
        assert counts["late"] == late


def test_a_state_of_another_job_is_refused():
    state = Saved("this", {"count": 1 << 70}, {"x": np.array([1])}, pa.table({"last": [2]}))
    again = Saved.from_bytes(state.to_bytes(), "this")
    assert (again.numbers, again.tuples["x"].tolist()) == ({"count": 1 << 70}, [1])
    with pytest.raises(HostError, match="the checkpoint is of another job"):
        Saved.from_bytes(state.to_bytes(), "that")


@pytest.mark.parametrize("is_keyed", [False, True])
def test_an_order_that_does_not_ascend_is_refused(is_keyed):
    by = "PARTITION BY k " if is_keyed else ""
    text = f"{'k, ' if is_keyed else ''}sum(x) FROM S [{by}ROWS 2 SLIDE 1];"
    query = parse(SCHEMA.format("uint(4)", "int(8)", "uint(64)") + text)
    windows = RowWindows(2, 1)
    job = (
        KeyJob(PlainTask(query), windows, "k", "this", False)
        if is_keyed
        else StreamJob(PlainTask(query), windows, "this", False)
    )
    column = np.ones(2, np.int64)
    columns = {"k": column, "x": column, "t": column.astype(np.uint64)}
    accepted = np.ones(2, np.bool_)
    _, _, saved = job.advance(None, columns, accepted, pa.array([3, 5]))
    with pytest.raises(HostError, match="the value 4 comes after 5 in the column of the order"):
        job.advance(saved, columns, accepted, pa.array([4, 9]))
    with pytest.raises(HostError, match="two tuples have the value 7"):
        job.advance(saved, columns, accepted, pa.array([7, 7]))
    for missing in (None, float("nan")):
        with pytest.raises(HostError, match="has values that are NULL or NaN"):
            job.advance(None, columns, accepted, pa.array([7.5, missing]))


def test_a_gap_with_too_many_windows_is_refused(monkeypatch):
    """The engine would send a row for each empty window of a gap."""
    text = "SELECT count(*) FROM S [RANGE 2 SLIDE 1 WATTR t];"
    query = parse(SCHEMA.format("uint(4)", "int(8)", "uint(64)").removesuffix("SELECT ") + text)
    job = StreamJob(PlainTask(query), TimeWindows(2, 1, 0, "t", 0), "this", True)
    column = np.ones(1, np.int64)
    columns = {"k": column, "x": column, "t": np.array([MOST_WINDOWS + 2], np.uint64)}
    with pytest.raises(HostError, match=r"^a gap in the times closes 100,000,001 windows, and"):
        job.advance(None, columns, column == 1, pa.array([1]))
    monkeypatch.setattr(stream_state, "MOST_WINDOWS", 5)
    columns["t"] = np.array([6], np.uint64)
    rows, _, saved = job.advance(None, columns, column == 1, pa.array([1]))
    assert len(rows["window"]) == 5
    columns["t"] = np.array([12], np.uint64)
    with pytest.raises(HostError, match="closes 6 windows, and at most 5"):
        job.advance(saved, columns, column == 1, pa.array([2]))


def test_a_micro_batch_with_too_many_windows_of_tuples_is_refused(monkeypatch):
    monkeypatch.setattr(stream_state, "MOST_WINDOWS", 5)
    schema = SCHEMA.format("uint(4)", "int(8)", "uint(64)")
    query = parse(f"{schema}count(*) FROM S [ROWS 1 SLIDE 1];")
    job = StreamJob(PlainTask(query), RowWindows(1, 1), "this", True)
    column = np.ones(6, np.int64)
    columns = {"k": column, "x": column, "t": np.arange(6, dtype=np.uint64)}
    with pytest.raises(HostError, match=r"^the micro-batch closes 6 windows, and at most 5"):
        job.advance(None, columns, column == 1, pa.array(range(6)))
