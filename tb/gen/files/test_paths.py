"""Checks wrong paths in every place of a command line: one line, exit code 2, no changed file."""

import os
import subprocess
import sys

import pyarrow as pa
import pytest

from gen import cli
from golden.rows import replacing, write
from query.errors import UserError
from query.parser import parse
from tb import permissions

QUERY = "CREATE INPUT STREAM S (a int, b int) SELECT a, sum(b) FROM S GROUP BY a;"
DATA = "a,b\n1,2\n1,3\n"


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A directory with a query, data, a folder, a pipe and a design point whose query has a NUL."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "q.cql").write_text(QUERY)
    (tmp_path / "d.csv").write_text(DATA)
    (tmp_path / "nul.toml").write_text('query = "a\\u0000b.cql"\n')
    for name in ("folder", "folder.csv", "folder.cql", "folder.toml"):
        (tmp_path / name).mkdir()
    os.mkfifo(tmp_path / "pipe.csv")
    for name in ("full.csv", "full.cql"):
        (tmp_path / name).symlink_to("/dev/full")
    return tmp_path


def seen(directory):
    """Returns every path below a directory, with the contents of files."""
    return {
        path: path.read_bytes() if path.is_file() and not path.is_symlink() else None
        for path in directory.rglob("*")
    }


LONG = "x" * 300
GOLDEN = ["golden", "q.cql", "--input", "d.csv", "-o"]
TRACE = ["trace", "cluster", "--tuples", "4", "-o"]
SIMULATE = ["simulate", "q.cql", "--input", "d.csv"]
CASES = {
    "rows to a folder": ([*GOLDEN, "folder.csv"], ": cannot be written: it is a directory"),
    "rows to a pipe": ([*GOLDEN, "pipe.csv"], "pipe.csv: cannot be written: it is no regular file"),
    "rows to a device": ([*GOLDEN, "full.csv"], "cannot be written: it is no regular file"),
    "rows over the data": ([*GOLDEN, "./d.csv"], "cannot be written: it is what the command reads"),
    "rows below a file": ([*GOLDEN, "q.cql/r.csv"], "cannot be written: there is no such folder"),
    "rows to a long name": ([*GOLDEN, f"{LONG}.csv"], "File name too long"),
    "rows to nowhere": ([*GOLDEN, ""], "'-o' / '--output': a path cannot be empty"),
    "rows where root cannot write": ([*GOLDEN, "/proc/r.csv"], "/proc/r.csv: cannot be written: "),
    "rows to a NUL": ([*GOLDEN, "a\0b.csv"], "'a\\x00b.csv' holds a zero byte"),
    "rows to no UTF-8": ([*GOLDEN, "a\udcff.csv"], "'a\\udcff.csv' is not UTF-8"),
    "hardware's rows to a folder": (
        [*SIMULATE, "--rows", "folder.csv"],
        "folder.csv: cannot be written: it is a directory",
    ),
    "hardware's rows over the data": ([*SIMULATE, "--rows", "d.csv"], "what the command reads"),
    "a trace to a folder": ([*TRACE, "folder.csv"], "folder.csv: cannot be written: it is a dir"),
    "a trace to a device": ([*TRACE, "/dev/full"], "a trace must go to a .csv or .csv.gz file"),
    "a trace to no folder": ([*TRACE, "none/t.csv"], "cannot be written: there is no such folder"),
    "a trace too long to make": (
        ["trace", "cluster", "-o", "t.csv", "--tuples", "1000000000000"],
        "Invalid value for '--tuples'",
    ),
    "a cache that is a file": ([*SIMULATE, "--cache", "q.cql"], "q.cql is not a directory"),
    "a cache below a file": (
        ["generate", "q.cql", "-o", "made", "--cache", "q.cql/c"],
        "q.cql is not a directory",
    ),
    "a cache of no name": (
        [*GOLDEN, "r.csv", "--cache", ""],
        "'--cache' (env var: 'SLUICE_CACHE'): a path cannot be empty",
    ),
    "a cache where root cannot write": (
        [*SIMULATE, "--cache", "/proc/x"],
        "/proc cannot be written: No such file or directory",
    ),
    "a cache of a long name": ([*GOLDEN, "r.csv", "--cache", LONG], "File name too long"),
    "a query that is a folder": (
        ["golden", "folder.cql", "--input", "d.csv", "-o", "r.csv"],
        "folder.cql: cannot be read: Is a directory",
    ),
    "a design point that is a folder": (
        ["report", "folder.toml"],
        "folder.toml: cannot be read: Is a directory",
    ),
    "a query of no name": (["report", ""], "a path cannot be empty"),
    "a query of a long name": (["report", f"{LONG}.cql"], "File name too long"),
    "rows to a suffix without a name": ([*GOLDEN, ".csv"], ".csv: rows must go to a .csv or "),
    "a demo of a long name": (["demo", "-o", LONG], "File name too long"),
    "parts of a long name": ([*GOLDEN, f"{LONG}.csv", "--parts"], "File name too long"),
    "rows of a long name": (["compare", f"{LONG}.csv", "d.csv"], "File name too long"),
    "a design in a file": (
        ["generate", "q.cql", "--no-bench", "-o", "d.csv"],
        "d.csv: cannot be written: Not a directory",
    ),
    "an engine of no name": (["report", "q.cql", "--engine", ""], "unknown engine ; known are"),
    "a board of no name": (["report", "q.cql", "--board", ""], "unknown board ; known are"),
    "hardware on the data of a folder": (
        ["simulate", "q.cql", "--input", "folder"],
        "folder: is a directory, and must be one file",
    ),
    "a query below a file": (["report", "d.csv/q.cql"], "cannot be read: Not a directory"),
    "a NUL in a design point": (
        ["report", "nul.toml"],
        "a\\x00b.cql: cannot be read: the name holds a zero byte",
    ),
    "no data in Parquet": (
        ["golden", "q.cql", "--input", "none.parquet", "-o", "r.csv"],
        "none.parquet: there is no such file",
    ),
    "data in a folder": (
        ["golden", "q.cql", "--input", "folder.csv", "-o", "r.csv"],
        "folder.csv: the directory has no data",
    ),
    "data from a device": (
        ["golden", "q.cql", "--input", "full.csv", "-o", "r.csv"],
        "full.csv: cannot be read: it is a device",
    ),
    "many data from a pipe": (
        ["golden", "q.cql", "--input", "pipe.csv", "--parts", "-o", "r.csv"],
        "pipe.csv: cannot be read: it is no regular file",
    ),
    "rows from a pipe": (
        ["compare", "d.csv", "pipe.csv"],
        "pipe.csv: cannot be read: it is no regular file",
    ),
    "a demo where root cannot write": (["demo", "-o", "/proc/x"], "/proc/x: cannot be written: "),
    "a board of no name for a demo": (["demo", "--board", ""], "unknown board ; known are"),
    "a target of no name": (["report", "q.cql", "--target", ""], "unknown target ; known are"),
    "an engine of no name for a block": (
        ["report", "--unit", "flims", "--engine", ""],
        "--engine is for engines, not for --unit",
    ),
    "a master for no bench": (
        ["generate", "q.cql", "--no-bench", "--master", "local[3]", "-o", "made"],
        "--master are for the bench, which --no-bench leaves out",
    ),
    "a query from a device": (["report", "full.cql"], "full.cql: cannot be read: it is a device"),
    "data of a long name": (
        ["golden", "q.cql", "--input", f"{LONG}.csv", "-o", "r.csv"],
        "File name too long",
    ),
    "data below a file": (
        ["golden", "q.cql", "--input", "q.cql/d.csv", "-o", "r.csv"],
        "cannot be read: Not a directory",
    ),
    "data of no name": (
        ["golden", "q.cql", "--input", "", "-o", "r.csv"],
        "'--input': a path cannot be empty",
    ),
    "a name of two lines": (
        ["golden", "q\n.cql", "--input", "d.csv", "-o", "r.csv"],
        "q\\n.cql: cannot be read: No such file or directory",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("arguments", "message"), CASES.values(), ids=CASES)
def test_one_line_and_nothing_is_touched(arguments, message, place, capfd):
    earlier = seen(place)
    assert cli.run(arguments) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("sluice: ")
    assert message in err
    assert seen(place) == earlier


def test_what_is_not_permitted(place, capfd):
    (place / "q.cql").chmod(0)
    with permissions.obeyed():
        assert cli.run(["report", "q.cql"]) == 2
    assert "cannot be read: Permission denied" in capfd.readouterr().err
    (place / "q.cql").chmod(0o600)
    (place / "folder").chmod(0o500)
    for arguments, message in (
        ([*GOLDEN, "folder/r.csv"], "folder/r.csv: cannot be written: Permission denied"),
        ([*GOLDEN, "r.csv", "--cache", "folder/c"], "folder cannot be written: Permission denied"),
    ):
        with permissions.obeyed():
            assert cli.run(arguments) == 2
        assert message in capfd.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["golden", "q.cql", "--input", "closed/d.csv", "-o", "r.csv"], "closed/d.csv: cannot be "),
        (["golden", "q.cql", "--input", "closed", "-o", "r.csv"], "closed: cannot be read: "),
        (["golden", "q.cql", "--input", "data", "-o", "r.csv"], "data/closed: cannot be read: "),
        ([*GOLDEN, "closed/r.csv", "--parts"], "closed/r.csv: cannot be written: "),
        (["compare", "closed/d.csv", "d.csv"], "closed/d.csv: cannot be read: "),
        (["compare", "closed", "d.csv"], "closed: cannot be read: "),
        (["demo", "-o", "closed/demo"], "closed/demo: cannot be written: "),
    ],
)
def test_a_folder_that_is_not_permitted(place, capfd, arguments, message):
    """The only line names the path that is at fault."""
    (place / "closed").mkdir()
    (place / "closed" / "d.csv").write_text(DATA)
    (place / "data").mkdir()
    (place / "data" / "d.csv").write_text(DATA)
    (place / "data" / "closed").symlink_to(place / "closed")
    (place / "closed").chmod(0)
    with permissions.obeyed():
        assert cli.run(arguments) == 2
    (place / "closed").chmod(0o700)
    err = capfd.readouterr().err
    assert err.startswith(f"sluice: {message}")
    assert err.endswith("Permission denied\n")
    assert err.count("\n") == 1


