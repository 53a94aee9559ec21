"""Tests `sluice shell`: several commands in one process, errors, and the exit code."""

import errno
import io
import json
import os
import pty
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from gen.commands.shell import _words
from gen.terminal.console import is_output_discarded
from golden.spark import session

ROOT = Path(__file__).parents[3]
PROGRAM = "from gen.cli import main; main(['shell'])"
TRACE = "trace cluster --tuples 5 -o"


@pytest.fixture
def shell(sluice, monkeypatch):
    """Returns a function that runs `sluice shell`; its arguments are the lines of the input."""

    def run(*lines, stop=False):
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        return sluice("shell", *["--stop"] * stop)

    return run


def test_runs_each_line(shell, tmp_path):
    """A # within a word or in quotes begins no comment."""
    files = [tmp_path / name for name in ("a.csv", "b c #1.csv", "d#2.csv", "e.csv")]
    code, _, err = shell(
        f"{TRACE} {files[0]}  # a comment",
        "",
        "# only a comment",
        f"sluice {TRACE} '{files[1]}'",
        f"{TRACE} {files[2]}",
        "exit",
        f"{TRACE} {files[3]}",
    )
    assert (code, err) == (0, "")
    assert [file.exists() for file in files] == [True, True, True, False]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("a b # c", ["a", "b"]),
        ("# c", []),
        ("a#b '# c' \"# d\" # e", ["a#b", "# c", "# d"]),
        (r"b\ #1.csv", ["b #1.csv"]),
        (r"\#a # b", ["#a"]),
        (r'"a\" # b" c', ['a" # b', "c"]),
        (r'\\"a # b" c', [r"\a # b", "c"]),
        (r"'a\' # b", ["a\\"]),
    ],
)
def test_comments_begin_where_a_word_could(line, words):
    assert _words(line, 1) == words


def test_the_first_failure_is_the_exit_code(shell, tmp_path):
    query = tmp_path / "none.cql"
    code, _, err = shell("frobnicate", f"report {query}", f"{TRACE} {tmp_path / 'a.csv'}")
    assert code == 2
    assert [line.removeprefix("sluice: ") for line in err.splitlines()] == [
        "No such command 'frobnicate'.",
        "standard input:1: exit code 2",
        f"{query}: cannot be read: No such file or directory",
        "standard input:2: exit code 2",
    ]


@pytest.mark.parametrize("end", ["exit", "quit"])
def test_a_later_failure_changes_no_exit_code(shell, tmp_path, end):
    """Two files of rows that differ give exit code 1, and an unknown command gives 2."""
    for name, row in (("a", 3), ("b", 4)):
        (tmp_path / f"{name}.csv").write_text(f"window,n\n0,{row}\n")
    differ = f"compare {tmp_path / 'a.csv'} {tmp_path / 'b.csv'}"
    assert shell(differ, "frobnicate", end, f"{TRACE} {tmp_path / 'c.csv'}")[0] == 1
    assert not (tmp_path / "c.csv").exists()
    assert shell("frobnicate", differ)[0] == 2


def test_stops_at_a_failure(shell, tmp_path):
    code, _, err = shell("frobnicate", f"{TRACE} {tmp_path / 'a.csv'}", stop=True)
    assert (code, len(err.splitlines())) == (2, 2)
    assert not (tmp_path / "a.csv").exists()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("trace 'cluster", "standard input:2: no closing quotation: trace 'cluster"),
        ("shell", "standard input:2: a shell runs already"),
        ("sluice shell --stop", "standard input:2: a shell runs already"),
    ],
)
@pytest.mark.parametrize("stop", [False, True])
def test_a_refused_line_is_a_failed_command(shell, line, message, stop, tmp_path):
    """The shell prints one line for the error; without ``--stop`` the next command runs."""
    code, _, err = shell("", line, f"{TRACE} {tmp_path / 'a.csv'}", stop=stop)
    assert (code, err) == (2, f"sluice: {message}\n")
    assert (tmp_path / "a.csv").exists() != stop


@pytest.mark.in_turn
def test_a_line_that_is_no_utf8(tmp_path):
    """The shell refuses such a line as a failed command, in any locale, and runs the next line."""
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        input=b"\xff\n" + f"{TRACE} {tmp_path / 'a.csv'}\n".encode(),
        capture_output=True,
        cwd=ROOT,
        env=os.environ | {"PYTHONIOENCODING": "utf-8:strict"},
    )
    assert result.returncode == 2
    assert result.stderr.decode().splitlines()[0] == "sluice: No such command '\\udcff'."
    assert (tmp_path / "a.csv").exists()


