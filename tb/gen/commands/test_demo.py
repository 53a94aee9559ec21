"""Checks the default files of `sluice demo`, and that the command compares rows."""

import random
from dataclasses import replace
from inspect import signature

import pytest

from gen.commands import demo as demo_module
from gen.commands.demo import demo
from gen.design.build import resolve
from gen.report.synthesis import Report

LOSSY = """\
query = "lossy.cql"
engine = "streamzip"
[parameters]
codec = "sz"
decoders = 1
exponent = -6
entries = 8
window_max = 16
"""
QUERY = """\
CREATE INPUT STREAM T (k uint(16), v double);
SELECT k, min(v), max(v), count(*) FROM T [PARTITION BY k ROWS 8 SLIDE 2];
"""


def walks():
    """Returns the text of a file with walks of five keys."""
    rng, values, lines = random.Random(1), [0.0] * 5, ["k,v"]
    for _ in range(600):
        key = rng.randrange(5)
        values[key] += rng.gauss(0, 0.1)
        lines.append(f"{key},{values[key]!r}")
    return "\n".join([*lines, ""])


def test_the_demo_finds_its_query_and_its_data():
    own_values = {name: parameter.default for name, parameter in signature(demo).parameters.items()}
    query = resolve(own_values["query"], board=demo_module.BOARD).query
    assert own_values["data"].is_file()
    assert query.group is not None


@pytest.fixture
def run(sluice, tmp_path, monkeypatch):
    """Returns a function that runs the demo of windows in a lossy codec, without a synthesis."""
    (tmp_path / "lossy.toml").write_text(LOSSY)
    (tmp_path / "lossy.cql").write_text(QUERY)
    (tmp_path / "walks.csv").write_text(walks())
    numbers = dict.fromkeys(
        ("lut", "ff", "lutram", "bram36", "uram", "dsp", "depth", "depth_io"), 0
    )
    resources = Report(
        target="xcup", cells={}, critical_path=(), note="", tool="no tool", **numbers
    )
    monkeypatch.setattr(demo_module, "engine_report", lambda *_: resources)

    def demo_of_walks():
        arguments = ("--input", tmp_path / "walks.csv", "-o", tmp_path / "made")
        return sluice("demo", tmp_path / "lossy.toml", *arguments)

    return demo_of_walks


@pytest.mark.spark
@pytest.mark.hdl
@pytest.mark.in_turn
def test_rows_are_compared_with_the_restored_values_of_a_lossy_codec(run, tmp_path, monkeypatch):
    code, out, err = run()
    rows = tmp_path / "made" / "rows.csv"
    assert code == 0, err
    assert f"the rows that the hardware gave: {rows}" in out
    assert len(rows.read_text().splitlines()) > 100

    simulate_and_compare = demo_module.simulate_and_compare

    def without_rows(*arguments, **options):
        simulation = simulate_and_compare(*arguments, **options)
        return replace(simulation, rows=None, problems=("a beat was taken back",))

    monkeypatch.setattr(demo_module, "simulate_and_compare", without_rows)
    code, out, err = run()
    assert code == 1
    assert "check failed: a beat was taken back" in err
    assert "the rows that the hardware gave" not in out
    assert not rows.exists()
