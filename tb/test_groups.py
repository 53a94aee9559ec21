"""Checks that one worker runs all tests that build the same designs.

xdist appends the groups to the names of the tests. If a new version of pytest or xdist breaks the
groups, the only other sign is that tests take longer.
"""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
TESTS = """
import os
import pathlib
import time

import pytest

pytestmark = pytest.mark.hdl


@pytest.mark.long("design")
@pytest.mark.parametrize("run", range(6))
@pytest.mark.parametrize("design", ["small", "large"])
def test_design(run, design):
    time.sleep(0.1)
    pathlib.Path(f"{design}.{run}").write_text(os.environ["PYTEST_XDIST_WORKER"])
"""


def test_runs_of_one_design_go_to_one_worker(tmp_path):
    (tmp_path / "test_designs.py").write_text(TESTS)
    command = [sys.executable, "-m", "pytest", "-n", "2", "--dist", "loadgroup"]
    options = ["--no-loadscope-reorder", "-p", "tb.conftest", "-c", ROOT / "pyproject.toml"]
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("PYTEST")
    } | {"PYTHONPATH": str(ROOT)}
    completed = subprocess.run(
        [*command, *options, "--rootdir", tmp_path, tmp_path],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert completed.returncode == 0, completed.stdout
    workers = {
        design: [(tmp_path / f"{design}.{run}").read_text() for run in range(6)]
        for design in ("small", "large")
    }
    assert [len(set(names)) for names in workers.values()] == [1, 1]
    assert workers["small"] != workers["large"]
