"""Checks errors of the user: one line, exit code 2, no written file."""

import subprocess
import sys

import pytest
import typer

from gen import cli
from gen.app import COMMANDS, app_of, run
from gen.commands import engines as engines_command

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
    "neither query nor unit": (["generate"], "needs either a query or --unit"),
    "a start without a link": (
        ["generate", "examples/range_trades.cql", "--board", "ultra96-v2", "--start", "5"],
        "--start is for a board with a link",
    ),
    "unknown unit to generate": (["generate", "--unit", "flms"], "did you mean flims?"),
    "a unit for a board": (
        ["generate", "--unit", "flims", "--board", "de5-net"],
        "--board is for engines, not for --unit",
    ),
    "a unit without a bench": (
        ["generate", "--unit", "flims", "--no-bench"],
        "--no-bench is for engines, not for --unit",
    ),
    "a format for a unit": (
        ["generate", "--unit", "flims", "--format", "debs2012"],
        "--format is for engines, not for --unit",
    ),
    "tuples that are made for a unit": (
        ["generate", "--unit", "flims", "--tuple-count", "5"],
        "--tuple-count is for engines, not for --unit",
    ),
    "a report of a unit for a board": (
        ["report", "--unit", "compactor", "--board", "de5-net"],
        "--board is for engines, not for --unit",
    ),
    "a report of a unit with a bus": (
        ["report", "--unit", "compactor", "--wrapper"],
        "--wrapper is for engines, not for --unit",
    ),
    "a report of a unit by blocks": (
        ["report", "--unit", "compactor", "--by-block"],
        "--by-block is for engines, not for --unit",
    ),
    "lanes of a unit": (
        ["generate", "--unit", "flims", "--set", "lanes=3"],
        "lanes must be a power of two, not 3",
    ),
    "unknown format": (
        ["simulate", GROUP_BY, "--input", TRACE, "--format", "debs2013"],
        "did you mean debs2012?",
    ),
    "unknown format of golden": (
        ["golden", GROUP_BY, "--input", TRACE, "-o", "rows.csv", "--format", "jsn"],
        "did you mean json?",
    ),
    "lanes 3": (["generate", GROUP_BY, "--set", "lanes=3"], "a power of two from 1 to 64, not 3"),
    "lanes by option": (["generate", GROUP_BY, "--lanes", "128"], "from 1 to 64, not 128"),
    "a setting without value": (["generate", GROUP_BY, "--set", "lanes"], "must be name=value"),
    "an engine that cannot": (
        ["generate", "examples/rows_per_key.cql", "--engine", "group-by"],
        "engine group-by cannot run this query: it has the window",
    ),
    "evictions without keys": (
        ["simulate", GROUP_BY, "--input", TRACE, "--allow-evictions"],
        "--allow-evictions: only keys of PARTITION BY are evicted, and the query has none",
    ),
    "rows of no known kind": (
        ["golden", GROUP_BY, "--input", TRACE, "-o", "rows.txt"],
        "rows.txt: rows must go to a .csv or .parquet file",
    ),
    "a stall that is no probability": (
        ["simulate", GROUP_BY, "--input", TRACE, "--stall-input", "2"],
        "Invalid value for '--stall-input': must be a number from 0 to 0.99, not '2'",
    ),
    "unknown simulator": (
        ["simulate", GROUP_BY, "--input", TRACE, "--simulator", "verilatr"],
        "did you mean verilator?",
    ),
    "a start without windows of time": (
        ["golden", GROUP_BY, "--input", TRACE, "--start", "0", "-o", "rows.csv"],
        "the query has no RANGE",
    ),
    "a start that is no time": (
        ["golden", "examples/range_trades.cql", "--input", TRACE, "--start", "-1.5", "-o", "r.csv"],
        "--start, a time as in Time int seconds: '-1.5' is not a whole number for int",
    ),
    "a master of no kind": (
        ["golden", GROUP_BY, "--input", TRACE, "-o", "r.csv", "--master", "locl"],
        "Invalid value for '--master': must be local, local[N] up to 999, ",
    ),
    "a master without threads": (
        ["simulate", GROUP_BY, "--input", TRACE, "--master", "local[0]"],
        "not local[0]",
    ),
    "a master of a million threads": (
        ["simulate", GROUP_BY, "--input", TRACE, "--master", "local[1000000]"],
        "not local[1000000]",
    ),
    "a seed above 63 bits": (
        ["simulate", GROUP_BY, "--input", TRACE, "--seed", "9223372036854775808"],
        "Invalid value for '--seed'",
    ),
    "lanes of many digits": (
        ["generate", GROUP_BY, "--set", "lanes=" + "9" * 5000],
        "a setting must be a number of 64 bits or fewer, not 99999",
    ),
    "a stall that is no number": (
        ["simulate", GROUP_BY, "--input", TRACE, "--stall-input", "nan"],
        "Invalid value for '--stall-input'",
    ),
    "a start beyond its column": (
        ["golden", "examples/range_trades.cql", "--input", TRACE, "--start", "1e99", "-o", "r.csv"],
        "--start, a time as in Time int seconds: 1e99 does not fit int",
    ),
    "unknown trace": (["trace", "clustr", "-o", "x.csv"], "did you mean cluster?"),
    "more changes than tuples": (
        ["trace", "cluster", "--changes", "1.5", "-o", "x.csv"],
        "--changes must be from 0 to 1, not 1.5",
    ),
    "changes that are no number": (
        ["trace", "cluster", "--changes", "nan", "-o", "x.csv"],
        "--changes must be from 0 to 1, not nan",
    ),
    "a trace of no jobs": (
        ["trace", "cluster", "--jobs", "0", "-o", "x.csv"],
        "--jobs must be from 1 to 1,000,000, not 0",
    ),
    "jobs of a trace that has none": (
        ["trace", "disorder", "--jobs", "5", "-o", "x.csv"],
        "--jobs 5 is for the trace cluster, not for disorder",
    ),
}


