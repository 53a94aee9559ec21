"""Checks the greatest time so far over runs of partitions, against a plain loop."""

import random
from decimal import Decimal
from itertools import accumulate

import pyarrow as pa
import pytest

from golden.arrow_maps import quiet
from golden.frames.arrival import arrivals
from golden.frames.running import GREATEST, disorder, with_greatest

pytestmark = pytest.mark.spark

TIMES = {
    "signed": (pa.int64(), (-(1 << 63), (1 << 63) - 1, -1, 0, 5)),
    "unsigned": (pa.decimal128(20, 0), (0, 1, (1 << 63) - 1, 1 << 63, (1 << 64) - 1)),
}


def stream(spark, kind, times, parts):
    """Returns the tuples with their runs; the last partitions may be empty."""
    values = [Decimal(t) for t in times] if pa.types.is_decimal(kind) else times
    with quiet():
        tuples = spark.createDataFrame(pa.table({"t": pa.array(values, kind)})).coalesce(parts)
    return arrivals(tuples, "partitions", timed=True, running=True)


@pytest.mark.parametrize("name", TIMES)
@pytest.mark.parametrize("seed", range(3))
def test_greatest_and_disorder(spark, name, seed):
    kind, ends = TIMES[name]
    rng = random.Random(seed)
    times = [rng.choice(ends) if seed else 40 + n + rng.randrange(9) for n in range(50)]
    found = stream(spark, kind, times, 1 + seed)
    rows = with_greatest(found.tuples, found.runs).orderBy("n").collect()
    greatest = list(accumulate(times, max))
    assert [(row["n"], int(row[GREATEST])) for row in rows] == list(enumerate(greatest))
    assert found.times.first == times[0]
    assert (found.times.least, found.times.greatest) == (min(times), max(times))
    exact = max(g - t for g, t in zip(greatest, times, strict=True))
    bound = disorder(found.tuples.select("t"), found.runs)
    assert bound >= exact
    assert bound == exact or len(found.runs) > 1
