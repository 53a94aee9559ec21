"""The directory of a generated design: all of its files are written, or none.

A manifest tells which files of a directory came from here, and what was in them. When a design is
generated again, or another in its place, those go; nothing else is ever touched. What is not
known, or was changed since, and lies where a file must go, is in the way: then nothing is written.
"""

import fcntl
import hashlib
import os
import shutil
import signal
import tempfile
import threading
from contextlib import contextmanager
from pathlib import Path

from gen.directory.manifest import MANIFEST, own_files
from gen.files.paths import same_file
from query.errors import UserError


def write_directory(directory, files, reads=()):
    """Writes files below a directory, all of them or none.

    They are written to a directory that nobody sees first. That one takes the name of
    ``directory`` when there is none yet. Otherwise the files of the manifest that is there go, the
    new ones come in their place, and files that neither has stay. An error or a signal in between
    leaves the directory as it was; only what cannot be caught, such as a power cut, does not.

    Parameters
    ----------
    directory : path-like
        A link to a directory stands for that directory.
    files : dict of str to str or bytes
        Contents of each file by its path below ``directory``.
    reads : sequence of path-like
        Files that the command has read: none of them is replaced or removed, whatever its path.

    Raises
    ------
    UserError
        When it cannot be written, or something is in the way; names what.
    """
    contents = {path: _bytes(text) for path, text in files.items()}
    directory = Path(directory)
    try:
        final = directory.resolve()
        if not final.is_dir() and _create(final, contents):
            return
        _replace(final, directory, contents, reads)
    except RuntimeError:  # what resolve() says of links that lead to each other, up to Python 3.12
        raise UserError("cannot be written: links lead in a circle", file=directory) from None
    except OSError as error:
        raise UserError(f"cannot be written: {error.strerror}", file=directory) from None


def _bytes(text):
    return text.encode() if isinstance(text, str) else bytes(text)


def _create(directory, contents):
    """A new directory beside its place, and then in it; False when another was there first."""
    missing = [parent for parent in directory.parents if not parent.exists()]
    try:
        directory.parent.mkdir(parents=True, exist_ok=True)
        with _undisturbed(), _scratch(directory.parent, f".{directory.name}.") as scratch:
            _write(scratch, contents)
            scratch.chmod(0o755)
            scratch.rename(directory)
    except BaseException as error:
        if isinstance(error, OSError) and directory.is_dir():
            return False
        _remove_empty(missing)
        raise
    return True


def _replace(directory, named, contents, reads):
    """The files of a directory, by renaming within it."""
    with _locked(directory):
        own = own_files(directory / MANIFEST)
        _check_own(directory, named, own, contents)
        _check_free(directory, named, own, contents)
        _check_unread(directory, named, {*own, *contents}, reads)
        old = [path for path in {*own, *contents} if (directory / path).is_file()]
        with _undisturbed(), _scratch(directory, ".sluice-") as scratch:
            _write(scratch / "new", contents)
            _swap(directory, scratch, sorted(old), sorted(contents))


def _swap(directory, scratch, old, new):
    """Old files away, then new ones to their places; on an error all is put back."""
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


def _check_own(directory, named, own, contents):
    """Every file of the old manifest is as it was written, or as it is to be."""
    for path, digest in own.items():
        place = directory / path
        _check_plain(directory, named, path)
        if not os.path.lexists(place):
            continue
        if not place.is_file():
            raise _in_the_way(named / path, "it is a directory")
        data = place.read_bytes()
        if hashlib.sha256(data).hexdigest() != digest and data != contents.get(path):
            raise _in_the_way(named / path, "it was changed since it was generated")


def _check_free(directory, named, own, contents):
    """No file is where a new one must go, unless it is one of the old ones or just the same."""
    for path, data in contents.items():
        place = directory / path
        _check_plain(directory, named, path)
        for parent in _between(directory, path):
            if (
                parent.exists()
                and not parent.is_dir()
                and str(parent.relative_to(directory)) not in own
            ):
                raise _in_the_way(named / parent.relative_to(directory), "it is no directory")
        if place.is_dir():
            below = (p.relative_to(directory) for p in place.rglob("*") if not p.is_dir())
            if any(p.as_posix() not in own for p in below):
                raise _in_the_way(named / path, "it is a directory")
        elif path not in own and place.exists() and place.read_bytes() != data:
            raise _in_the_way(named / path, "it is no file of a design that was generated here")


def _check_unread(directory, named, paths, reads):
    """No file that the command has read would be replaced or removed."""
    for path in sorted(paths):
        if any(same_file(directory / path, read) for read in reads):
            raise _in_the_way(named / path, "it is what the command reads")


def _check_plain(directory, named, path):
    """Neither a file nor a folder on the way to it is a link: what it leads to is not ours."""
    for place in (*_between(directory, path), directory / path):
        if place.is_symlink():
            raise _in_the_way(named / place.relative_to(directory), "it is a symbolic link")


def _in_the_way(place, why):
    return UserError(f"is in the way: {why}; nothing was written", file=place)


def _between(directory, path):
    """The folders from a file up to the directory, which is not one of them."""
    return [directory / parent for parent in Path(path).parents if parent != Path()]


def _write(directory, contents):
    for path, data in contents.items():
        place = directory / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)


def _remove_empty(directories):
    """Removes those that are there and empty, in the order given."""
    for directory in directories:
        if directory.is_dir() and not any(directory.iterdir()):
            directory.rmdir()


@contextmanager
def _scratch(parent, prefix):
    """A directory for a while; it may be renamed within."""
    path = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


@contextmanager
def _locked(directory):
    """Nobody else writes the directory by this module meanwhile."""
    handle = os.open(directory, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


@contextmanager
def _undisturbed():
    """Signals that end a process wait until the block is done."""
    if threading.current_thread() is not threading.main_thread():
        yield  # Python gives signals to the main thread alone
        return
    came = []
    kinds = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {kind: signal.signal(kind, lambda number, _: came.append(number)) for kind in kinds}
    try:
        yield
    finally:
        for kind, handler in before.items():
            signal.signal(kind, handler)
        for number in came:
            signal.raise_signal(number)
