"""What a user gets wrong is one line on standard error and exit code 2, and nothing is written."""

import pytest

from gen import cli

GROUP_BY = "examples/cluster_groupby.cql"
TRACE = "examples/cluster_trace.csv.gz"
CASES = {
    "no command": ([], "Missing command"),
    "unknown command": (["frobnicate"], "No such command 'frobnicate'"),
    "unknown option": (["engines", "--jsn"], "No such option: --jsn"),
    "no query": (["simulate", "--input", TRACE], "Missing argument"),
    "no such query": (
        ["simulate", "x.cql", "--input", TRACE],
        "x.cql: cannot be read: No such file",
    ),
    "no output": (["generate", GROUP_BY], "Missing option '-o'"),
    "no such data": (["simulate", GROUP_BY, "--input", "x.csv"], "x.csv: there is no such file"),
    "unknown engine": (["generate", GROUP_BY, "--engine", "groupby"], "did you mean group-by?"),
    "unknown parameter": (["generate", GROUP_BY, "--set", "lane=4"], "did you mean lanes?"),
    "unknown board": (["generate", GROUP_BY, "--board", "ultra96"], "did you mean ultra96-v2?"),
    "unknown target": (["report", GROUP_BY, "--target", "xcp"], "did you mean xcup?"),
    "unknown unit": (["report", "--unit", "compctor"], "did you mean compactor?"),
    "unknown parameter of a unit": (["report", "--unit", "compactor", "--set", "wdth=8"], "width?"),
    "query and unit": (["report", GROUP_BY, "--unit", "compactor"], "either a query or --unit"),
    "unknown format": (
        ["simulate", GROUP_BY, "--input", TRACE, "--format", "debs2013"],
        "did you mean debs2012?",
    ),
    "lanes 3": (["generate", GROUP_BY, "--set", "lanes=3"], "a power of two from 1 to 64, not 3"),
    "lanes by option": (["generate", GROUP_BY, "--lanes", "128"], "from 1 to 64, not 128"),
    "a setting without value": (["generate", GROUP_BY, "--set", "lanes"], "must be name=value"),
    "an engine that cannot": (
        ["generate", "examples/rows_per_key.cql", "--engine", "group-by"],
        "engine group-by cannot run this query: it has the window",
    ),
    "rows of no known kind": (
        ["golden", GROUP_BY, "--input", TRACE, "-o", "rows.txt"],
        "rows.txt: rows must go to a .csv or .parquet file",
    ),
    "a stall that is no probability": (
        ["simulate", GROUP_BY, "--input", TRACE, "--stall-input", "2"],
        "less than or equal to 0.99",
    ),
    "unknown simulator": (
        ["simulate", GROUP_BY, "--input", TRACE, "--simulator", "verilatr"],
        "did you mean verilator?",
    ),
    "unknown trace": (["trace", "clustr", "-o", "x.csv"], "did you mean cluster?"),
}


@pytest.mark.parametrize(("arguments", "message"), CASES.values(), ids=CASES)
def test_one_line_and_exit_code_2(arguments, message, request, tmp_path, monkeypatch, capfd):
    root = request.config.rootpath
    monkeypatch.chdir(tmp_path)
    placed = [str(root / a) if a.startswith("examples/") else a for a in arguments]
    if "generate" in placed and not message.startswith("Missing option"):
        placed += ["-o", "made"]
    assert cli.run(placed) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("sluice: ")
    assert message in err
    assert not list(tmp_path.iterdir())


def test_data_that_does_not_fit(sluice, examples, tmp_path):
    data = tmp_path / "data.csv"
    data.write_text("time,job,event,priority,cpu\n1,2,3,4,0.5\n1,2,3,4,1000\n")
    code, out, err = sluice("simulate", examples / "cluster_groupby.cql", "--input", data)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert f"{data}:3" in err
    assert "1000 does not fit fixed(8,24)" in err


def test_a_column_that_is_missing(sluice, examples, tmp_path):
    data = tmp_path / "data.csv"
    data.write_text("time,job,event,priority\n1,2,3,4\n")
    code, out, err = sluice(
        "golden", examples / "cluster_groupby.cql", "--input", data, "-o", tmp_path / "rows.csv"
    )
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "cpu" in err
    assert not (tmp_path / "rows.csv").exists()
