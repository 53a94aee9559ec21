"""Checks streams that are cut into parts: the rows of the parts are those of the whole stream."""

import random

import numpy as np
import pytest

from host.spark.cuts import Cut, RowWindows, TimeWindows
from host.spark.segment import is_timely, run_segment
from query.parser import parse
from tb.golden import reference
from tb.host.spark.plain_task import PlainTask, as_rows

SCHEMA = "CREATE INPUT STREAM S (k uint(4), x int(8), t {});"
ROWS = (
    "SELECT count(*) AS n, sum(x) AS s FROM S [ROWS {} SLIDE {}];",
    "SELECT k, count(*) AS n FROM S [ROWS {} SLIDE {}] WHERE x > 0 GROUP BY k;",
)
TIMES = (
    "SELECT count(*) AS n, sum(x) AS s FROM S [RANGE {} SLIDE {} WATTR t SLACK {}];",
    "SELECT count(*) AS n, max(x) AS m FROM S [RANGE {} SLIDE {} WATTR t SLACK {}] WHERE x > 0;",
)


def test_the_example_of_the_document():
    assert RowWindows(4, 2).cut(7) == Cut(window=2, threshold=4)
    assert RowWindows(4, 2).cut(3) == Cut(window=0, threshold=0)
    assert RowWindows(4, 2).cut(4) == Cut(window=1, threshold=2)


@pytest.mark.parametrize("slack", [0, (1 << 63) - 1, 1 << 63, (1 << 64) - 1])
def test_any_slack(slack):
    windows = TimeWindows(size=20, slide=10, slack=slack, time="t", start=0)
    times = np.array([0, 1 << 40, 5], np.int64)
    assert is_timely(windows, times, 0).tolist() == [True, True, slack > 0]


def test_times_that_are_more_than_63_bits_apart():
    """From -2^62 to 2^62 are 2^63, one more than the greatest number of 64 bits with a sign."""
    start = -(1 << 62)
    windows = TimeWindows(size=20, slide=10, slack=0, time="t", start=start)
    times = np.array([start, 1 << 62, 0], np.int64)
    assert is_timely(windows, times, start).tolist() == [True, True, False]


def test_a_cut_of_time():
    """A window is closed if it ends at or before the punctuation that the newest time makes."""
    windows = TimeWindows(size=20, slide=10, slack=5, time="t", start=0)
    assert windows.punctuation(47) == 40  # 47 - 5 = 42, rounded down
    assert windows.cut(47) == Cut(window=3, threshold=30)  # window 2 ends at 40
    assert windows.cut(4) == Cut(window=0, threshold=0)
    assert windows.cut(None) == Cut(window=0, threshold=0)


def random_tuples(rng, count, low, disorder):
    """Returns tuples whose times mostly ascend from ``low``."""
    tuples, time = [], low
    for _ in range(count):
        time += rng.choice((0, 0, 1, 2, 3, 30))
        late = max(low, time - rng.randrange(disorder + 1))
        tuples.append({"k": rng.randrange(3), "x": rng.randrange(-9, 10), "t": late})
    return tuples


def parts_of(query, windows, tuples, places):
    """Returns the rows of all parts of a stream that is cut at ``places``, and their summed counts.

    An engine gets each part, after the earlier tuples that its first windows need.
    """
    places = [0, *places]
    cuts = []
    for place in places:
        earlier = [t for t in tuples[:place] if reference.arrives(query, t)]
        is_timed = isinstance(windows, TimeWindows)
        measure = max((t["t"] for t in earlier), default=None) if is_timed else len(earlier)
        cuts.append((windows.cut(measure), replays_of(windows, windows.cut(measure), earlier)))
    rows, sums = [], {}
    for i, (cut, replays) in enumerate(cuts):
        added = tuples[places[i] : places[i + 1] if i + 1 < len(places) else None]
        columns = {
            name: np.array(
                [t[name] for t in replays + added], np.uint64 if name == "t" else np.int64
            )
            for name in ("k", "x", "t")
        }
        end = cuts[i + 1][0].window if i + 1 < len(cuts) else None
        part_rows, counts = run_segment(PlainTask(query), windows, columns, len(replays), cut, end)
        rows += as_rows(part_rows)
        sums = {name: sums.get(name, 0) + count for name, count in counts.items()}
    return rows, sums


def replays_of(windows, cut, earlier):
    if isinstance(windows, TimeWindows):
        return [t for t in earlier if t["t"] >= cut.threshold]
    return earlier[cut.threshold :]


def check(query, windows, tuples, rng, start=None):
    """Compares rows and counts for one cut, at each third place, and for four cuts at random."""
    expected, late = reference.run(query, tuples, start)
    accepted = sum(reference.arrives(query, t) for t in tuples)
    cuts = [[place] for place in range(0, len(tuples) + 1, 3)]
    cuts += [sorted(rng.choices(range(len(tuples) + 1), k=4)) for _ in range(3)]
    for places in cuts:
        rows, counts = parts_of(query, windows, tuples, places)
        assert rows == expected
        assert counts["tuples"] == len(tuples)
        assert counts["rows"] == len(expected)
        assert counts["filtered"] == len(tuples) - accepted
        assert counts["late"] == (late or 0)
    return len(expected), late


@pytest.mark.parametrize("text", ROWS)
def test_windows_of_rows(text):
    rng = random.Random(1)
    row_count = 0
    for _ in range(25):
        size = rng.randrange(1, 12)
        slide = rng.randrange(1, size + 1)
        query = parse(SCHEMA.format("uint(16)") + text.format(size, slide))
        tuples = random_tuples(rng, rng.randrange(40), 0, 0)
        row_count += check(query, RowWindows(size, slide), tuples, rng)[0]
    assert row_count > 100


@pytest.mark.parametrize("text", TIMES)
@pytest.mark.parametrize("low", [0, (1 << 64) - 2000])
def test_windows_of_time(text, low):
    """Times are at both ends of 64 bits; some tuples are late, and some lie before the start."""
    rng = random.Random(low + 2)
    row_count = late_count = 0
    for _ in range(25):
        size = rng.randrange(1, 50)
        slide = rng.randrange(1, size + 1)
        slack = rng.choice((0, 1, 7, 100))
        query = parse(SCHEMA.format("uint(64)") + text.format(size, slide, slack))
        tuples = random_tuples(rng, rng.randrange(40), low, 20)
        accepted = [t["t"] for t in tuples if reference.arrives(query, t)]
        if not accepted:
            continue
        start = (accepted[0] - slack) // slide * slide
        if rng.random() < 0.3:
            start = accepted[0] + rng.randrange(-10, 30)
        windows = TimeWindows(size, slide, slack, "t", start)
        rows, late = check(query, windows, tuples, rng, start)
        row_count, late_count = row_count + rows, late_count + late
    assert row_count > 300
    assert late_count > 20