@pytest.mark.in_turn
def test_asks_on_a_terminal_and_ends_with_the_input():
    """The commands run in one process, and the prompt is for a terminal only."""
    controller, terminal = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM], cwd=ROOT, stdin=terminal, stdout=terminal,
        stderr=subprocess.PIPE,
    )  # fmt: skip
    os.close(terminal)
    for line in (b"frobnicate\n", b"\x04"):
        text = b""
        while not text.endswith(b"sluice> "):
            text += os.read(controller, 1000)
        os.write(controller, line)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (2, b"sluice: No such command 'frobnicate'.\n")
    os.close(controller)


@pytest.mark.spark
def test_spark_starts_once(shell, tmp_path, monkeypatch):
    """Two queries in one shell use the same Spark session."""
    sessions = []
    monkeypatch.setattr("golden.cache.session", lambda master: started(master, sessions))
    (tmp_path / "s.cql").write_text(
        "CREATE INPUT STREAM S (k uint(8), x int); SELECT k, sum(x) AS s FROM S GROUP BY k;"
    )
    for name, value in (("a", 3), ("b", 4)):
        (tmp_path / f"{name}.csv").write_text(f"k,x\n7,{value}\n7,{os.getpid()}\n")
    call = f"golden {tmp_path / 's.cql'} --master local[2] --cache {tmp_path / 'cache'}"
    lines = [f"{call} --input {tmp_path / n}.csv -o {tmp_path / n}.rows.csv" for n in "ab"]
    assert shell(*lines)[0] == 0
    rows = [(tmp_path / f"{name}.rows.csv").read_text() for name in "ab"]
    assert rows == [f"window,k,s\n0,7,{os.getpid() + value}\n" for value in (3, 4)]
    assert len(sessions) == 2
    assert sessions[0] == sessions[1]


def started(master, sessions):
    """Returns the session, and appends the session's application id to ``sessions``."""
    spark = session.session(master)
    sessions.append(spark.sparkContext.applicationId)
    return spark


@pytest.mark.in_turn(5)
@pytest.mark.parametrize(("first", "code"), [("engines", 141), ("frobnicate", 2)])
def test_no_command_follows_if_nobody_reads_the_output(tmp_path, first, code):
    """The exit code is 141; after a failed command it is the code of the failure."""
    reader, writer = os.pipe()
    os.close(reader)
    output = tmp_path / "output.csv"
    with os.fdopen(writer, "w") as broken:
        result = subprocess.run(
            [sys.executable, "-c", PROGRAM], cwd=ROOT, stdout=broken, stderr=subprocess.PIPE,
            input=f"{first}\nengines\n{TRACE} {output}\n", text=True, check=False,
        )  # fmt: skip
    assert result.returncode == code
    assert not output.exists()


@pytest.mark.in_turn
def test_no_command_follows_a_full_disk():
    """All later results would be lost, and the commands would succeed."""
    with open("/dev/full", "w") as full:
        result = subprocess.run(
            [sys.executable, "-c", PROGRAM], cwd=ROOT, stdout=full, stderr=subprocess.PIPE,
            input="engines\nengines\n", text=True, check=False,
        )  # fmt: skip
    assert result.returncode == 2
    assert result.stderr.splitlines() == [
        "sluice: standard output: cannot be written: No space left on device",
        "sluice: standard input:1: exit code 2",
    ]


def test_a_full_disk_elsewhere_stops_no_result(shell, monkeypatch, capfd):
    def full():
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("gen.commands.engines.ENGINES", SimpleNamespace(values=full))
    assert shell("engines")[0] == 2
    monkeypatch.undo()
    assert not is_output_discarded()


@pytest.mark.in_turn
def test_the_prompt_is_not_in_a_file_of_results(tmp_path):
    controller, terminal = pty.openpty()
    with open(tmp_path / "out.json", "wb") as results:
        process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM], cwd=ROOT, stdin=terminal, stdout=results,
            stderr=subprocess.PIPE,
        )  # fmt: skip
        os.close(terminal)
        for line in (b"engines --json\n", b"exit\n"):
            os.write(controller, line)
        _, err = process.communicate(timeout=60)
    os.close(controller)
    assert (process.returncode, err) == (0, b"sluice> sluice> ")
    assert json.loads((tmp_path / "out.json").read_text())
