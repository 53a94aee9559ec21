"""Checks the numbers of tuples by hand: two runs in one partition, and a run out of order."""

import pytest

from golden.frames.runs import PLACE, Run, first_place, number_of

PLACES = [0, 1, 2, 3, 4, first_place(1), first_place(1, 1), first_place(3)]
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
}


@pytest.mark.spark
@pytest.mark.parametrize("case", CASES)
def test_numbers(spark, interpreted, case):
    runs, numbers = CASES[case]
    frame = spark.createDataFrame([(place,) for place in PLACES], f"`{PLACE}` long")
    got = [
        row["n"] for row in frame.withColumn("n", number_of(runs)).orderBy(f"`{PLACE}`").collect()
    ]
    assert got == list(numbers)


def test_places():
    run = Run(first_place(5, 7), 1)
    assert (run.partition, run.row) == (5, 7)
