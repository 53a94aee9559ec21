"""Tests units of time through the command line: rows, warnings, and the names of units."""

import json
import random

import duckdb
import pytest

from gen import cli
from gen.design.build import resolve
from gen.host.table_view import host_view
from query.errors import UserError

WINDOW = "RANGE 10 seconds SLIDE 2500 ms WATTR t"
WORDS = (
    "t declares no unit, so its numbers count seconds: RANGE 10 seconds is 10, SLIDE 5 seconds "
    'is 5; declare the unit, as in "t uint(64) seconds" or "t uint(64) ms"'
)


def query_file(directory, declaration, window):
    path = directory / "q.cql"
    path.write_text(
        f"CREATE INPUT STREAM S ({declaration}, v int(16));\n"
        f"SELECT count(*) AS n, sum(v) AS total FROM S [{window}];\n"
    )
    return path


@pytest.mark.in_turn(5)
@pytest.mark.spark
def test_rows_of_a_query_in_ms_are_those_of_duckdb(sluice, tmp_path):
    """DuckDB adds an interval of 10 seconds to a time stamp, and not 10,000 to t."""
    rng, time, lines = random.Random(9), 0, ["t,v"]
    for _ in range(400):
        time += rng.choice((0, 1, 40, 333, 2500, 17_000))
        lines.append(f"{time},{rng.randrange(-99, 99)}")
    (tmp_path / "d.csv").write_text("\n".join(lines) + "\n")
    query = query_file(tmp_path, "t uint(64) ms", WINDOW)
    rows_file = tmp_path / "rows.csv"
    code, out, err = sluice("golden", query, "--input", tmp_path / "d.csv", "-o", rows_file,
                            "--start", "0 hours", "--json")  # fmt: skip
    assert (code, json.loads(out)["start"]) == (0, "0")
    assert "warning" not in err
    expected = duckdb.sql(
        f"""
        WITH data AS (SELECT epoch_ms(t) AS moment, v FROM read_csv('{tmp_path / "d.csv"}')),
        windows AS (SELECT epoch_ms(0) + INTERVAL 2500 MILLISECONDS * j AS opens
          FROM range(0, {time // 2500 + 1}) AS numbers(j))
        SELECT epoch_ms(opens + INTERVAL 10 SECONDS), count(v), coalesce(sum(v), 0)
        FROM windows LEFT JOIN data ON moment >= opens AND moment < opens + INTERVAL 10 SECONDS
        GROUP BY opens ORDER BY opens
        """
    ).fetchall()
    lines = rows_file.read_text().splitlines()
    assert lines[0] == "window,window_end,n,total"
    assert [tuple(map(int, line.split(",")[1:])) for line in lines[1:]] == expected
    assert len(expected) > 100


@pytest.mark.spark
def test_golden_warns_once_beside_json(sluice, tmp_path):
    (tmp_path / "d.csv").write_text("t,v\n1,5\n70,6\n")
    query = query_file(tmp_path, "t uint(64)", "RANGE 10 seconds SLIDE 5 seconds WATTR t")
    code, out, err = sluice("golden", query, "--input", tmp_path / "d.csv",
                            "-o", tmp_path / "r.csv", "--start", "1 minute", "--json")  # fmt: skip
    assert (code, json.loads(out)["start"]) == (0, "60")
    warnings = [line for line in err.splitlines() if "warning" in line]
    assert warnings == [
        f"sluice: warning: {query}:2:53: {WORDS}",
        "sluice: warning: t declares no unit, so its numbers count seconds: --start 1 minute is "
        '60; declare the unit, as in "t uint(64) seconds" or "t uint(64) ms"',
    ]


@pytest.mark.parametrize("command", ["generate", "report"])
@pytest.mark.parametrize("extra", [(), ("--json",)])
def test_other_commands_warn_once_too(command, extra, tmp_path, monkeypatch, capfd):
    """The long work of the command is skipped."""

    def no_work(*_, **__):
        raise UserError("enough")

    monkeypatch.setattr("gen.jobs.directory.design_files", no_work)
    monkeypatch.setattr("gen.jobs.resources.engine_report", no_work)
    query = query_file(tmp_path, "t uint(64)", "RANGE 10 seconds SLIDE 5 seconds WATTR t")
    output = ("-o", str(tmp_path / "out"), "--no-bench") if command == "generate" else ()
    assert cli.run([command, str(query), *output, *extra]) == 2
    out, err = capfd.readouterr()
    assert (out, err) == ("", f"sluice: warning: {query}:2:53: {WORDS}\nsluice: enough\n")


@pytest.mark.parametrize("engine", ["pane", "streamzip"])
def test_what_a_host_reads_names_the_unit(engine, tmp_path):
    key = "PARTITION BY v " if engine == "streamzip" else ""
    query = query_file(tmp_path, "t fixed(24,8) ms", f"{key}RANGE 10 seconds SLIDE 1 ms WATTR t")
    build = resolve(query, engine=engine)
    view = host_view(build.design)
    settings = {setting["name"]: setting for setting in view["settings"]}
    assert (view["window"]["time"], view["window"]["unit"]) == ("t", "ms")
    assert settings["range"]["unit"] == "steps of t, 1/256 ms each"
    assert (settings["range"]["value"], settings["slide"]["value"]) == (2_560_000, 256)
    assert "t fixed(24,8) ms" in build.configuration()["query"]
