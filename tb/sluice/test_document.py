"""Runs the code of docs/python.md, block after block, as a notebook does."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks():
    return BLOCK.findall((ROOT / "docs" / "python.md").read_text(encoding="utf-8"))


@pytest.mark.in_turn(10)
@pytest.mark.spark
@pytest.mark.hdl
def test_the_code_of_the_document_runs_and_prints_nothing(tmp_path):
    assert len(blocks()) == 5
    script = tmp_path / "document.py"
    script.write_text("\n".join(blocks()), encoding="utf-8")
    completed = subprocess.run(
        [sys.executable, script], cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True, text=True,
    )  # fmt: skip
    assert completed.returncode == 0, completed.stderr[-3000:]
    assert completed.stdout == ""
    assert (tmp_path / "build" / "readings" / "manifest.json").exists()