@pytest.mark.usefixtures("free_components")
@pytest.mark.parametrize(("arguments", "message"), CASES.values(), ids=CASES)
def test_one_line_and_exit_code_2(arguments, message, request, tmp_path, monkeypatch, capfd):
    root = request.config.rootpath
    monkeypatch.chdir(tmp_path)
    command_line = [str(root / a) if a.startswith("examples/") else a for a in arguments]
    if "generate" in command_line and not message.startswith("Missing option"):
        command_line += ["-o", "made"]
    assert cli.run(command_line) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("sluice: ")
    assert message in err
    assert not list(tmp_path.iterdir())


def test_a_design_with_a_name_that_no_file_can_have(request, tmp_path, monkeypatch, capfd):
    """The query's file can have 245 letters, but the longest generated file cannot."""
    monkeypatch.chdir(tmp_path)
    query = tmp_path / f"{'q' * 241}.cql"
    query.write_text((request.config.rootpath / GROUP_BY).with_suffix(".cql").read_text())
    assert cli.run(["generate", query.name, "-o", "made"]) == 2
    message = "has 241 letters, and 200 are allowed"
    assert message in capfd.readouterr().err
    assert list(tmp_path.iterdir()) == [query]


WINDOWS = {
    "rows that are no multiple of lanes": (
        "min(v)",
        (130, 32),
        [],
        "ROWS must be a multiple of lanes, 4, not 130",
    ),
    "a slide that is no multiple of lanes": (
        "min(v)",
        (128, 2),
        [],
        "SLIDE must be a multiple of lanes, 4, not 2",
    ),
    "rows above what is built": (
        "min(v)",
        (1024, 32),
        ["window_max=512"],
        "at most window_max, 512, not 1024",
    ),
    "rows above capacity squared": (
        "min(v)",
        (512, 32),
        ["capacity=16"],
        "at most window_max, 256, not 512",
    ),
    "window_max above capacity squared": (
        "min(v)",
        (16, 4),
        ["capacity=16", "window_max=512"],
        "window_max must be at most capacity squared, 256, not 512",
    ),
    "a slide above the rows": (
        "min(v)",
        (32, 64),
        [],
        "SLIDE must be at most ROWS, not 64 with ROWS 32",
    ),
    "percentile 0": ("percentile(v, 0)", (32, 8), [], "above 0 and at most 1, not 0"),
    "percentile above 1": ("percentile(v, 1.01)", (32, 8), [], "above 0 and at most 1, not 1.01"),
    "a percentile that no register holds": (
        "percentile(v, 0.9)",
        (32, 8),
        ["percentiles=run-time"],
        "must be a multiple of 1/65536",
    ),
    "sum of floats": ("sum(x)", (32, 8), [], "swag: sum(x) adds floating-point numbers"),
    "avg of floats": ("avg(x)", (32, 8), [], "swag: avg(x) adds floating-point numbers"),
    "two orders": (
        "median(v), count(distinct x)",
        (32, 8),
        [],
        "2 columns, and a window has one order",
    ),
    "capacity 100": ("min(v)", (32, 8), ["capacity=100"], "a power of two from"),
    "passes": ("min(v)", (32, 8), ["passes=both"], "must be one of shared, pipelined"),
}


