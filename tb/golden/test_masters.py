"""Checks that another master gives the same answer: a cluster of two workers on this machine."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = """
import pyarrow as pa
from golden.answer import answer
from golden.spark.session import session
from golden.tuples import Tuples
from query.parser import parse
from tb.golden import reference

query = parse(
    "CREATE INPUT STREAM S (k uint(8), x int);"
    "SELECT k, sum(x), median(x), count(distinct x) FROM S [ROWS 50 SLIDE 10] GROUP BY k;"
)
tuples = [{"k": i % 3, "x": i * 7919 % 101 - 50} for i in range(200)]
spark = session("local-cluster[2,1,1024]")
got = answer(query, spark, Tuples(query.schema, pa.Table.from_pylist(tuples)))
print(spark.sparkContext.master, got.num_rows, got.to_pylist() == reference.rows(query, tuples))
spark.stop()
"""


@pytest.mark.regress
@pytest.mark.spark
def test_local_cluster_gives_the_same_answer():
    """The test needs a process of its own, since a session cannot change its master."""
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYSPARK_PYTHON": sys.executable}
    command = [sys.executable, "-c", SCRIPT]
    process = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True)
    assert process.returncode == 0, process.stderr[-3000:]
    assert process.stdout.split() == ["local-cluster[2,1,1024]", str(3 * 16), "True"]
