"""Checks the greatest time so far over runs of partitions, against a plain loop."""

import random
from decimal import Decimal
from functools import reduce
from itertools import accumulate, pairwise

import pyarrow as pa
import pytest
from pyspark.sql import DataFrame

from golden.order.arrival import arrivals
from golden.order.running import GREATEST, disorder, with_greatest
from golden.spark.arrow_maps import quiet
from tb.golden.order.time_types import TIMES

pytestmark = [pytest.mark.spark, pytest.mark.usefixtures("separate_partitions")]

BOUNDS = (0, 20, 20, 37, 50)  # of the partitions; the second partition is empty


def numbered_stream(spark, time_type, times):
    """Returns the tuples with their runs, in three partitions and an empty one."""
    values = [Decimal(t) for t in times] if pa.types.is_decimal(time_type) else times
    table = pa.table({"t": pa.array(values, time_type)})
    with quiet():
        pieces = [spark.createDataFrame(table[a:b]).coalesce(1) for a, b in pairwise(BOUNDS)]
    tuples = reduce(DataFrame.unionAll, pieces)
    return arrivals(tuples, "partitions", timed=True, running=True)


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("name", "case"),
    [
        ("unsigned", "descending"),
        ("signed", "extremes"),
        *(
            pytest.param(name, case, marks=pytest.mark.regress)
            for name, case in [
                ("signed", "ascending"),
                ("signed", "descending"),
                ("unsigned", "ascending"),
                ("unsigned", "extremes"),
            ]
        ),
    ],
)
def test_greatest_and_disorder(spark, name, case):
    time_type, extremes = TIMES[name]
    rng = random.Random(case)
    times = [rng.choice(extremes) for _ in range(50)]
    if case != "extremes":
        times = [1000 + (n if case == "ascending" else -n) + rng.randrange(9) for n in range(50)]
    numbered = numbered_stream(spark, time_type, times)
    assert len(numbered.runs) == 3
    rows = with_greatest(numbered.tuples, numbered.runs).orderBy("n").collect()
    greatest = list(accumulate(times, max))
    assert [(row["n"], int(row[GREATEST])) for row in rows] == list(enumerate(greatest))
    assert numbered.times.first == times[0]
    assert (numbered.times.smallest, numbered.times.greatest) == (min(times), max(times))
    exact = max(g - t for g, t in zip(greatest, times, strict=True))
    bound = disorder(numbered.tuples.select("t"), numbered.runs)
    assert bound == exact