@pytest.mark.parametrize(("select", "window", "settings", "message"), WINDOWS.values(), ids=WINDOWS)
def test_windows_that_cannot_be_built(select, window, settings, message, sluice, tmp_path):
    query, created = tmp_path / "q.cql", tmp_path / "made"
    query.write_text(
        "CREATE INPUT STREAM S (g uint(8), v int(8), x float);\n"
        f"SELECT g, {select} FROM S [ROWS {window[0]} SLIDE {window[1]}] GROUP BY g;\n"
    )
    arguments = [text for setting in settings for text in ("--set", setting)]
    code, out, err = sluice("generate", query, "-o", created, *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err
    assert not created.exists()


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


#: Arguments that complete a command line of each command.
LINES = {
    "engines": [],
    "generate": ["q.cql", "-o", "made"],
    "golden": ["q.cql", "--input", "d.csv", "-o", "r.csv"],
    "simulate": ["q.cql", "--input", "d.csv"],
    "report": ["q.cql"],
    "build": ["q.cql", "-o", "made"],
    "serve": ["made"],
    "demo": [],
    "trace": ["cluster", "-o", "t.csv"],
    "shell": [],
    "compare": ["a.csv", "b.csv"],
}
#: Values of the options that refuse 3, the value in the test below.
VALUES = {"--stall-input": "0.5", "--stall-output": "0.5", "--master": "local", "--changes": "0.1"}


def single_options():
    """Returns (command, name of the option) for each option with a single value."""
    commands = typer.main.get_command(app_of(COMMANDS)).commands
    options = [(name, option) for name, c in commands.items() for option in c.params]
    return [
        (command, name)
        for command, option in options
        if option.param_type_name == "option" and not (option.multiple or option.is_flag)
        for name in option.opts
    ]


@pytest.mark.parametrize(("command", "name"), single_options())
def test_an_option_that_takes_one_value_is_there_twice(command, name, tmp_path, monkeypatch, capfd):
    """An option that is given twice is refused, also with equal values."""
    monkeypatch.chdir(tmp_path)
    value = VALUES.get(name, "3")
    assert cli.run([command, *LINES[command], name, value, name, value]) == 2
    out, err = capfd.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith("sluice: --")
    assert " times: leave one" in err
    assert not list(tmp_path.iterdir())


def test_single_options_include_the_options_of_files():
    """The list contains the options that name a file, for each command."""
    tried = set(single_options())
    reading = {(c, "--input") for c in ("golden", "simulate", "demo")}
    writing = {(c, o) for c in ("golden", "generate", "demo", "trace") for o in ("-o", "--output")}
    assert reading | writing | {("simulate", "--rows"), ("simulate", "--evicted")} <= tried
    assert len(tried) > 40


@pytest.mark.parametrize(
    ("command", "settings", "values"),
    [
        ("generate", ["--set", "lanes=4", "--set", "lanes=8"], "4 and 8"),
        ("simulate", ["--set", "lanes=4", "--lanes", "8"], "4 and 8"),
        ("report", ["--lanes", "2", "--set", "lanes=4"], "4 and 2"),
        ("simulate", ["--network", "--set", "network=false"], "false and true"),
    ],
)
def test_a_setting_with_two_values(command, settings, values, examples, sluice, tmp_path):
    files = {"generate": ["-o", tmp_path / "made"], "simulate": ["--input", examples / "t.csv"]}
    passed = [examples / "cluster_groupby.cql", *files.get(command, []), *settings]
    code, out, err = sluice(command, *passed)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert f"is set to both {values}: leave one of the settings out" in err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("error", [KeyboardInterrupt, EOFError])
def test_exceptions_that_typer_would_change_pass_through(error, monkeypatch):
    """Typer makes exit code 130 of the first one, and an `Abort` of the second one."""

    def engines():
        raise error

    monkeypatch.setattr(engines_command, "engines", engines)
    with pytest.raises(error):
        run(["engines"])


@pytest.mark.parametrize(
    ("end", "code", "error"),
    [("exit_code(3)", 3, ""), ("1 / 0", 1, "ZeroDivisionError: division by zero\n")],
)
def test_the_process_ends_before_python_frees_its_objects(end, code, error):
    """Writes the output, runs exit handlers, and leaves the object; the text has no end of line."""
    program = f"""
import atexit
from gen import cli

class Freed:
    def __del__(self):
        print("freed")

def exit_code(code):
    atexit.register(print, " and an exit handler")
    print("rows", end="")
    return code

object = Freed()
cli.run = lambda arguments: {end}
cli.main([])
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert run.returncode == code
    assert run.stdout == ("rows and an exit handler\n" if code == 3 else "")
    assert run.stderr.endswith(error)
