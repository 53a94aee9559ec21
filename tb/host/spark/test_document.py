"""Runs the examples of docs/spark.md that use engines."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


def blocks():
    text = (ROOT / "docs" / "spark.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [block for block in blocks if "sluice.windows(" in block]


@pytest.mark.in_turn
@pytest.mark.spark
@pytest.mark.hdl
def test_the_examples_run(spark, tmp_path, monkeypatch):
    """The session of the tests is the one that the examples get.

    Java, which started elsewhere, gets absolute paths.
    """
    monkeypatch.chdir(tmp_path)
    assert len(blocks()) == 2
    names = {}
    for block in blocks():
        for folder in ("incoming", "checkpoint", "windows"):
            block = block.replace(f'"{folder}"', repr(str(tmp_path / folder)))
        exec(block, names)
    assert names["spark"] is spark
