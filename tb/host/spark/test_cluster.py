"""Runs engines on two worker processes over a million tuples, also if a worker is killed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
BOARDS = """
import sys
import pyarrow as pa
import sluice
from golden.spark.session import session

def backend(description, addresses):
    from sim.host_simulation import CompiledSimulation
    if addresses != ("7",):
        raise RuntimeError(f"the addresses are {addresses}")
    return CompiledSimulation(description)

spark = session("local-cluster[2,1,1024]")
table = {"x": [n % 7 for n in range(60)], "y": [0] * 60, "number": range(60)}
frame = spark.createDataFrame(pa.table(table))
call = {"order": "number", "partitions": 2}
print(sluice.windows(frame, sys.argv[1], backend=backend, **call).count())
try:
    sluice.windows(frame, sys.argv[1], **call).collect()
except Exception as error:
    print("the back end pynq needs pynq" in str(error))
spark.stop()
"""
COMMON = """
import os, signal, sys, threading, time
from pathlib import Path
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import sluice
from golden.frames.answer import FrameAnswer
from golden.generate.cluster import cluster
from golden.readers import read
from golden.spark.session import session
from tb.golden.data_files import shared
from tb.golden.executors import executors
from tb.host.spark.frames import sums_of

engine, data, folder = sys.argv[1], sys.argv[2], Path(sys.argv[3])
TUPLES = 1_000_000
SCHEMA = "CREATE INPUT STREAM E (time uint(64), job uint(32), priority uint(8), cpu fixed(8,24));"
QUERIES = {
    "streamzip": ("SELECT job, count(*), sum(cpu), median(cpu), max(time) FROM E "
                  "[PARTITION BY job ROWS 64 SLIDE 16] WHERE priority < 9;", {}),
    "swag": ("SELECT job, count(*), sum(cpu), median(cpu) FROM E [ROWS 512 SLIDE 256] "
             "WHERE priority < 9 GROUP BY job;", {"capacity": 32, "window_max": 512}),
    "pane": ("SELECT count(*), sum(cpu), max(cpu) FROM E "
             "[RANGE 60 SLIDE 10 WATTR time SLACK 5] WHERE priority < 9;", {}),
}

