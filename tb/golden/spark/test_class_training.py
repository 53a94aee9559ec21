"""Checks that the training jobs run, and that Java stores the classes that it has loaded."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from golden.spark import class_training

ROOT = Path(__file__).parents[3]
USE = """
import time
from golden.spark.session import session
spark = session("local[1]")
files = open(f"/proc/{spark.sparkContext._gateway.proc.pid}/maps").read()
print(spark.range(4).count(), "spark.jsa" in files)
"""


@pytest.mark.spark
def test_jobs_run(spark, tmp_path):
    class_training.run_jobs(spark, tmp_path)
    rows = spark.read.parquet(f"{tmp_path}/rows")
    assert (rows.count(), rows.where("median = 500").count() > 0) == (1000, True)


@pytest.mark.regress
@pytest.mark.spark
def test_a_session_maps_the_archive(tmp_path):
    environment = os.environ | {"PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(tmp_path / "c d")}
    call = [sys.executable, "-m", "golden.spark.class_training"]
    process = subprocess.run(call, env=environment, capture_output=True, text=True)
    assert process.returncode == 0, process.stderr[-2000:]
    used = subprocess.run(
        [sys.executable, "-c", USE], env=environment, capture_output=True, text=True
    )
    assert used.stdout.split() == ["4", "True"], used.stderr[-2000:]


def test_a_machine_without_java(tmp_path):
    environment = {"PYTHONPATH": str(ROOT), "PATH": str(tmp_path), "HOME": str(tmp_path)}
    call = [sys.executable, "-m", "golden.spark.class_training"]
    process = subprocess.run(call, env=environment, capture_output=True, text=True)
    assert process.returncode == 1
    assert process.stderr.startswith("sluice: no archive of Spark's classes: ")
    assert process.stderr.count("\n") == 1
