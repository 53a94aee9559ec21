"""Checks that an entry is built once and completely, also under parallel processes."""

import multiprocessing
import os
import subprocess
import sys
import time

import pytest

from caching.entries import build_once, content_key


def test_keys_differ_with_every_part():
    keys = {content_key(*parts) for parts in [("ab", "c"), ("a", "bc"), ("abc",), ("ab", "c", "")]}
    assert len(keys) == 4


@pytest.mark.parametrize("seed", ["1", "2"])
def test_a_key_is_the_same_in_every_process(seed):
    """Python's own ``hash`` of a text depends on PYTHONHASHSEED; the keys do not."""
    program = "from caching.entries import content_key; print(content_key('x', 1, [2]))"
    options = {"env": os.environ | {"PYTHONHASHSEED": seed}, "text": True}
    key = subprocess.check_output([sys.executable, "-c", program], **options).strip()
    assert key == content_key("x", 1, [2])


def test_built_once(tmp_path):
    calls = []

    def build(directory):
        calls.append(directory)
        (directory / "product").write_text("done")

    for _ in range(2):
        assert (build_once(tmp_path, "key", build) / "product").read_text() == "done"
    assert len(calls) == 1
    build_once(tmp_path, "other", build)
    assert len(calls) == 2


def test_failure_leaves_nothing_and_is_tried_again(tmp_path):
    def fail(directory):
        (directory / "half").write_text("")
        raise OSError("disk full")

    for _ in range(2):
        with pytest.raises(OSError, match="disk full"):
            build_once(tmp_path, "key", fail)
    assert list(tmp_path.iterdir()) == []
    assert build_once(tmp_path, "key", lambda directory: None).is_dir()


#: Number of processes that ask for an entry at the same time.
WORKERS = 3


def _note(folder, event):
    with open(folder / "log", "a") as log:
        log.write(f"{event}\n")


def _slow_build(directory):
    """Notes the begin and the end of a build, which lasts until all have called."""
    folder, deadline = directory.parent, time.monotonic() + 60
    _note(folder, "begin")
    while (folder / "log").read_text().count("called") < WORKERS:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    time.sleep(0.2)
    _note(folder, "end")


def _call(folder):
    _note(folder, "called")
    build_once(folder, "key", _slow_build)


def test_parallel_processes_build_once(tmp_path):
    """One process builds, and its build lasts until all processes have asked for the entry."""
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_call, args=(tmp_path,)) for _ in range(WORKERS)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0] * WORKERS
    events = (tmp_path / "log").read_text().split()
    assert sorted(events) == ["begin", *["called"] * WORKERS, "end"]
    assert events[-1] == "end"  # all processes asked for the entry while it was built
