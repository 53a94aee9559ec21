"""Writes the directory of a generated design: all files, or none.

The manifest lists the generated files of a directory with their hashes. A new design replaces these
files, and touches no other file. If a listed file was changed, or a foreign file lies where a new
file must go, no file is written.
"""

import fcntl
import hashlib
import os
import shutil
import signal
import tempfile
import threading
from collections.abc import Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from gen.directory.manifest import MANIFEST, own_files
from gen.files.paths import same_file
from query.errors import UserError


def write_directory(
    directory: str | os.PathLike,
    files: Mapping[str, str | bytes],
    reads: Sequence[str | os.PathLike] = (),
) -> None:
    """Writes all files below a directory, or none.

    The files are first written to a temporary directory. If ``directory`` does not exist, the
    temporary directory takes its name. Otherwise the new files replace the files of the manifest,
    and other files stay. After an error the directory is as before. In the main thread, SIGINT,
    SIGTERM and SIGHUP wait until all files are written. Another signal, a signal during a call in
    another thread, or a power cut may leave the directory half written.

    Parameters
    ----------
    directory : path-like
        A directory, or a link to a directory.
    files : dict of str to str or bytes
        Contents of each file by its path below ``directory``.
    reads : sequence of path-like
        Files that the command has read. They are never replaced or removed, whatever their paths.

    Raises
    ------
    UserError
        If the directory cannot be written, or a file is in the way. The message names the directory
        or the file.
    """
    contents = {path: _bytes(text) for path, text in files.items()}
    directory = Path(directory)
    try:
        final = directory.resolve()
        if not final.is_dir() and _create(final, contents):
            return
        _replace(final, directory, contents, reads)
    except RuntimeError:  # resolve() raises it for a circle of links, up to Python 3.12
        raise UserError("cannot be written: links lead in a circle", file=directory) from None
    except OSError as error:
        raise UserError(f"cannot be written: {error.strerror}", file=directory) from None


def check_directory(directory: str | os.PathLike) -> None:
    """Raises UserError if no file can be created below a directory, which may not exist yet.

    A command calls this function before its work; `write_directory` finds all other obstacles.
    """
    place = Path(directory)
    try:
        place = place.resolve()
        while not os.path.lexists(place):
            place = place.parent
        with tempfile.TemporaryDirectory(prefix=".sluice-", dir=place):
            pass
    except RuntimeError:  # resolve() raises it for a circle of links, up to Python 3.12
        raise UserError("cannot be written: links lead in a circle", file=Path(directory)) from None
    except OSError as error:
        raise UserError(f"cannot be written: {error.strerror}", file=Path(directory)) from None


def _bytes(text):
    return text.encode() if isinstance(text, str) else bytes(text)


def _create(directory, contents):
    """Writes a new directory under a temporary name, and renames it.

    Returns False if the directory has appeared meanwhile.
    """
    missing = [parent for parent in directory.parents if not parent.exists()]
    try:
        directory.parent.mkdir(parents=True, exist_ok=True)
        with _undisturbed(), _scratch(directory.parent, ".sluice-") as scratch:
            _write(scratch / "new", contents)  # not `scratch` itself, whose mode is 0700
            (scratch / "new").rename(directory)
    except BaseException as error:
        if isinstance(error, OSError) and directory.is_dir():
            return False
        _remove_empty(missing)
        raise
    return True


def _replace(directory, named, contents, reads):
    """Replaces the files of a directory, by renaming within the directory.

    ``directory`` is the resolved path; ``named`` is the same directory as the user named it, for
    error messages.
    """
    with _locked(directory):
        listed = own_files(directory / MANIFEST)
        _check_own(directory, named, listed, contents)
        _check_free(directory, named, listed, contents)
        _check_unread(directory, named, {*listed, *contents}, reads)
        old = [path for path in {*listed, *contents} if (directory / path).is_file()]
        with _undisturbed(), _scratch(directory, ".sluice-") as scratch:
            _write(scratch / "new", contents)
            _swap(directory, scratch, sorted(old), sorted(contents))


