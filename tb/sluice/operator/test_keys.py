"""Checks the windows of keys that the operator gives, with the plain reference as the engine."""

import random

import numpy as np
import pytest

from query.parser import parse
from sluice.operator import keys
from tb.golden import reference
from tb.host.spark.plain_task import PlainTask, as_rows

SCHEMA = "CREATE INPUT STREAM S (k uint(4), x int(8), t uint(64)); SELECT k, sum(x) AS s FROM S "


@pytest.mark.parametrize("low", [0, 20_000])
@pytest.mark.parametrize("window", ["RANGE 30 SLIDE 10", "RANGE 9 SLIDE 9", "RANGE 25 SLIDE 4"])
def test_windows_of_time_far_from_the_start(low, window):
    """An engine counts 2^32 slides, so it numbers windows from a begin near its tuples.

    Some tuples come late, some before the start, and one that WHERE drops is much older than all.
    """
    query = parse(f"{SCHEMA} [PARTITION BY k {window} WATTR t] WHERE x > -9;")
    rng, time, tuples = random.Random(low), low, []
    for _ in range(150):
        time += rng.choice((0, 1, 2, 9))
        late = max(low, time - rng.choice((0, 0, 60)))
        tuples.append({"k": rng.randrange(3), "x": rng.randrange(-8, 9), "t": late})
    tuples.append({"k": 0, "x": -9, "t": 0})
    task, start = PlainTask(query), 11
    columns = {name: np.array([t[name] for t in tuples]) for name in ("k", "x", "t")}
    rows, counts = keys._answered(query, task, columns, columns["x"] > -9, start)
    expected, late_count = reference.run(query, tuples, start)
    assert as_rows(rows) == expected
    assert counts["late"] == late_count > 5
    assert max(task.windows) < 200


def test_windows_of_rows_have_no_start():
    query = parse(f"{SCHEMA} [PARTITION BY k ROWS 2 SLIDE 1];")
    columns = {name: np.array([1, 1, 1]) for name in ("k", "x", "t")}
    rows, _ = keys._answered(query, PlainTask(query), columns, np.ones(3, np.bool_), None)
    assert rows["window"].tolist() == [0, 1]
