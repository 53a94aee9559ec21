"""Runs command lines that are nearly valid: each succeeds, or is refused in one line.

The cases end where Spark, the elaboration or a tool would begin, so a case takes milliseconds. All
later inputs are checked before this point.
"""

import os
from itertools import islice
from pathlib import Path

import pytest

import gen.commands.demo
import gen.commands.generate
import gen.commands.golden_rows
import gen.commands.report
import gen.jobs.directory
import gen.jobs.resources
import gen.terminal.console
from gen import cli
from tb.gen.fuzz import case

WORK = [
    (gen.commands.golden_rows, "expect"),
    (gen.jobs.directory, "design_files"),
    (gen.commands.demo, "design_files"),
    (gen.jobs.resources, "engine_report"),
    (gen.commands.report, "to_rtlil"),
]


class AcceptedError(Exception):
    """Raised where the long work would begin: all inputs were read, and accepted."""


@pytest.fixture
def quick(monkeypatch):
    """Ends a command where its long work begins."""

    def accept(*_, **__):
        raise AcceptedError

    for module, name in WORK:
        monkeypatch.setattr(module, name, accept)
    monkeypatch.setattr(gen.terminal.console, "ANNOUNCE_AFTER", 1e6)  # no progress lines


def furnish(place, files):
    """Writes the files of a case, and files that the case's paths may name."""
    place.mkdir()
    for name, data in files.items():
        (place / name).write_bytes(data)
    for name in ("folder", "folder.csv", "folder.cql", "folder.toml", "folder.parquet"):
        (place / name).mkdir()
    (place / "full.csv").symlink_to("/dev/full")
    for suffix in (".csv", ".cql"):
        (place / f"loop{suffix}").symlink_to(f"loop{suffix}")
    (place / "d.csv.gz").write_bytes(b"\x1f\x8b no")
    (place / "broken.gz").write_bytes(b"\x1f")


def seen(place):
    """Returns every path below a directory, with the contents of files."""
    result = {}
    for folder, _, files in os.walk(place):
        result[folder] = None
        for name in files:
            path = os.path.join(folder, name)
            result[path] = None if os.path.islink(path) else Path(path).read_bytes()
    return result


def problem_of(case, place, capfd):
    """Returns the problem of a case's result, or None."""
    furnish(place, case.files)
    os.chdir(place)
    earlier = seen(place)
    try:
        code = cli.run(case.arguments)
    except AcceptedError:
        code = None
    except BaseException as error:
        capfd.readouterr()
        return f"{type(error).__name__}: {error}"[:300]
    out, err = capfd.readouterr()
    lines = err.splitlines(keepends=True)
    err = "".join(line for line in lines if not line.startswith("sluice: warning: "))
    if code == 0:
        return None if err == "" else f"done, but it said {err[:300]!r}"
    if seen(place) != earlier:
        return f"{code}: files were touched: {sorted(seen(place).keys() ^ earlier.keys())}"
    if code is None:
        return None
    if (
        code != 2
        or out
        or err.count("\n") != 1
        or not err.startswith("sluice: ")
        or len(err) > 2000
    ):
        return f"{code}: {out[:300]!r} {err[:300]!r}"
    return None


def run(seeds, place, capfd):
    """Fails with the cases that ended wrongly, and how, a line each."""
    bad = []
    for seed in seeds:
        created = case(seed)
        if problem := problem_of(created, place / str(seed), capfd):
            printed = [argument[:40] for argument in created.arguments]
            bad.append(f"case {seed} {created.spoiled} {printed}: {problem}")
    if bad:
        pytest.fail("\n".join(bad), pytrace=False)


def test_a_hundred_cases(quick, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    run(range(100), tmp_path, capfd)


@pytest.mark.regress
@pytest.mark.parametrize("block", range(20))
def test_two_thousand_cases(block, quick, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    run(range(100 * (block + 1), 100 * (block + 2)), tmp_path, capfd)


@pytest.mark.regress
@pytest.mark.spark
def test_cases_whose_rows_are_computed(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(gen.terminal.console, "ANNOUNCE_AFTER", 1e6)
    seeds = (seed for seed in range(5000, 6000) if case(seed).arguments[0] == "golden")
    run(islice(seeds, 100), tmp_path, capfd)


def test_unspoiled_cases_are_accepted(quick, tmp_path, monkeypatch, capfd):
    """Cases without a spoiled part are accepted, unless no engine fits the query.

    So the other cases are refused because of their spoiled parts.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tb.gen.fuzz._spoils", lambda rng: ())
    accepted = 0
    for seed in range(40):
        created = case(seed)
        furnish(tmp_path / str(seed), created.files)
        os.chdir(tmp_path / str(seed))
        try:
            code = cli.run(created.arguments)
        except AcceptedError:
            code = 0
        accepted += code == 0
        said = capfd.readouterr().err
        assert code == 0 or "engine" in said, (created, said)
    assert accepted > 20
