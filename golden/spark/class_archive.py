"""Finds and makes the archive of Spark's classes, which shortens the start of a Java machine.

Spark's driver loads some 14,000 classes of 300 files before its first row. Java can store these
classes in one file, parsed and verified (class-data sharing). The file has some 190 MB, and
docs/start-up.md has the times with it and without it.

The archive belongs to one installation of Java and one folder of Spark's jars, and it takes some 20
seconds to make. So a session never makes it itself. ``scripts/setup`` makes it. If the archive is
missing later, for instance after an installation from a wheel or an update of Java, the next
process that starts Spark also starts, at its own exit, a process in the background that makes the
archive. An archive that cannot be made or used changes nothing except the time.
"""

import atexit
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from pyspark.find_spark_home import _find_spark_home

from caching.entries import build_once, find_entry, remove_entry
from caching.place import user_folder
from query.errors import UserError

#: Module that a Python runs to make the archive; it imports this module.
MAKER = "golden.spark.class_training"
_ARCHIVE, _JARS, _FAULT = "spark.jsa", "jars.txt", "fault.txt"
_QUIET = "-Xlog:disable"  # warnings of an unusable archive would go to standard output
_is_requested = False


def java_options() -> list[str]:
    """Returns the options with which Java uses the archive; an empty list without an archive.

    If nobody has tried to make the archive, a background process makes it after this process.
    """
    global _is_requested
    try:
        entry = find_entry(_folder(), _key())
    except (UserError, OSError):
        return []
    if entry is None:
        if not _is_requested:
            _is_requested = True
            atexit.register(_make_in_background)
        return []
    archive = entry / _ARCHIVE
    return [f"-XX:SharedArchiveFile={archive}", _QUIET] if archive.exists() else []


def make(train: Callable[[list[str]], None]) -> Path | None:
    """Makes the archive of this Java and these jars unless it exists; returns its file, or None.

    Parameters
    ----------
    train : callable
        Runs Spark in a Java machine with the given options until the machine has ended. The archive
        gets the classes that the machine has loaded.

    Notes
    -----
    If Java writes no archive, the entry of the cache holds the reason, and sessions request no
    archive any more. Only a further call of this function tries again. The function first removes
    archives that are out of date.

    Raises
    ------
    UserError
        When the user's cache cannot be used.
    FileNotFoundError
        When there is no Java.
    """

    def build(entry):
        (entry / _JARS).write_text(str(_jars()))
        try:
            train([f"-XX:ArchiveClassesAtExit={entry / _ARCHIVE}", _QUIET])
        except Exception as error:
            (entry / _FAULT).write_text(f"{type(error).__name__}: {error}\n")
            (entry / _ARCHIVE).unlink(missing_ok=True)

    _remove_stale()
    _remove_fault()
    archive = build_once(_folder(), _key(), build) / _ARCHIVE
    return archive if archive.exists() else None


def _make_in_background():
    """Starts a process that makes the archive, without a terminal and behind all other work."""
    with suppress(OSError):
        subprocess.Popen(
            ["nice", "-n", "19", sys.executable, "-m", MAKER],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            cwd=Path(__file__).parents[2],
        )


def _folder():
    return user_folder() / "java"


def _jars():
    return Path(_find_spark_home()).resolve() / "jars"


def _key():
    """Returns the key of the archive: Java's and Spark's files by name, size and time.

    Raises FileNotFoundError if there is no Java.
    """
    java = _java()
    files = [java.parents[1] / "release", java.parents[1] / "lib" / "modules"]
    files += sorted(_jars().iterdir())
    digest = hashlib.sha256()
    for file in [java, *filter(Path.exists, files)]:
        info = file.stat()
        digest.update(f"{file}\0{info.st_size}\0{info.st_mtime_ns}\n".encode())
    return digest.hexdigest()[:24]


def _java():
    """Returns the Java program that Spark will run."""
    home = os.environ.get("JAVA_HOME")
    program = Path(home, "bin", "java") if home else shutil.which("java")
    if program is None:
        raise FileNotFoundError("no Java")
    return Path(program).resolve(strict=True)


def _remove_stale():
    """Removes entries that nobody will use any more.

    These are the entries of this folder of jars whose key is not today's, because a jar or Java
    has changed, and all entries of folders of jars that no longer exist. An archive has some
    190 MB, and each Python environment has a folder of jars, and so an archive, of its own.
    """
    with suppress(OSError):
        for entry in _folder().iterdir():
            with suppress(OSError):
                jars = Path((entry / _JARS).read_text())
                if entry.name != _key() and (jars == _jars() or not jars.is_dir()):
                    remove_entry(_folder(), entry.name)


def _remove_fault():
    """Removes the entry of today's key if the entry has no archive, because making it failed.

    Then `build_once` tries to make an archive again.
    """
    entry = find_entry(_folder(), _key())
    if entry is not None and not (entry / _ARCHIVE).exists():
        remove_entry(_folder(), entry.name)
