"""Checks the errors for a full disk and for a failing compiler, and the compiler's files."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from caching import disk
from caching.entries import build_once
from gen.app import MESSAGE_LIMIT
from query.errors import UserError, brief, one_line
from sim import verilator
from sim.errors import BuildError
from sim.logged import last_lines, run_logged

SOURCE = 'extern "C" int answer() { return 42; }\n'


@pytest.fixture
def compiler(tmp_path, monkeypatch):
    """Returns a function that puts a shell script in the place of the C++ compiler."""

    def put(script):
        path = tmp_path / "bin" / "g++"
        path.parent.mkdir()
        path.write_text(f"#!/bin/sh\n[ $1 = --version ] && exec echo 1.2.3\n{script}\n")
        path.chmod(0o755)
        monkeypatch.setenv("PATH", f"{path.parent}:{os.environ['PATH']}")
        verilator.compiler.cache_clear()

    yield put
    verilator.compiler.cache_clear()


def library(tmp_path, cache):
    """Builds a library of one C++ file with the compiler."""
    source = tmp_path / "answer.cpp"
    source.write_text(SOURCE)
    return verilator.bench_library([source], cache)


def test_a_compiler_that_reports_a_full_disk(tmp_path, compiler):
    """Writing to /dev/full fails like writing to a full disk."""
    compiler("cat $0 > /dev/full || exit 1")
    with pytest.raises(UserError, match=f"^no space left on the device that holds {tmp_path}/c$"):
        library(tmp_path, tmp_path / "c")
    assert list((tmp_path / "c").iterdir()) == []


def test_a_compiler_that_does_not_report_a_full_disk(tmp_path, compiler, monkeypatch):
    compiler("exit 1")

    def full(**options):
        return open("/dev/full", "wb", buffering=0)

    monkeypatch.setattr(disk.tempfile, "TemporaryFile", full)
    with pytest.raises(UserError, match="no space left on the device that holds"):
        library(tmp_path, tmp_path / "c")


@pytest.fixture
def small_disk(tmp_path):
    """Mounts a file system of 12 KiB; skips the test if mounting is not allowed."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=12k,mode=700", "tmpfs", place]
    if subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("no file system can be mounted here: only root may")
    yield place
    subprocess.run(["umount", place], check=True)


def test_a_disk_that_is_full_under_the_compiler(tmp_path, small_disk):
    with pytest.raises(UserError, match=f"no space left on the device that holds {small_disk}$"):
        library(tmp_path, small_disk)
    assert list(small_disk.iterdir()) == []


def test_a_disk_that_is_full_under_an_entry(small_disk):
    def build(directory):
        (directory / "data").write_bytes(bytes(20_000))

    with pytest.raises(UserError, match=f"no space left on the device that holds {small_disk}$"):
        build_once(small_disk, "key", build)
    assert list(small_disk.iterdir()) == []


def test_the_last_lines_of_a_compiler_that_fails(tmp_path, compiler):
    """The error is in the message, even after a thousand warnings, and in a shortened line."""
    compiler("for k in $(seq 1000); do echo warning $k; done; echo 'x.cpp:7: error: no'; exit 3")
    with pytest.raises(BuildError) as failure:
        library(tmp_path, tmp_path / "c")
    line = brief(one_line(failure.value), MESSAGE_LIMIT)
    assert line.startswith("g++ failed (3):")
    assert r"warning 999\nwarning 1000\nx.cpp:7: error: no" in line
    assert line.endswith("x.cpp:7: error: no")
    assert list((tmp_path / "c").iterdir()) == []


def test_errors_have_room_before_notes():
    notes = [f"x.cpp:{k}: note: in expansion of macro {'M' * 60}" for k in range(100)]
    output = "\n".join(["x.cpp:7: error: no", *notes])
    lines = last_lines(output).splitlines()
    assert lines[0] == "x.cpp:7: error: no"
    assert lines[1:] == notes[-len(lines) + 1 :]
    assert 700 < len("\n".join(lines)) <= 800


def test_the_last_three_errors_have_room_before_others():
    errors = [f"x.cpp:{k}: Error: {'e' * 240}" for k in range(5)]
    lines = last_lines("\n".join([*errors, "", "a note", " " * 9, "the end"])).splitlines()
    assert lines == [*(error[:240] for error in errors[2:]), "a note", "the end"]


def test_the_log_has_the_output_of_the_runs_that_succeed(tmp_path):
    log = tmp_path / "log"
    for text in ("one", "two"):
        run_logged(["sh", "-c", f"echo {text}; echo {text} >&2"], tmp_path, log)
    for name, label in ((None, "sh"), ("the model", "the model")):
        with pytest.raises(BuildError, match=rf"^{label} failed \(3\):\nthree$"):
            run_logged(["/bin/sh", "-c", "echo three; exit 3"], tmp_path, log, name=name)
    assert log.read_text() == "one\none\ntwo\ntwo\n"


def test_temporary_files_go_to_the_directory(tmp_path):
    """Temporary files are removed with the directory, and need no room on another device."""
    run_logged(["sh", "-c", "echo $TMPDIR"], tmp_path, tmp_path / "log")
    assert Path((tmp_path / "log").read_text().strip()) == tmp_path
    assert tempfile.gettempdir() != str(tmp_path)


COMPILE = """
import sys
from pathlib import Path
from sim.verilator import bench_library

bench_library([Path(sys.argv[1])], sys.argv[2])
"""
ANOTHER = "import sys, caching.entries as e; e.build_once(sys.argv[1], 'other', lambda _: None)"


def test_a_later_run_removes_files_of_a_killed_compiler(tmp_path, compiler):
    compiler("echo half > $TMPDIR/half.s; exec sleep 60")
    folder = tmp_path / "c"
    source = tmp_path / "answer.cpp"
    source.write_text(SOURCE)
    command = [sys.executable, "-c", COMPILE, source, folder]
    process = subprocess.Popen(command, start_new_session=True)
    limit = time.monotonic() + 60
    while not list(folder.glob("*.part/half.s")):
        assert process.poll() is None
        assert time.monotonic() < limit
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert sorted(path.suffix for path in folder.iterdir()) == [".lock", ".part"]
    subprocess.run([sys.executable, "-c", ANOTHER, folder], check=True)
    assert [path.name for path in folder.iterdir()] == ["other"]
