"""Checks the list of mutants and the runner's outcomes, and runs some mutants each day."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from tb.day import day_of_head
from tb.mutants.__main__ import main, verdict_text
from tb.mutants.catalogue import ROOT, Mutant, MutantError, choose, mutants
from tb.mutants.runner import Runner

DAILY = 4
FOLDERS = {"stream", "keyed", "memory", "aggregate", "network", "sort", "window", "contract", "bus"}
FOLDERS |= {"float", "ethernet", "serial"}
OTHERS = {"boards", "gen", "golden", "host", "sluice"}
ENGINES = {"group_by", "swag", "window_id", "pane", "two_stacks", "streamzip"}

#: A tree of one source and its tests.
SOURCE = "def double(x):\n    return x + x\n"
TESTS = """
import time
from rtl.part.double import double

def test_double(): assert double(3) == 6
def test_zero(): assert double(0) == 0
def test_slow():
    while double(1) != 2: pass
def test_asleep():
    while double(1) != 2: time.sleep(1)
"""
RIGHT = Mutant(
    mistake="a double that is a square",
    file="rtl/part/double.py",
    old="x + x",
    new="x * x",
    tests=("tb/test_double.py::test_double",),
)


@pytest.fixture
def tree(tmp_path):
    """Returns a tree with one component."""
    (tmp_path / "rtl/part").mkdir(parents=True)
    (tmp_path / "tb").mkdir()
    for path, text in (
        ("rtl/__init__.py", ""),
        ("rtl/part/__init__.py", ""),
        ("rtl/part/double.py", SOURCE),
        ("tb/__init__.py", ""),
        ("tb/test_double.py", TESTS),
        ("pyproject.toml", '[tool.pytest.ini_options]\naddopts = "--import-mode=importlib"\n'),
    ):
        (tmp_path / path).write_text(text)
    return tmp_path


def verdict(tree, mutant, **options):
    with Runner(tree, **options) as runner:
        (result,) = runner.run([mutant])
        folders = set(Path(runner._place.name).iterdir())
    assert folders == {runner._pristine}
    assert not runner._pristine.exists()
    assert (tree / "rtl/part/double.py").read_text() == SOURCE
    return result


def test_every_mutant_changes_one_line_of_its_file():
    catalogue = mutants()
    assert len(catalogue) >= 120
    for mutant in catalogue:
        mutant.mutated((ROOT / mutant.file).read_text(encoding="utf-8"))


def test_every_mutant_uses_names_that_exist(tmp_path):
    """A mutant with an undefined name ends in an error, so no test has noticed its mistake."""
    sources = [mutant for mutant in mutants() if mutant.file.endswith(".py")]
    for k, mutant in enumerate(sources):
        text = (ROOT / mutant.file).read_text(encoding="utf-8")
        (tmp_path / f"mutant_{k}.py").write_text(mutant.mutated(text), encoding="utf-8")
    command = ["ruff", "check", "--isolated", "--select", "F821", "--no-cache"]
    completed = subprocess.run([*command, tmp_path], capture_output=True, text=True)
    assert completed.returncode == 0, completed.stdout


def test_every_folder_and_every_engine_has_some():
    files = [mutant.file.split("/") for mutant in mutants()]
    assert {path[0] for path in files} == {"rtl"} | OTHERS
    files = [path for path in files if path[0] == "rtl"]
    counts = {folder: sum(path[1] == folder for path in files) for folder in FOLDERS}
    assert min(counts.values()) >= 4
    cores = {path[2] for path in files if path[-1] == "core.py"}
    assert cores == ENGINES
    assert sum(path[1:3] == ["engine", "parts"] for path in files) >= 10
    assert FOLDERS | {"engine"} == {p.parent.name for p in (ROOT / "rtl").glob("*/__init__.py")}


def test_every_test_is_there():
    """The names of tests in the mutants, with parameters if a mutant has some, exist."""
    tests = {test for mutant in mutants() for test in mutant.tests}
    files = sorted({test.partition("::")[0] for test in tests})
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:xdist", *files]
    completed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert completed.returncode == 0, completed.stdout
    collected = {line for line in completed.stdout.splitlines() if "::" in line}
    existing = collected | {name.partition("[")[0] for name in collected}
    assert tests - existing == set()


@pytest.mark.in_turn
def test_a_mutant_is_killed_by_a_test_that_fails(tree):
    result = verdict(tree, RIGHT)
    assert result.outcome == "killed"
    assert result.reason.startswith("tb/test_double.py::test_double - ")
    assert 0 < result.seconds < 20


@pytest.mark.in_turn
def test_a_mutant_survives_tests_that_pass(tree):
    result = verdict(tree, replace(RIGHT, tests=("tb/test_double.py::test_zero",)))
    assert (result.outcome, result.reason) == ("survived", "tb/test_double.py::test_zero passed")


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("new", "reason"),
    [
        ("x + y", "nothing was simulated: tb/test_double.py::test_double - NameError"),
        ("x +", "pytest ended with 4: "),  # it cannot be collected
    ],
)
def test_a_mutant_that_is_no_hardware_is_an_error(tree, new, reason):
    result = verdict(tree, replace(RIGHT, new=new))
    assert result.outcome == "error"
    assert result.reason.startswith(reason)


@pytest.mark.in_turn
@pytest.mark.parametrize("hangs", [False, True])
def test_a_mutant_that_hangs_ends_and_is_killed_only_if_that_is_stated(tree, hangs):
    slow = replace(RIGHT, tests=("tb/test_double.py::test_slow",), hangs=hangs)
    result = verdict(tree, slow, limit=2)
    assert (result.outcome, result.reason) == ("killed" if hangs else "error", "time was up")


@pytest.mark.in_turn
def test_a_mutant_that_sleeps_ends_too(tree, monkeypatch):
    monkeypatch.setattr("tb.mutants.runner.PATIENCE", 1)
    result = verdict(tree, replace(RIGHT, tests=("tb/test_double.py::test_asleep",)), limit=6)
    assert (result.outcome, result.reason) == ("error", "time was up")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"old": "x", "new": "y"}, r"old must occur once in rtl/part/double.py, not 3 times"),
        ({"old": "y"}, r"old must occur once in rtl/part/double.py, not 0 times"),
        ({"old": SOURCE, "new": "a\nb\n"}, r"must change one line of rtl/part/double.py, not 2"),
        ({"new": "x + x"}, r"must change one line of rtl/part/double.py, not 0"),
        ({"tests": ("tb/test_double.py::test_none",)}, r"without a mutant: .*test_none"),
    ],
)
def test_invalid_mutants(tree, changes, message):
    with pytest.raises(MutantError, match=message):
        verdict(tree, replace(RIGHT, **changes))


@pytest.mark.in_turn
def test_tests_that_fail_anyway_are_an_error(tree):
    (tree / "rtl/part/double.py").write_text(SOURCE.replace("x + x", "3 * x"))
    with (
        Runner(tree) as runner,
        pytest.raises(MutantError, match=r"without a mutant: .*test_double - assert 9 == 6"),
    ):
        list(runner.run([replace(RIGHT, old="3 * x", new="x * x")]))


@pytest.mark.in_turn
def test_tests_run_only_once_without_a_mutant(tree, tmp_path, monkeypatch):
    calls = []
    run = Runner.pytest
    monkeypatch.setattr(
        Runner, "pytest", lambda *arguments: calls.append(arguments[2]) or run(*arguments)
    )
    for _ in range(2):
        verdict(tree, RIGHT)
    assert calls == [[*RIGHT.tests], RIGHT.tests, RIGHT.tests]
    (tree / "tb/more.py").write_text("")
    verdict(tree, RIGHT)
    assert len(calls) == 5


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ('mistake = "m"', r"x.toml: m: file must be given"),
        ("more = 1", r"x.toml: m: unknown more"),
        ("hangs = 1", r"x.toml: m: hangs must be bool, not 1"),
        ("tests = []", r"x.toml: m: tests must be file.py::test"),
        ("tests = ['tb']", r"x.toml: m: tests must be file.py::test"),
        ("]", r"x.toml must be TOML with"),
    ],
)
def test_invalid_entries(tmp_path, entry, message):
    valid_entry = {"mistake": "'m'", "file": "'f'", "old": "'o'", "new": "'n'"}
    valid_entry["tests"] = "['tb/test_x.py::test_y']"
    valid_entry.pop(entry.partition(" ")[0], None)
    lines = [f"{key} = {value}" for key, value in valid_entry.items()] + [entry]
    lines = [entry] if entry.startswith("mistake") else lines
    (tmp_path / "x.toml").write_text("\n".join(["[[mutant]]", *lines]))
    with pytest.raises(MutantError, match=message):
        mutants(tmp_path)


def test_every_mutant_has_its_day():
    catalogue = mutants()
    day = date(2026, 1, 1)
    days = -(-len(catalogue) // DAILY)
    daily = [choose(catalogue, count=DAILY, day=day + timedelta(days=k)) for k in range(days)]
    assert all(len(batch) == DAILY == len(set(batch)) for batch in daily)
    assert {mutant for batch in daily for mutant in batch} == set(catalogue)
    assert choose(catalogue, count=DAILY, day=day) == daily[0]


def test_choice_by_folder_and_name():
    catalogue = mutants()
    assert {m.folder for m in choose(catalogue, folder="rtl/engine/parts/")} == {"engine/parts"}
    assert {m.folder.split("/")[-1] for m in choose(catalogue, folder="engine")} >= ENGINES
    assert {m.file.split("/")[0] for m in choose(catalogue, folder="golden")} == {"golden"}
    assert {m.file.split("/")[0] for m in choose(catalogue, folder="rtl")} == {"rtl"}
    assert [m.mistake for m in choose(catalogue, name="streams stays")] == ["streams stays 0"]
    assert main(["--folder", "sorts"]) == 2


def test_no_copy_is_left_after_ctrl_c(tmp_path):
    name = "a merger that pops both heads"
    command = [sys.executable, "-m", "tb.mutants", "--name", name]
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=os.environ | {"TMPDIR": str(tmp_path)},
        start_new_session=True,
        preexec_fn=lambda: signal.signal(
            signal.SIGINT, signal.SIG_DFL
        ),  # a shell ignores SIGINT in background jobs
    )
    while not list(tmp_path.glob("sluice-mutants.*/tmp*/rtl")):
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 128 + signal.SIGINT
    assert list(tmp_path.iterdir()) == []


def test_the_mutants_of_the_day():
    """The mutants of a day are killed; CI runs every mutant within three months."""
    with Runner() as runner:
        results = list(runner.run(choose(mutants(), count=DAILY, day=day_of_head()), at_a_time=1))
    assert {verdict.outcome for verdict in results} == {"killed"}, "\n".join(
        map(verdict_text, results)
    )
