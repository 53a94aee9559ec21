"""Commands with a damaged, foreign, read-only or full cache."""

import json
import os
import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import golden.cache
from caching import entries, seal
from gen import cli
from tb import permissions
from tb.caching.damage import FILE_DAMAGES, truncate

# The design of test_second_run, whose model is built once for both.
QUERY = "CREATE INPUT STREAM S (g uint(8), v int(9)); SELECT g, min(v) FROM S GROUP BY g;"
DATA = "g,v\n7,5\n9,1\n7,-3\n9,1\n"
#: Files of entries as `sluice simulate` uses them, by the kind and what the key begins with.
USED = {
    "golden/": "rows.parquet",
    "rtlil/": "about.json",
    "verilog/": "*.v",
    "bench/model-": "model.so",
    "bench/bench-": "bench.so",
}
OBJECTS = ("header-", "runtime-")  # what every model is compiled with


class Warm:
    """A folder with the entries that a command looked at, copied from the tests' own cache.

    No model of the folder is loaded yet: a file that is truncated while it is loaded kills the
    process.

    Attributes
    ----------
    arguments : list of str
        The command.
    printed : str
        What it printed with the tests' own cache.
    folder : pathlib.Path
    """

    def __init__(self, arguments, printed, cache, looked_at, folder):
        self.folder, self.arguments = folder, [*arguments, "--cache", str(folder)]
        self.printed = printed
        for entry in looked_at:
            copied = folder / entry.relative_to(cache)
            copied.parent.mkdir(parents=True, exist_ok=True)
            copies = copied.name.startswith(OBJECTS)  # they are large, and never damaged
            shutil.copytree(entry, copied, copy_function=os.link if copies else shutil.copy2)

    def file(self, kind):
        """The file that is used of an entry in `USED`."""
        (result,) = self.folder.glob(f"{kind}*/{USED[kind]}")
        return result

    def run(self, capfd):
        """Standard output, and lines on standard error; the command succeeds."""
        capfd.readouterr()
        assert cli.run(self.arguments) == 0
        out, err = capfd.readouterr()
        return out, [line for line in err.splitlines() if line.startswith("sluice: ")]

    def refused(self, capfd):
        """Returns the only line on standard error; the command ends with exit code 2."""
        capfd.readouterr()
        assert cli.run(self.arguments) == 2
        out, err = capfd.readouterr()
        assert out == ""
        return err


@pytest.fixture
def warm(cache, tmp_path, monkeypatch, capfd):
    """The :class:`Warm` folder of a command."""

    def run(command, *options):
        query, data = tmp_path / "q.cql", tmp_path / "d.csv"
        query.write_text(QUERY)
        data.write_text(DATA)
        arguments = [command, str(query), "--input", str(data), *map(str, options)]
        looked_at = []

        def noted(directory, name, fault=entries.fault):
            # The archive of Spark's classes lies in another cache.
            if Path(directory).is_relative_to(cache.resolve()):
                looked_at.append(Path(directory))
            return fault(directory, name)

        with monkeypatch.context() as patched:
            patched.setattr(entries, "fault", noted)
            assert cli.run([*arguments, "--cache", str(cache)]) == 0
        # Lock files and unfinished entries of other processes have a suffix.
        entry_paths = [path for path in (cache / "bench").iterdir() if not path.suffix]
        own_values = [path for path in entry_paths if path.name.startswith(OBJECTS)]
        result = dict.fromkeys([*looked_at, *(own_values if command == "simulate" else [])])
        printed = capfd.readouterr().out
        return Warm(arguments, printed, cache.resolve(), result, tmp_path / "cache")

    return run


def figures(out):
    """Returns the JSON of `simulate`, without the time that the run took."""
    times = ("simulation_seconds", "simulation_cycles_per_second")
    return {name: value for name, value in json.loads(out).items() if name not in times}


@pytest.mark.in_turn
@pytest.mark.spark
@pytest.mark.hdl
def test_damaged_entries_are_made_again(warm, tmp_path, capfd):
    """The test damages all entries of a simulation that are quick to make again; each gives one
    line.
    """
    simulation = warm("simulate", "--lanes", 2, "--json")
    files = [simulation.file(kind) for kind in USED if kind != "bench/bench-"]
    contents = [file.read_bytes() for file in files]
    for file in files:
        truncate(file, tmp_path / "elsewhere")
    out, lines = simulation.run(capfd)
    assert figures(out) == figures(simulation.printed)
    expected = [f"sluice: {f.parent}: {f.name} is damaged: made again" for f in files]
    assert sorted(lines) == sorted(expected)
    assert [file.read_bytes() for file in files[:3]] == contents[:3]
    assert simulation.run(capfd)[1] == []


