"""Checks processes that are killed while they build entries, and processes that share an entry."""

import os
import signal
import subprocess
import sys

import pytest

from caching import entries
from caching.entries import build_once

MAKER = """
import sys, time
from caching.entries import build_once

def build(directory):
    (directory / "half").write_text("")
    print("half", flush=True)
    sys.stdin.readline()
    (directory / "half").rename(directory / "whole")

build_once(sys.argv[1], sys.argv[2], build)
"""


def start_maker(folder, key):
    """Starts a process that builds half an entry, and completes the entry when it reads a line."""
    return subprocess.Popen(
        [sys.executable, "-c", MAKER, folder, key],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip


@pytest.fixture
def maker():
    """Returns a function that starts a maker, and waits until half its entry is built."""
    started = []

    def start(folder, key):
        process = start_maker(folder, key)
        started.append(process)
        assert process.stdout.readline() == "half\n"
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


def names(folder):
    """Returns the sorted names in a folder, without the random parts: ``key.part``."""
    parts = (path.name.split(".") for path in folder.iterdir())
    return sorted(".".join([first, *others[-1:]]) for first, *others in parts)


def later_run(folder, key):
    """Builds an entry as a new process does, which first removes files of killed processes."""
    entries._swept.clear()
    return build_once(folder, key, lambda directory: (directory / "whole").write_text(""))


@pytest.mark.parametrize("key", ["killed", "found", "made"])
def test_a_killed_maker_leaves_nothing_to_a_later_run(tmp_path, maker, key):
    """The later run requests the same entry, an entry in the cache, or a new entry."""
    later_run(tmp_path, "found")
    process = maker(tmp_path, "killed")
    assert names(tmp_path) == ["found", "killed.lock", "killed.part"]
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert names(tmp_path) == ["found", "killed.lock", "killed.part"]
    assert (later_run(tmp_path, key) / "whole").exists()
    assert names(tmp_path) == sorted({"found", key})


def test_a_running_maker_keeps_its_files(tmp_path, maker):
    process = maker(tmp_path, "slow")
    later_run(tmp_path, "other")
    assert names(tmp_path) == ["other", "slow.lock", "slow.part"]
    process.communicate("\n", timeout=20)
    assert process.returncode == 0
    assert names(tmp_path) == ["other", "slow"]
    assert (tmp_path / "slow" / "whole").exists()


def test_the_second_maker_waits_for_the_first(tmp_path, maker):
    """Checks that both makers succeed, and that the second maker uses the first maker's entry."""
    process = maker(tmp_path, "key")
    second = start_maker(tmp_path, "key")
    with pytest.raises(subprocess.TimeoutExpired):
        second.wait(0.5)
    process.communicate("\n", timeout=20)
    out, _ = second.communicate(timeout=20)
    assert (process.returncode, second.returncode, out) == (0, 0, "")
    assert names(tmp_path) == ["key"]


def test_the_second_maker_goes_on_when_the_first_is_killed(tmp_path, maker):
    process = maker(tmp_path, "key")
    second = start_maker(tmp_path, "key")
    process.kill()
    assert second.communicate("\n", timeout=20)[0] == "half\n"
    assert second.returncode == 0
    assert (tmp_path / "key" / "whole").exists()


def test_two_makers_without_locks(tmp_path, monkeypatch):
    """Checks that both makers build the entry, and that the entry that is complete first stays."""

    def no_locks(handle, operation):
        raise OSError(entries.errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", no_locks)

    def build(directory):
        (directory / "by").write_text("second")
        build_once(tmp_path, "key", lambda inner: (inner / "by").write_text("first"))

    assert (build_once(tmp_path, "key", build) / "by").read_text() == "first"
    assert names(tmp_path) == ["key"]
    assert build_once(tmp_path, "key", lambda directory: pytest.fail("made again")).is_dir()
