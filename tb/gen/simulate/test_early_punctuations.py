"""Punctuations in the stream that would lie below the column: the least time is sent instead."""

import json

import pytest

pytestmark = [pytest.mark.spark, pytest.mark.hdl, pytest.mark.in_turn]


@pytest.mark.parametrize(("engine", "slack"), [("pane", 25), ("window-id", 65)])
def test_early_tuples_have_room(sluice, tmp_path, engine, slack):
    """The first window begins below 0, which no unsigned punctuation can say.

    Without the punctuation 0 the engine keeps the windows before 0 open, and has no room for later
    tuples.
    """
    query, data = tmp_path / "q.cql", tmp_path / "d.csv"
    query.write_text(
        "CREATE INPUT STREAM S (t uint(16), v int(16));"
        f"SELECT count(*), sum(v) FROM S [RANGE 20 SLIDE 10 WATTR t SLACK {slack}];"
    )
    data.write_text("t,v\n" + "".join(f"{n},{n}\n" for n in range(60)))
    options = ("--engine", engine, "--set", "punctuations=stream")
    code, out, err = sluice("simulate", query, "--input", data, *options, "--json")
    result = json.loads(out)
    assert (code, result["mismatches"], result["dropped"]["overrun"]) == (0, 0, 0), err
    assert result["start"].startswith("-")
