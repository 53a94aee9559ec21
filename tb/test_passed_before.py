"""Tests that ``--resume`` leaves out the cases that passed before, and no other."""

import subprocess

import pytest

from tb.day import ROOT
from tb.passed_before import _reads_markdown, record_of

pytest_plugins = ["pytester"]

CASES = """
import pytest

@pytest.mark.parametrize("k", range(4))
def test_even(k):
    assert k % 2 == 0

@pytest.fixture
def broken():
    yield
    raise ValueError

def test_broken_teardown(broken):
    pass

def test_skipped():
    pytest.importorskip("a_module_that_is_not_installed")
"""
CONFTEST = """
from pathlib import Path
from tb import passed_before

passed_before.record_of = lambda root: Path("record.txt").resolve()
pytest_addoption = passed_before.add_option
pytest_configure = passed_before.register
"""
PASSED = ["test_it.py::test_even[0]", "test_it.py::test_even[2]"]


@pytest.fixture
def tree(pytester, monkeypatch):
    """A folder with two cases that pass, two that fail, one with a broken teardown and a skip."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(test_it=CASES)
    return pytester


@pytest.mark.in_turn
@pytest.mark.parametrize("options", [(), ("-n", "2")])
def test_cases_that_passed_do_not_run_again(tree, options):
    run = tree.runpytest_subprocess("--resume", *options)
    run.assert_outcomes(passed=3, failed=2, errors=1, skipped=1)
    record = tree.path / "record.txt"
    assert sorted(record.read_text().splitlines()) == PASSED
    tree.makepyfile(test_it=CASES.replace("k % 2 == 0", "k < 3"))
    run = tree.runpytest_subprocess("--resume", *options)
    run.stdout.fnmatch_lines(["resume: 2 cases had passed before*"])
    run.assert_outcomes(passed=2, failed=1, errors=1, skipped=1, deselected=0 if options else 2)
    assert sorted(record.read_text().splitlines()) == [
        PASSED[0],
        "test_it.py::test_even[1]",
        PASSED[1],
    ]
    all_again = tree.runpytest_subprocess(*options)
    all_again.assert_outcomes(passed=4, failed=1, errors=1, skipped=1)


@pytest.mark.in_turn
@pytest.mark.parametrize("options", [(), ("-n", "2")])
def test_a_run_in_which_nothing_is_left_passes(tree, options):
    tree.makepyfile(test_it="def test_one(): pass")
    assert tree.runpytest_subprocess("--resume", *options).ret == 0
    run = tree.runpytest_subprocess("--resume", *options)
    assert run.ret == 0
    run.stdout.fnmatch_lines(["resume: 1 cases had passed before*"])
    assert tree.runpytest_subprocess("--resume", "-k", "none", *options).ret == 0
    (tree.path / "record.txt").unlink()
    assert tree.runpytest_subprocess("--resume", "-k", "none", *options).ret == 5


def test_cases_that_read_documents_run_each_time():
    assert _reads_markdown("tb/test_documents.py::test_make_targets_exist[README.md]")
    assert (ROOT / "tb" / "test_day.py").is_file()
    assert not _reads_markdown("tb/test_day.py::test_it")


def test_each_source_changes_the_record(tmp_path):
    def git(*arguments):
        command = ["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments]
        subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)

    (tmp_path / "a.py").write_text("1")
    git("init")
    git("add", ".")
    git("commit", "-m", "a")
    first = record_of(tmp_path)
    (tmp_path / "README.md").write_text("text")
    assert record_of(tmp_path) == first
    (tmp_path / "b.h").write_text("2")
    second = record_of(tmp_path)
    (tmp_path / "a.py").write_text("3")
    assert len({first, second, record_of(tmp_path)}) == 3
    (tmp_path / "b.h").unlink()
    (tmp_path / "a.py").write_text("1")
    assert record_of(tmp_path) == first
    (tmp_path / "a.py").rename(tmp_path / "c.py")  # names of files count, too
    assert record_of(tmp_path) != first
