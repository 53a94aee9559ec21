"""Runs the Python code of documents, block after block, as a notebook does."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks_of(document):
    return BLOCK.findall((ROOT / "docs" / document).read_text(encoding="utf-8"))


def run(blocks, folder):
    """Runs the blocks as a program in ``folder``, and checks that they print nothing."""
    script = folder / "document.py"
    script.write_text("\n".join(blocks), encoding="utf-8")
    completed = subprocess.run(
        [sys.executable, script], cwd=folder, env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True, text=True,
    )  # fmt: skip
    assert completed.returncode == 0, completed.stderr[-3000:]
    assert completed.stdout == ""


@pytest.mark.in_turn
@pytest.mark.spark
@pytest.mark.hdl
def test_the_code_of_the_document_runs_and_prints_nothing(tmp_path):
    blocks = blocks_of("python.md")
    assert len(blocks) == 5
    run(blocks, tmp_path)
    assert (tmp_path / "build" / "readings" / "manifest.json").exists()


@pytest.mark.in_turn
@pytest.mark.spark
def test_the_dates_of_the_questions(tmp_path):
    """The block of docs/questions.md asserts its rows and the times of their ends."""
    (block,) = blocks_of("questions.md")
    run([block], tmp_path)
