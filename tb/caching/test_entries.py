"""Checks that an entry is built once and completely, also under parallel processes."""

import multiprocessing
import time

import pytest

from caching.entries import build_once, content_key


def test_keys_differ_with_every_part():
    keys = {content_key(*parts) for parts in [("ab", "c"), ("a", "bc"), ("abc",), ("ab", "c", "")]}
    assert len(keys) == 4
    assert content_key("x", 1, [2]) == content_key("x", 1, [2])


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


def _slow_build(directory):
    with open(directory.parent / "log", "a") as log:
        log.write("built\n")
    time.sleep(0.2)


def test_parallel_processes_build_once(tmp_path):
    context = multiprocessing.get_context("spawn")
    workers = [
        context.Process(target=build_once, args=(tmp_path, "key", _slow_build)) for _ in range(3)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0, 0, 0]
    assert (tmp_path / "log").read_text() == "built\n"
