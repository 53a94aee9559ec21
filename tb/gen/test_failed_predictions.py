"""Checks that a failed prediction is a warning: the simulation runs, and JSON has the reason."""

import json

import pytest

from gen.prediction import expected_rate as predictions
from query.parser import parse
from rtl.engine import ENGINES
from tb.gen.prediction.keyed_tuples import OF_ROWS, tuples_of

pytestmark = [pytest.mark.spark, pytest.mark.hdl]


@pytest.fixture
def broken(monkeypatch):
    """Every prediction divides by zero, and errors in predictions do not stop commands."""
    monkeypatch.setattr(predictions, "STOPS", False)
    monkeypatch.setattr(predictions, "predicted", lambda *_: 1 / 0)


@pytest.mark.in_turn(5)
@pytest.mark.usefixtures("broken")
def test_the_simulation_runs_on(sluice, examples, tmp_path):
    data = tmp_path / "d.csv"
    data.write_text("t,y\n" + "".join(f"{k},{k % 5}\n" for k in range(900)))
    query = tmp_path / "q.cql"
    query.write_text(
        "CREATE INPUT STREAM S (t int(16), y uint(4)); "
        "SELECT min(y), count(*) FROM S [ROWS 8 SLIDE 2] WHERE y = 1;"
    )
    code, out, err = sluice("simulate", query, "--input", data, "--json")
    output = json.loads(out)
    assert (code, output["mismatches"], output["problems"]) == (0, 0, [])
    assert output["predicted_tuples_per_cycle"] is output["rate_bounded_by"] is None
    assert output["unpredicted"] == "ZeroDivisionError: division by zero"
    warning = "the rate is not predicted: ZeroDivisionError: division by zero"
    assert err.splitlines()[-1] == f"sluice: warning: {warning}"
    assert output["warnings"][0] == warning
    code, out, _ = sluice("simulate", query, "--input", data)
    assert code == 0
    assert "(no prediction)" in out
    assert "bounded by" not in out


def test_a_failure_is_seen_by_the_tests(monkeypatch):
    """Else a mistake in a prediction would be no more than a warning in their runs."""
    monkeypatch.setattr(predictions, "predicted", lambda *_: 1 / 0)
    assert predictions.STOPS
    query = parse(OF_ROWS)
    rows = tuples_of(query, [1], [1]).table
    design = ENGINES["streamzip"](query=query)
    with pytest.raises(ZeroDivisionError):
        predictions.foretell(design, tuples_of(query, [1], [1]), None, "ideal", None, rows, (0, 0))