def _swap(directory, scratch, old, new):
    """Moves old files away and new files to their places; undoes all moves on an error."""
    undo = []

    def move(source, target):
        missing = [parent for parent in target.parents if not parent.exists()]
        target.parent.mkdir(parents=True, exist_ok=True)
        undo.append(lambda: _remove_empty(missing))
        os.rename(source, target)
        undo.append(lambda: _back(target, source))

    try:
        for path in old:
            move(directory / path, scratch / "old" / path)
        for path in old:
            _remove_empty(_between(directory, path))
        for path in new:
            move(scratch / "new" / path, directory / path)
    except BaseException:
        for step in reversed(undo):
            step()
        raise


def _back(source, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    os.rename(source, target)


def _check_own(directory, named, listed, contents):
    """Raises UserError if a file of the old manifest was changed since it was written.

    A changed file is allowed if it already has the new contents.
    """
    for path, digest in listed.items():
        place = directory / path
        _check_plain(directory, named, path)
        if not os.path.lexists(place):
            continue
        if not place.is_file():
            kind = "a directory" if place.is_dir() else "no regular file"
            raise _in_the_way(named / path, f"it is {kind}")
        data = place.read_bytes()
        if hashlib.sha256(data).hexdigest() != digest and data != contents.get(path):
            raise _in_the_way(named / path, "it was changed since it was generated")


def _check_free(directory, named, listed, contents):
    """Raises UserError if a foreign file with other contents is where a new file must go."""
    for path, data in contents.items():
        place = directory / path
        _check_plain(directory, named, path)
        for parent in _between(directory, path):
            if (
                parent.exists()
                and not parent.is_dir()
                and str(parent.relative_to(directory)) not in listed
            ):
                raise _in_the_way(named / parent.relative_to(directory), "it is no directory")
        if place.is_dir():
            if not _vanishes(place, directory, listed):
                raise _in_the_way(named / path, "it is a directory")
        elif place.exists() and not place.is_file():  # to read a pipe would wait for ever
            raise _in_the_way(named / path, "it is no regular file")
        elif path not in listed and place.exists() and place.read_bytes() != data:
            raise _in_the_way(named / path, f"another program made it, or {MANIFEST} was changed")


def _vanishes(folder, directory, listed):
    """True if `_swap` removes a folder, because all that it holds are listed files.

    An empty folder is foreign, and stays.
    """
    entries = list(folder.iterdir())
    return bool(entries) and all(
        _vanishes(entry, directory, listed)
        if entry.is_dir()
        else entry.relative_to(directory).as_posix() in listed
        for entry in entries
    )


def _check_unread(directory, named, paths, reads):
    """Raises UserError if a file that the command has read would be replaced or removed."""
    for path in sorted(paths):
        if any(same_file(directory / path, read) for read in reads):
            raise _in_the_way(named / path, "it is what the command reads")


def _check_plain(directory, named, path):
    """Raises UserError if a file, or a folder on the way to it, is a symbolic link."""
    for place in (*_between(directory, path), directory / path):
        if place.is_symlink():
            raise _in_the_way(named / place.relative_to(directory), "it is a symbolic link")


def _in_the_way(place, why):
    return UserError(f"is in the way: {why}; nothing was written", file=place)


def _between(directory, path):
    """Returns the folders between a file and the directory."""
    return [directory / parent for parent in Path(path).parents if parent != Path()]


def _write(directory, contents):
    for path, data in contents.items():
        place = directory / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)


def _remove_empty(directories):
    """Removes the directories that exist and are empty, in order."""
    for directory in directories:
        if directory.is_dir() and not any(directory.iterdir()):
            directory.rmdir()


@contextmanager
def _scratch(parent, prefix):
    """Yields a temporary directory, and removes it at the end."""
    path = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


@contextmanager
def _locked(directory):
    """Holds a lock on the directory: one process at a time changes the directory's files."""
    handle = os.open(directory, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


@contextmanager
def _undisturbed():
    """Defers signals that end the process until the end of the with block."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread of Python may set handlers
        return
    received = []
    kinds = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    handlers = {
        kind: signal.signal(kind, lambda number, _: received.append(number)) for kind in kinds
    }
    try:
        yield
    finally:
        for kind, handler in handlers.items():
            signal.signal(kind, handler)
        for number in received:
            signal.raise_signal(number)
