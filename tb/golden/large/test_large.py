"""Checks the measurement of large data: DuckDB's SQL against the reference, and the program."""

import re
import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from query.parser import parse
from tb.golden import reference
from tb.golden.large import data, duck, process
from tb.golden.large.kinds import KINDS

FEW_KEYS = 20  # of the 1,000, so that a short stream closes windows of keys


@pytest.fixture(scope="module")
def stream(tmp_path_factory):
    """Writes a stream of few keys whose time runs fast."""
    path = tmp_path_factory.mktemp("large") / "stream.parquet"
    data.make(path, 10_000)
    table = pq.read_table(path)
    rows = [row | {"k": row["k"] % FEW_KEYS} for row in table.to_pylist()]
    for row in rows:
        row["t"] = data.BEGIN + (row["t"] - data.BEGIN) * 11
        row["d"] = max(row["t"] - row["x"] % (data.DISORDER + 1), data.BEGIN)
    pq.write_table(pa.Table.from_pylist(rows), path)
    return path, rows


@pytest.mark.parametrize("name", KINDS)
def test_duckdb_against_the_reference(name, stream, tmp_path):
    path, tuples = stream
    query = parse(KINDS[name].text)
    start = data.BEGIN if "time" in name else None
    rows = reference.rows(query, tuples, start)
    actual = tmp_path / "rows.parquet"
    pq.write_table(pa.Table.from_pylist(rows), actual)
    assert len(rows) > 5
    assert duck.difference(KINDS[name], path, actual) is None
    rows[4]["s"] += 1
    pq.write_table(pa.Table.from_pylist(rows), actual)
    assert duck.difference(KINDS[name], path, actual) == (
        f"DuckDB has {len(rows)} rows, golden {len(rows)}; 1 of DuckDB's are missing"
    )
    pq.write_table(pa.Table.from_pylist(rows[:-1]), actual)
    assert f"golden {len(rows) - 1};" in duck.difference(KINDS[name], path, actual)


def test_a_program_is_measured_with_its_children(tmp_path):
    """Measures a program whose child holds 200 MB and computes for a second."""
    child = "import time; b = b'1' * 200_000_000; t = time.process_time()\n"
    child += "while time.process_time() < t + 1: pass"
    program = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    measured = process.run([sys.executable, "-c", program], tmp_path / "log")
    assert measured.memory > 200_000_000
    assert measured.processor_seconds > 0.5
    assert measured.seconds > 1
    with pytest.raises(subprocess.CalledProcessError):
        process.run([sys.executable, "-c", "raise SystemExit(3)"], tmp_path / "log")


@pytest.mark.regress
@pytest.mark.spark
def test_the_program(tmp_path):
    """Runs all kinds; 6 million tuples are more than what `sluice golden` reads by itself."""
    command = [sys.executable, "-m", "tb.golden.large", "--tuples", "6000000"]
    command += ["--folder", str(tmp_path)]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    kinds = re.findall(r"^(\S+) .* (\S+) GiB  equal$", output, re.MULTILINE)
    assert [name for name, _ in kinds] == list(KINDS)
    for name, gibibytes in kinds:  # a row for each tuple fills the 4 GiB that Java may take
        assert float(gibibytes) < (4.5 if name.endswith("each-row") else 2.5)
