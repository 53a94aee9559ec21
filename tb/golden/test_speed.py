"""Checks the example queries over long streams: correct rows, within the promised time."""

import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from golden.answer import answer
from golden.compare.tables import first_difference
from golden.generate.cluster import cluster
from golden.tuples import Tuples
from query.parser import load
from tb.golden import reference
from tb.golden.random_queries import as_rows

EXAMPLES = Path(__file__).parents[2] / "examples"
QUERIES = ("cluster_groupby", "rows_per_key", "rows_median")


def stream(name, tuples):
    """Returns the query, and the cluster trace with the names and types of its columns."""
    query, trace = load(EXAMPLES / f"{name}.cql"), cluster(tuples, seed=3)
    job = trace["job"].combine_chunks()
    share = (trace["cpu"].cast(pa.float64()).to_numpy() * 2**16).astype(np.int64)
    value = pa.array(share + np.arange(tuples) % 1000)
    key, other = (column.name for column in query.columns)
    return query, Tuples(query.schema, pa.table({key: job, other: value}))


@pytest.mark.in_turn
@pytest.mark.spark
@pytest.mark.parametrize("name", QUERIES)
def test_fifty_thousand_tuples(spark, name):
    query, tuples = stream(name, 50_000)
    expected = as_rows(query, reference.rows(query, tuples.table.to_pylist()))
    assert first_difference(expected, answer(query, spark, tuples)) is None


@pytest.mark.spark
@pytest.mark.regress
@pytest.mark.parametrize("name", QUERIES)
def test_a_million_tuples_within_a_minute(spark, name):
    query, tuples = stream(name, 1_000_000)
    start = time.monotonic()
    assert answer(query, spark, tuples).num_rows > 10_000
    assert time.monotonic() - start < 60
