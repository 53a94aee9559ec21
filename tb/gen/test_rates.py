"""`sluice simulate`: what is predicted for the data that were fed is what is measured."""

import json

import pytest

pytestmark = [pytest.mark.spark, pytest.mark.hdl]

SCHEMA = "CREATE INPUT STREAM S (t int(16), y uint(4)); SELECT min(y), count(*) FROM S"


@pytest.mark.parametrize(
    ("engine", "text", "by_hand"),
    [
        ("pane", "[RANGE 10 SLIDE 3 WATTR t]", 3 / 5),
        ("window-id", "[RANGE 10 SLIDE 3 WATTR t]", 1),
        ("two-stacks", "[ROWS 8 SLIDE 2] WHERE y = 1", 1),  # passes one in 5
    ],
)
def test_what_the_input_takes_is_predicted(engine, text, by_hand, sluice, tmp_path):
    query, data = tmp_path / "q.cql", tmp_path / "d.csv"
    query.write_text(f"{SCHEMA} {text};")
    data.write_text("t,y\n" + "".join(f"{k},{k % 5}\n" for k in range(900)))
    code, out, _ = sluice("simulate", query, "--input", data, "--engine", engine, "--json")
    found = json.loads(out)
    assert (code, found["mismatches"]) == (0, 0)
    measured = found["sustained_tuples_per_cycle"]
    assert measured == pytest.approx(by_hand, rel=0.01)
    assert measured == pytest.approx(found["predicted_tuples_per_cycle"], rel=0.01)