def google():
    "Returns the columns of a million tuples: copies of the published trace, one after the other."
    query = sluice.parse(SCHEMA + "SELECT job, sum(time), sum(priority), sum(cpu) FROM E "
                         "[ROWS 1 SLIDE 1] GROUP BY job;")
    table = read(shared("google_cluster_task_events.txt.gz"), query,
                 "google-task-events-excerpt").table
    columns = {name: np.array(table[name].to_pylist(), np.int64) for name in table.column_names}
    times = -(-TUPLES // len(table))
    span = int(columns["time"].max()) + 1
    whole = {name: np.tile(column, times) for name, column in columns.items()}
    whole["time"] += np.repeat(np.arange(times), len(table)) * span
    return whole | {"cpu": whole["cpu"] / (1 << 24)}

def made():
    "Events of few jobs, of which some come late."
    table = cluster(TUPLES, seed=4, jobs=200, changes=0.15)
    columns = {name: table[name].to_pylist() for name in ("time", "job", "priority", "cpu")}
    time = np.array(columns["time"], np.int64) + 20
    columns["time"] = time - np.random.default_rng(4).integers(0, 12, TUPLES)
    return columns | {"cpu": [float(cpu) for cpu in columns["cpu"]]}

def kill_one():
    while len(list(folder.glob("opened-*"))) < 2:
        time.sleep(0.02)
    time.sleep(0.5)
    killed.append(executors(java)[0])
    os.kill(killed[-1], signal.SIGKILL)

def backend(description, addresses):
    "Opens the simulation, and leaves a file when an engine begins."
    import os
    from pathlib import Path
    from sim.host_simulation import CompiledSimulation
    simulation = CompiledSimulation(description)
    place = Path(marks)
    (place / f"opened-{os.getpid()}-{len(list(place.iterdir()))}").touch()
    return simulation

marks = str(folder)
text, options = QUERIES[engine]
query = sluice.parse(SCHEMA + text)
sluice.generate(query, folder / "engine", name=f"cluster_{engine}", engine=engine, options=options)
columns = google() if data == "google" else made()
table = pa.table(columns)
pq.write_table(table.append_column("number", pa.array(range(len(table)))),
               folder / "tuples.parquet", row_group_size=1 << 16)
spark = session("local-cluster[2,1,1024]")
java, killed = spark.sparkContext._gateway.proc.pid, []
frame = spark.read.parquet(str(folder / "tuples.parquet"))
"""
BATCH = """
start = time.time()
golden = FrameAnswer.of(query, frame)
expected = golden.rows().toArrow()
late, (tuples, nan) = golden.late_count(), golden.counts()
after_golden = time.time()
thread = threading.Thread(target=kill_one)
thread.start()
results = sluice.windows(frame, folder / "engine", order="number" if data == "made" else None,
                         partitions=4, counters=True, query=query, backend=backend)
rows = results.rows.toArrow()
thread.join()
sums = sums_of(results.counters)
print(f"golden {after_golden - start:.0f} s, engines {time.time() - after_golden:.0f} s, "
      f"{len(list(folder.glob('opened-*')))} runs, {sums}", file=sys.stderr)
if query.partition:
    by = [("job", "ascending"), ("window", "ascending")]
    rows, expected = rows.sort_by(by), expected.sort_by(by)
passing = sum(priority < 9 for priority in table["priority"].to_pylist())
print(rows.equals(expected.cast(rows.schema)), len(rows) > 3000, len(killed))
print(sums["tuples"] == tuples == len(table) >= TUPLES, sums["rows"] == len(rows),
      sums["late"] == late, late > 0, sums["filtered"] == tuples - passing)
spark.stop()
"""

STREAM = """
expected = FrameAnswer.of(query, frame).rows().toArrow()
late = FrameAnswer.of(query, frame).late_count()
schema, size = frame.schema, -(-len(table) // 6)
numbered = table.append_column("number", pa.array(range(len(table))))

def add(parts):
    "Each file is a micro-batch."
    (folder / "incoming").mkdir(exist_ok=True)
    for i in parts:
        pq.write_table(numbered[i * size : (i + 1) * size], folder / f"part-{i}.parquet")
        os.rename(folder / f"part-{i}.parquet", folder / "incoming" / f"part-{i}.parquet")
        time.sleep(1.1)  # the source reads files in order of their times, in seconds

def run():
    stream = spark.readStream.schema(schema).option("maxFilesPerTrigger", 1)
    rows = sluice.windows(stream.parquet(str(folder / "incoming")), folder / "engine",
                          order="number", partitions=2, query=query, backend=backend)
    sink = rows.writeStream.option("checkpointLocation", str(folder / "checkpoint"))
    sink = sink.option("path", str(folder / "rows")).trigger(availableNow=True)
    sink.start().awaitTermination()

add(range(3))
run()
for mark in folder.glob("opened-*"):
    mark.unlink()
add(range(3, 6))
thread = threading.Thread(target=kill_one)
thread.start()
start = time.time()
run()
thread.join()
print(f"3 micro-batches {time.time() - start:.0f} s, "
      f"{len(list(folder.glob('opened-*')))} runs", file=sys.stderr)
rows = spark.read.parquet(str(folder / "rows")).toArrow()
by = [("window", "ascending")]
if query.partition:
    by.insert(0, ("job", "ascending"))
else:  # the windows that the end of the data closes have no row in a stream
    slack = query.window.slack
    first = table["time"][0].as_py()
    start = (first - slack) // query.window.slide * query.window.slide
    last = start + (max(table["time"].to_pylist()) - slack - start) // 10 * 10
    expected = expected.filter(pc.less_equal(expected["window_end"], last))
rows, expected = rows.sort_by(by), expected.sort_by(by)
print(rows.equals(expected.cast(rows.schema)), len(rows) > 3000, len(killed))
spark.stop()
"""


def run(script, engine, data, folder):
    """Returns the output of a script in a process of its own, with the last line of its errors."""
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYSPARK_PYTHON": sys.executable}
    environment |= {"SPARK_WORKER_DIR": str(folder / "work"), "SLUICE_CACHE": f"{ROOT}/.cache"}
    command = [sys.executable, "-c", COMMON + script, engine, data, str(folder)]
    process = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True)
    assert process.returncode == 0, process.stderr[-3000:]
    print(process.stderr.splitlines()[-1])
    return process.stdout.splitlines()


@pytest.mark.regress
@pytest.mark.spark
@pytest.mark.hdl
@pytest.mark.parametrize("data", ["google", "made"])
@pytest.mark.parametrize("engine", ["streamzip", "swag", "pane"])
def test_a_million_tuples_with_a_killed_worker(tmp_path, engine, data):
    """Rows and counters are right, although an executor is killed while its engine runs."""
    is_late = str(engine == "pane" and data == "made")
    lines = ["True True 1", f"True True True {is_late} True"]
    assert run(BATCH, engine, data, tmp_path) == lines


@pytest.mark.regress
@pytest.mark.spark
@pytest.mark.hdl
@pytest.mark.parametrize(("engine", "data"), [("streamzip", "google"), ("pane", "made")])
def test_a_stream_of_a_million_tuples_that_starts_again(tmp_path, engine, data):
    """The second run begins at the checkpoint of the first one, and loses a worker."""
    assert run(STREAM, engine, data, tmp_path) == ["True True 1"]


@pytest.mark.regress
@pytest.mark.spark
@pytest.mark.hdl
def test_a_task_opens_the_board_that_spark_gives_it(generated, tmp_path):
    """Every worker has one board. The machine of the tests lacks PYNQ, as the message says."""
    script = tmp_path / "boards.sh"
    script.write_text("""#!/bin/sh\necho '{"name": "fpga", "addresses": ["7"]}'\n""")
    script.chmod(0o755)
    (tmp_path / "work").mkdir()
    settings = {
        "worker.resource.fpga.amount": 1,
        "worker.resource.fpga.discoveryScript": script,
        "executor.resource.fpga.amount": 1,
        "task.resource.fpga.amount": 1,
    }
    options = " ".join(f"--conf spark.{name}={value}" for name, value in settings.items())
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYSPARK_PYTHON": sys.executable}
    environment |= {"SPARK_WORKER_DIR": str(tmp_path / "work"), "SLUICE_CACHE": f"{ROOT}/.cache"}
    environment |= {"PYSPARK_SUBMIT_ARGS": f"{options} pyspark-shell"}
    _, directory = generated("two-stacks")
    process = subprocess.run(
        [sys.executable, "-c", BOARDS, str(directory)],
        env=environment, cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    assert process.returncode == 0, process.stderr[-3000:]
    assert process.stdout.split() == ["18", "True"]