def test_a_cache_whose_parts_are_files(place, capfd):
    (place / "c").mkdir()
    for part in ("rtlil", "golden"):
        (place / "c" / part).write_text("")
    assert cli.run(["generate", "q.cql", "-o", "made", "--no-bench", "--cache", "c"]) == 2
    assert "c/rtlil: a result is not in the cache yet, and it cannot" in capfd.readouterr().err
    assert not (place / "made").exists()


def test_originals_that_cannot_be_written(tmp_path):
    """The file beside the rows has a folder in its place: neither is written."""
    query = parse(QUERY)
    (tmp_path / "r.a.csv").mkdir()
    table = pa.table({"window": [0], "a": [0], "sum(b)": [5]})
    with pytest.raises(UserError, match=r"r\.a\.csv: cannot be written: Is a directory"):
        write(table, query, tmp_path / "r.csv", {"a": pa.array([7])})
    assert [path.name for path in tmp_path.iterdir()] == ["r.a.csv"]


def test_a_name_as_long_as_they_may_be(tmp_path):
    path = tmp_path / ("x" * 251 + ".csv")
    with replacing(path) as scratch, open(scratch, "w") as file:
        file.write("a\n")
    assert path.read_text() == "a\n"


def test_a_disk_that_is_full(tmp_path):
    with (
        pytest.raises(UserError, match="cannot be written: No space left on device"),
        replacing(tmp_path / "r.csv"),
        open("/dev/full", "w") as file,
    ):
        file.write("a\n")
    assert not list(tmp_path.iterdir())


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("arguments", [["engines"], ["engines", "--json"], ["report", "--help"]])
def test_standard_output_that_is_full(arguments):
    command = [sys.executable, "-c", "from gen.cli import main; main()", *arguments]
    with open("/dev/full", "w") as full:
        process = subprocess.run(
            command, stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert process.returncode == 2
    place = "" if "--help" in arguments else "standard output: "
    assert process.stderr == f"sluice: {place}cannot be written: No space left on device\n"


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("arguments", [["engines"], ["engines", "--json"], ["report", "--help"]])
def test_standard_output_that_nobody_reads(arguments):
    command = [sys.executable, "-c", "from gen.cli import main; main()", *arguments]
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as broken:
        process = subprocess.run(command, stdout=broken, stderr=subprocess.PIPE, check=False)
    assert (process.returncode, process.stderr) == (141, b"")
