"""The archive of Spark's classes: made once, used where it fits, and never a failure."""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from golden.spark import class_archive

ROOT = Path(__file__).parents[3]
SESSION = """
from golden.spark.session import session
spark = session("local[1]")
print(spark.range(4).count(), spark.sparkContext.getConf().get("spark.driver.extraJavaOptions"))
"""
QUIET = "-Xlog:disable"


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """Returns a Machine with a Spark of two jars, and an empty cache whose path has a blank."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "a cache"))
    jars = tmp_path / "spark" / "jars"
    jars.mkdir(parents=True)
    for name in ("core.jar", "sql.jar"):
        (jars / name).write_text(name)
    monkeypatch.setenv("SPARK_HOME", str(jars.parent))
    monkeypatch.setattr(class_archive, "_is_requested", False)
    requests = []
    monkeypatch.setattr(class_archive.atexit, "register", requests.append)
    return Machine(tmp_path, jars, requests)


class Machine:
    """A Spark of a few files, and the requests to make its archive after the process."""

    def __init__(self, folder, jars, requests):
        self.folder, self.jars, self.requests = folder, jars, requests
        self.trained = 0

    def train(self, options):
        """Runs ``java -version``; with the options of a training Java stores the classes."""
        self.trained += 1
        subprocess.run(["java", *options, "-version"], check=True, capture_output=True)

    def entries(self):
        folder = self.folder / "a cache" / "sluice" / "java"
        return sorted(path for path in folder.iterdir() if path.is_dir())


def test_made_once_and_used(machine):
    archive = class_archive.make(machine.train)
    assert archive == class_archive.make(machine.train)
    assert machine.trained == 1
    options = class_archive.java_options()
    assert options == [f"-XX:SharedArchiveFile={archive}", QUIET]
    command = ["java", "-Xshare:on", *options, "-version"]  # fails without a sound archive
    completed = subprocess.run(command, capture_output=True, text=True)
    assert (completed.returncode, completed.stdout) == (0, "")
    assert machine.requests == []


def test_nobody_has_made_it(machine):
    """One request for the background, however many sessions start."""
    assert class_archive.java_options() == []
    assert class_archive.java_options() == []
    assert len(machine.requests) == 1


def test_an_archive_in_a_folder_that_others_can_write_is_not_used(machine):
    archive = class_archive.make(machine.train)
    assert len(class_archive.java_options()) == 2
    archive.parents[1].chmod(0o777)
    assert class_archive.java_options() == []


def test_the_background_makes_it(machine, monkeypatch):
    """The process starts apart from the command, which does not wait for it, and is the last to
    get a core.
    """
    started = []
    monkeypatch.setattr(
        class_archive.subprocess,
        "Popen",
        lambda *words, **options: started.append((words, options)),
    )
    class_archive.java_options()
    (make_in_background,) = machine.requests
    make_in_background()
    (((command,), options),) = started
    assert command == ["nice", "-n", "19", sys.executable, "-m", "golden.spark.class_training"]
    assert importlib.util.find_spec(command[-1]) is not None
    assert options["start_new_session"]
    assert options["cwd"] == ROOT  # there Python finds the module, from whatever folder
    assert {options[name] for name in ("stdin", "stdout", "stderr")} == {subprocess.DEVNULL}
    assert "preexec_fn" not in options  # Python 3.12 refuses it in an exit handler


def test_other_jars_or_another_java_need_another_archive(machine, monkeypatch):
    """The archive of the same folder before its change goes, since no session can use it."""
    first = class_archive.make(machine.train)
    (machine.jars / "core.jar").write_text("newer")
    assert class_archive.java_options() == []
    second = class_archive.make(machine.train)
    assert first != second
    assert machine.entries() == [second.parent]
    java = machine.folder / "jdk" / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text("")
    monkeypatch.setenv("JAVA_HOME", str(java.parents[1]))
    assert class_archive.java_options() == []


def test_archives_of_folders_that_are_gone_are_removed(machine, monkeypatch):
    class_archive.make(machine.train)
    other = machine.folder / "other" / "jars"
    shutil.copytree(machine.jars, other)
    monkeypatch.setenv("SPARK_HOME", str(other.parent))
    archive = class_archive.make(machine.train)
    assert len(machine.entries()) == 2  # both folders exist
    shutil.rmtree(machine.jars)
    assert class_archive.make(machine.train) == archive
    assert machine.entries() == [archive.parent]


def test_sessions_do_not_try_again_after_a_fault_but_a_call_does(machine):
    def fail(options):
        machine.trained += 1
        Path(options[0].partition("=")[2]).write_text("half of an archive")
        raise RuntimeError("no archive")

    assert class_archive.make(fail) is None
    assert "no archive" in (machine.entries()[0] / "fault.txt").read_text()
    assert (class_archive.java_options(), machine.requests, machine.trained) == ([], [], 1)
    archive = class_archive.make(machine.train)
    assert machine.trained == 2
    assert class_archive.java_options() == [f"-XX:SharedArchiveFile={archive}", QUIET]


def test_no_java_and_no_home(machine, monkeypatch):
    monkeypatch.setenv("JAVA_HOME", str(machine.folder / "nowhere"))
    assert class_archive.java_options() == []
    monkeypatch.delenv("JAVA_HOME")
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    monkeypatch.setenv("HOME", "relative")
    assert (class_archive.java_options(), machine.requests) == ([], [])


@pytest.mark.in_turn
@pytest.mark.spark
def test_a_session_with_an_archive_of_another_class_path(machine, monkeypatch):
    """The archive is made by ``java -version``, so it lacks the class path of Spark.

    Java ignores it: Spark starts, and standard output has only the program's text.
    """
    monkeypatch.delenv("SPARK_HOME")
    archive = class_archive.make(machine.train)
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", SESSION]
    completed = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert completed.returncode == 0, completed.stderr[-2000:]
    assert completed.stdout.startswith("4 -")
    assert completed.stdout.endswith(f'"-XX:SharedArchiveFile={archive}" "{QUIET}"\n')
