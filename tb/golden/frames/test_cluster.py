"""Answers on a cluster of two workers on this machine, also if a worker is killed in the middle."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SCRIPT = """
import os, signal, sys, threading, time
from golden.frames.answer import answer
from golden.spark.session import session
from query.parser import parse
from tb.golden import reference
from tb.golden.executors import executors

SCHEMA = "CREATE INPUT STREAM S (t int, k uint(8), x int, f double); "
QUERIES = [
    "SELECT k, sum(f), count(distinct x) FROM S GROUP BY k;",
    "SELECT k, sum(x), median(x) FROM S [ROWS 500 SLIDE 100] GROUP BY k;",
    "SELECT count(*), sum(x) FROM S [RANGE 60 SLIDE 20 WATTR t SLACK 3];",
    "SELECT k, max(x) FROM S [PARTITION BY k ROWS 64 SLIDE 16];",
    "SELECT k, max(x) FROM S [PARTITION BY k RANGE 60 SLIDE 20 WATTR t];",
]
folder, tuples = sys.argv[1], 6000

def kill_one(spark):
    tracker = spark.sparkContext.statusTracker()
    while not tracker.getActiveStageIds():
        time.sleep(0.01)
    killed.append(executors(java)[0])
    os.kill(killed[-1], signal.SIGKILL)

spark = session("local-cluster[2,1,1024]")
java, killed = spark.sparkContext._gateway.proc.pid, []
ids = spark.range(0, tuples, numPartitions=6)
columns = ("cast(id div 4 + (id * 7919) % 11 as int) t", "id % 3 k",
           "cast(id * 7919 % 101 - 50 as int) x", "cast(id % 7 as double) / 10 f")
ids.selectExpr(*columns).write.parquet(folder)
frame = spark.read.parquet(folder)
for text in QUERIES:
    query = parse(SCHEMA + text)
    thread = threading.Thread(target=kill_one, args=(spark,))
    thread.start()
    rows = [tuple(row) for row in answer(query, frame).collect()]
    thread.join()
    plain = [
        {"t": i // 4 + i * 7919 % 11, "k": i % 3, "x": i * 7919 % 101 - 50, "f": i % 7 / 10}
        for i in range(tuples)
    ]
    expected = [tuple(row.values()) for row in reference.rows(query, plain)]
    print(rows == expected and len(rows) > 2, flush=True)
print(len(killed))
spark.stop()
"""


@pytest.mark.regress
@pytest.mark.spark
def test_a_worker_that_is_killed_changes_no_row(tmp_path):
    """Kills an executor while a stage of each query runs; Spark starts another one."""
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYSPARK_PYTHON": sys.executable}
    environment |= {"SPARK_WORKER_DIR": str(tmp_path / "work")}
    command = [sys.executable, "-c", SCRIPT, str(tmp_path / "data")]
    process = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True)
    assert process.returncode == 0, process.stderr[-3000:]
    assert process.stdout.split() == ["True"] * 5 + ["5"]