@pytest.mark.regress
@pytest.mark.spark
@pytest.mark.hdl
@pytest.mark.parametrize("kind", USED)
@pytest.mark.parametrize("damage", FILE_DAMAGES, ids=lambda damage: damage.__name__)
def test_each_damage_of_each_entry(warm, tmp_path, capfd, damage, kind):
    simulation = warm("simulate", "--lanes", 2, "--json")
    damage(simulation.file(kind), tmp_path / "elsewhere")
    out, lines = simulation.run(capfd)
    assert figures(out) == figures(simulation.printed)
    assert len(lines) == 1
    assert lines[0].endswith(": made again")
    assert simulation.run(capfd)[1] == []


@pytest.mark.spark
def test_golden_rows_of_somebody_else(warm, tmp_path, capfd, monkeypatch):
    """Wrong rows, under the right name and well sealed, by another key: they are not taken."""
    command = warm("golden", "-o", tmp_path / "rows.csv")
    file = command.file("golden/")
    table = pq.read_table(file)
    problems = table.set_column(
        2, table.schema.field(2), pa.array([0, 0], table.schema.field(2).type)
    )
    pq.write_table(problems, file)
    with monkeypatch.context() as patched:
        patched.setattr(seal, "signing_key", lambda: b"somebody else's key")
        seal.seal(file.parent, file.parent.name)
        assert entries.fault(file.parent, file.parent.name) is None
    _, lines = command.run(capfd)
    reason = "its seal is damaged, or is not yours"
    assert lines == [f"sluice: {file.parent}: {reason}: made again"]
    assert (tmp_path / "rows.csv").read_text() == "window,g,min(v)\n0,7,-3\n0,9,1\n"


def only_read(folder):
    """Makes the folder read-only, and yields its contents."""
    below = sorted([folder, *folder.rglob("*")])
    for path in below:
        path.chmod(0o500 if path.is_dir() else 0o400)
    return below


@pytest.mark.spark
@pytest.mark.hdl
def test_a_cache_that_can_only_be_read(warm, capfd, monkeypatch):
    """A read-only cache works if it holds everything; a miss is refused before any work."""
    simulation = warm("simulate", "--lanes", 2, "--json")
    for part in OBJECTS:  # links to the tests' own
        for entry in (simulation.folder / "bench").glob(f"{part}*"):
            shutil.rmtree(entry)
    rows = simulation.file("golden/")
    earlier = only_read(simulation.folder)
    with permissions.obeyed():
        out, lines = simulation.run(capfd)
    assert figures(out) == figures(simulation.printed)
    assert lines == []
    assert sorted([simulation.folder, *simulation.folder.rglob("*")]) == earlier
    monkeypatch.setattr(golden.cache, "session", lambda _: pytest.fail("Spark was started"))
    for folder in (rows.parents[1], rows.parent):
        folder.chmod(0o700)
    shutil.rmtree(rows.parent)
    rows.parents[1].chmod(0o500)
    with permissions.obeyed():
        line = simulation.refused(capfd)
    reason = "a result is not in the cache yet, and it cannot be written: Permission denied"
    assert line == f"sluice: {rows.parents[1]}: {reason}; name another folder with --cache\n"


@pytest.mark.parametrize("mode", [0o777, 0o757])
def test_a_cache_that_others_can_write(tmp_path, capfd, mode):
    (tmp_path / "q.cql").write_text(QUERY)
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache").chmod(mode)
    arguments = ["generate", tmp_path / "q.cql", "-o", tmp_path / "made", "--cache"]
    assert cli.run([*map(str, arguments), str(tmp_path / "cache")]) == 2
    err = capfd.readouterr().err
    assert err.count("\n") == 1
    assert "cache: can be written by other users, who could put programs there: run chmod" in err
    assert not (tmp_path / "made").exists()
    assert list((tmp_path / "cache").iterdir()) == []
