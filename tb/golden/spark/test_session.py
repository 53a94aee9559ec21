"""Checks golden's session in a Spark of the user's own, which needs a process of its own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SCRIPT = """
import sys
import threading
import sluice
from golden.spark.session import session
from pyspark.sql import SparkSession
from pyspark.sql import functions as fn

user = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
for name in ("ansi.enabled", "caseSensitive"):
    user.conf.set(f"spark.sql.{name}", "false")
user.conf.set("spark.sql.session.timeZone", "America/New_York")
settings, frame = dict(user.conf.getAll), user.range(5)

query = sluice.parse(
    "CREATE INPUT STREAM S (k int, x int(64)); SELECT k, sum(x), max(x) FROM S GROUP BY k;"
)
rows = sluice.answer(query, {"k": [1, 2, 1], "x": [(1 << 62), -5, (1 << 62)]}, cache=sys.argv[1])
assert [int(n) for n in rows["sum(x)"]] == [1 << 63, -5], rows
assert frame.count() == 5
assert SparkSession.getActiveSession() is user
assert dict(user.conf.getAll) == settings

ours = session("local[3]")
assert ours is session() and ours.sparkContext is user.sparkContext
from_thread = []
thread = threading.Thread(target=lambda: from_thread.append(session("local[3]")))
thread.start()
thread.join()
assert from_thread == [ours]
assert ours.conf.get("spark.sql.ansi.enabled") == ours.conf.get("spark.sql.caseSensitive") == "true"
assert ours.conf.get("spark.sql.session.timeZone") == "UTC"

user.stop()
started = session("local[1]")
thread = threading.Thread(target=lambda: from_thread.append(session("local[2]")))
thread.start()
thread.join()
assert from_thread[1].sparkContext.master == "local[2]"
assert from_thread[1].range(3).count() == 3
print("done")
"""

#: Spring of 2024: in Berlin no clock shows 2:15 and 2:45, and Java reads them as 3:15 and 3:45.
ORC_SCRIPT = """
import sys
from datetime import datetime
from pathlib import Path
import pyarrow as pa
from pyarrow import orc
from golden.frames.answer import answer
from golden.frames.source import frame_of
from golden.spark.session import session
from query.parser import parse

clocks = [(1, 30), (2, 15), (2, 45), (3, 20)]
times = pa.array([datetime(2024, 3, 31, *clock) for clock in clocks], pa.timestamp("us"))
path = Path(sys.argv[1]) / "zeiten für Spark.orc"
orc.write_table(pa.table({"x": [1, 2, 4, 8], "time": times}).take(pa.array([3, 0, 2, 1])), path)
query = parse("CREATE INPUT STREAM S (x int); SELECT sum(x) FROM S [ROWS 1 SLIDE 1];")
frame = frame_of(session(sys.argv[2]), path, query, order="time")
print([int(row["sum(x)"]) for row in answer(query, frame, order="time").collect()])
"""


@pytest.mark.in_turn
@pytest.mark.spark
def test_zone_and_locale_of_the_machine_have_no_effect(tmp_path):
    """ORC has times without a zone, and Spark reads them in the zone of the Java machine.

    Java finds no file whose name is not ASCII in the locale C.
    """
    environment = os.environ | {"PYTHONPATH": str(ROOT), "TZ": "Europe/Berlin", "LC_ALL": "C"}
    command = [sys.executable, "-c", ORC_SCRIPT, str(tmp_path), "local[1]"]
    process = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True)
    assert process.returncode == 0, process.stderr[-3000:]
    assert process.stdout.strip() == "[1, 2, 4, 8]"


@pytest.mark.in_turn
@pytest.mark.spark
def test_a_spark_of_the_user_stays_as_it_is(tmp_path):
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYSPARK_PYTHON": sys.executable}
    command = [sys.executable, "-c", SCRIPT, str(tmp_path)]
    process = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True)
    assert process.returncode == 0, process.stderr[-3000:]
    assert process.stdout.split() == ["done"]


def test_no_java_is_one_line():
    """PySpark's own error has many lines, and names no master."""
    program = "from golden.spark.session import session; session('local[1]')"
    run = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=os.environ | {"JAVA_HOME": "/nowhere"},
        capture_output=True,
        text=True,
        check=False,
    )
    last = run.stderr.strip().splitlines()[-1]
    assert "UserError: PySpark cannot start with the master local[1]: [JAVA_GATEWAY" in last
