"""Tests that commands print texts without interpreting them, and warnings beside JSON."""

import json
import subprocess
import sys

import pytest

from gen.terminal.console import Output, _Step, table


def test_names_of_files_are_no_markup(capsys):
    """Rich would drop ``[a]`` from a title, refuse ``[/z]``, and print the cell in red."""
    Output().result({}, table("x[a].csv and d[/z].csv", ["column"], [["[red]1[/red]"]]))
    printed = capsys.readouterr().out
    assert "x[a].csv and d[/z].csv" in printed
    assert "[red]1[/red]" in printed


def test_steps_are_no_markup():
    step = _Step(None, "rows of data/[ab]*.csv and d[/z].csv")
    assert str(step._line()).startswith("rows of data/[ab]*.csv and d[/z].csv (")


def test_places_are_no_emoji(capsys):
    out = Output()
    out.warn("w.cql:100:72: t declares no unit")
    out.result({}, "a :x: b", table(None, ["n"], [[":100:"]]))
    printed = capsys.readouterr()
    assert "w.cql:100:72: " in printed.err
    assert "a :x: b" in printed.out
    assert ":100:" in printed.out


def test_json_has_each_warning_once(capsys):
    out = Output(as_json=True)
    out.warn("one", "two")
    out.result({"warnings": ["two", "three"], "rows": 1})
    assert json.loads(capsys.readouterr().out) == {"warnings": ["one", "two", "three"], "rows": 1}


def test_json_without_warnings_is_as_it_is(capsys):
    Output(as_json=True).result({"rows": 1})
    assert json.loads(capsys.readouterr().out) == {"rows": 1}


@pytest.mark.parametrize(
    ("redirection", "code", "message"),
    [
        ("engines >&-", 2, "sluice: standard output: cannot be written: it is closed\n"),
        ("shell <&-", 0, ""),
        ("engines 2>&- >/dev/null", 0, ""),
    ],
)
def test_closed_streams(redirection, code, message):
    program = f"{sys.executable} -c 'from gen.cli import main; main()' {redirection}"
    run = subprocess.run(["bash", "-c", program], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (code, message)


def test_characters_that_the_terminal_has_not(tmp_path):
    """A file name with a letter that ASCII lacks is printed as an escape, with exit code 0."""
    name = tmp_path / "\u00fc.csv"
    program = "from gen.cli import main; main()"
    run = subprocess.run(
        [sys.executable, "-c", program, "trace", "cluster", "--tuples", "5", "-o", str(name)],
        env={"PYTHONIOENCODING": "ascii", "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert "\\xfc.csv" in run.stdout
    assert name.exists()
