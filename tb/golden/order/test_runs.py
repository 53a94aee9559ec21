"""Checks the numbers of tuples by hand: two runs in one partition, and a run out of order."""

import random

import pytest

from golden.order.runs import PLACE, Run, Times, first_place, number_of

PLACES = [0, 1, 2, 3, 4, first_place(1), first_place(1, 1), first_place(3)]
LAST_RUNS = [Run(first_place(1, 1), 1), Run(first_place(3), 1)]
CASES = {
    "in order": ([Run(0, 5), Run(first_place(1), 2), Run(first_place(3), 1)], range(8)),
    "the last first": (
        [Run(first_place(3), 1), Run(0, 5), Run(first_place(1), 2)],
        [*range(1, 8), 0],
    ),
    "two in a partition": (
        [Run(2, 3), Run(first_place(1), 2), Run(0, 2), Run(first_place(3), 1)],
        [5, 6, 0, 1, 2, 3, 4, 7],
    ),
    # The first and the third run have the same shift, and another one lies between them.
    "of the same shift, with another between": (
        [Run(0, 1), Run(first_place(1), 1), Run(2, 1), Run(1, 1), Run(3, 2), *LAST_RUNS],
        [0, 3, 2, 4, 5, 1, 6, 7],
    ),
}


@pytest.mark.spark
@pytest.mark.parametrize("case", CASES)
def test_numbers(spark, interpreted, case):
    runs, numbers = CASES[case]
    frame = spark.createDataFrame([(place,) for place in PLACES], f"`{PLACE}` long")
    actual = [
        row["n"] for row in frame.withColumn("n", number_of(runs)).orderBy(f"`{PLACE}`").collect()
    ]
    assert actual == list(numbers)


@pytest.mark.in_turn
@pytest.mark.spark
def test_runs_in_any_order(spark, interpreted):
    """Files of equal length have the same shifts most often: 8 runs of 2 tuples, 200 orders."""
    rng = random.Random(2026)
    runs = [Run(first_place(k // 4, k % 4 * 2), 2) for k in range(8)]
    places = [run.first + i for run in runs for i in range(2)]
    frame = spark.createDataFrame([(place,) for place in places], f"`{PLACE}` long").coalesce(1)
    orders = [rng.sample(runs, len(runs)) for _ in range(200)]
    columns = [number_of(order).alias(f"n{k}") for k, order in enumerate(orders)]
    rows = frame.orderBy(f"`{PLACE}`").select(*columns).collect()
    for k, order in enumerate(orders):
        in_order = sorted(places, key=lambda place, order=order: _position(order, place))
        expected = [in_order.index(place) for place in places]
        assert [row[k] for row in rows] == expected, order


def _position(runs, place):
    """Returns the number of the run that has a place, and the place."""
    return next(k for k, r in enumerate(runs) if r.first <= place < r.first + r.count), place


@pytest.mark.spark
@pytest.mark.parametrize("place", [5, first_place(1, 2), first_place(2), first_place(4)])
def test_a_place_behind_the_runs_is_an_error(spark, place):
    """The partitions have changed since the runs were collected."""
    runs, _ = CASES["in order"]
    frame = spark.createDataFrame([(place,)], f"`{PLACE}` long")
    with pytest.raises(Exception, match="the partitions of the tuples have changed since"):
        frame.select(number_of(runs)).collect()


def test_times_of_parts():
    """The first time is that of the first part, whatever the smallest and the greatest are."""
    parts = [Times(5, 4, 6), Times(9, 3, 9), Times(7, 7, 8)]
    assert Times.of(parts) == Times(5, 3, 9)
    assert Times.of(parts[::-1]) == Times(7, 3, 9)
    assert Times.of([]) is None


@pytest.mark.parametrize(
    ("parts", "disorder"),
    [
        ([Times(5, 4, 6, 1), Times(7, 7, 8, 0)], 1),  # the second part begins after the first
        ([Times(5, 4, 6, 1), Times(9, 3, 9, 2)], 3),  # 3 is below 6
        ([Times(9, 9, 9, 0), Times(1, 1, 2, 0), Times(3, 3, 3, 0)], 8),  # 1 is below 9
        ([Times(5, 4, 6, 1), Times(9, 3, 9)], None),
        ([Times(5, 4, 6), Times(9, 3, 9, 2), Times(9, 9, 9, 0)], None),
    ],
)
def test_disorder_of_parts(parts, disorder):
    assert Times.of(parts).disorder == disorder


def test_places():
    run = Run(first_place(5, 7), 1)
    assert (run.partition, run.row) == (5, 7)
