"""Builds the entry of each key once, and checks its seal at each later use."""

import errno
import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from caching.disk import is_full, no_space
from caching.locks import locked, locked_at_once
from caching.notes import say
from caching.place import check_private, make_private
from caching.seal import fault, seal
from query.errors import UserError

#: Suffixes of an entry's lock file, and of the temporary directory in which an entry is built.
LOCK, PART = ".lock", ".part"
#: Folders from which this process has removed what killed processes left.
_swept: set[Path] = set()


def content_key(*parts: object) -> str:
    """Returns a hex digest of all parts (bytes, or objects whose ``str`` is the same in each run).

    The digest includes the length of each part, so ("ab", "c") and ("a", "bc") have different
    digests.
    """
    digest = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else str(part).encode()
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.hexdigest()[:24]


def find_entry(folder: str | Path, key: str) -> Path | None:
    """Returns the directory ``folder/key``, or None if the directory or a valid seal is missing."""
    folder = Path(folder).resolve()
    check_private(folder)
    return folder / key if fault(folder / key, key) is None else None


def build_once(folder: str | Path, key: str, build: Callable[[Path], object]) -> Path:
    """Returns the directory ``folder/key``; first builds the entry unless a sound entry is there.

    ``build(directory)`` fills a temporary directory in ``folder``. This directory is sealed and
    renamed to ``folder/key`` when ``build`` returns, and removed when ``build`` raises. So
    ``build`` must not store absolute paths of the temporary directory.

    Parallel processes may call this function for the same entry: one process builds, all others
    wait. A killed process leaves its temporary directory and its lock file; the next process that
    calls this function for the folder removes both. A damaged entry, or an entry of another user,
    is rebuilt, with a line on standard error. A read-only folder suffices for an entry that the
    folder already holds.

    Returns
    -------
    pathlib.Path

    Raises
    ------
    UserError
        When the entry is missing and the folder cannot be written, when other users can write to
        the folder, or when the disk is full.
    """
    folder = Path(folder).resolve()
    check_private(folder)
    _sweep_once(folder)
    entry = folder / key
    if fault(entry, key) is None:
        return entry
    with _lock(folder, key):
        reason = fault(entry, key)  # another process may have built the entry meanwhile
        if reason is None:
            return entry
        if os.path.lexists(entry):
            say(f"{entry}: {reason}: made again")
        with _scratch(folder, key) as work:
            build(work)
            seal(work, key)
            _replace(entry, work)
    return entry


def remove_entry(folder: str | Path, key: str) -> None:
    """Removes the directory ``folder/key``, if it exists; first waits while a process builds it.

    Raises UserError if the folder cannot be written.
    """
    folder = Path(folder).resolve()
    with _lock(folder, key):
        _remove(folder / key)


@contextmanager
def _lock(folder, key):
    """Holds the lock of an entry while the block runs; makes the folder if it is missing."""
    with ExitStack() as stack:
        try:
            make_private(folder)
            stack.enter_context(locked(folder / f"{key}{LOCK}"))
        except OSError as error:
            raise _cannot_write(folder, error) from None
        yield


def _cannot_write(folder, error):
    if is_full(error):
        return no_space(folder)
    message = f"a result is not in the cache yet, and it cannot be written: {error.strerror}"
    return UserError(f"{message}; name another folder with --cache", file=folder)


@contextmanager
def _scratch(folder, key):
    """Makes a temporary directory, and removes the directory if the block fails.

    The block may rename the directory.
    """
    try:
        work = Path(tempfile.mkdtemp(prefix=f"{key}.", suffix=PART, dir=folder))
    except OSError as error:
        raise _cannot_write(folder, error) from None
    try:
        yield work
    except OSError as error:
        _remove(work)
        if is_full(error):
            raise no_space(folder) from None
        raise
    except BaseException:
        _remove(work)
        raise


def _replace(entry, work):
    """Renames ``work`` to ``entry``, and removes a damaged entry of this name first.

    A sound entry stays: on a file system without locks another process may have built it first.
    """
    if fault(entry, entry.name) is None:
        _remove(work)
        return
    if os.path.lexists(entry):
        damaged = work.with_name(f"{work.name}.old{PART}")
        os.rename(entry, damaged)
        _remove(damaged)
    try:
        work.rename(entry)
    except OSError as error:  # another process may have made the entry after the check above
        if error.errno not in (errno.EEXIST, errno.ENOTEMPTY) or fault(entry, entry.name):
            raise
        _remove(work)


def _sweep_once(folder):
    """Removes temporary directories and lock files of killed processes, once for each folder.

    The folder is listed before any lock is tried. So the process that made a listed temporary
    directory still holds the lock, or has renamed the directory, or is dead.
    """
    if folder in _swept:
        return
    _swept.add(folder)
    try:
        names = os.listdir(folder)
    except OSError:
        return
    for key in {name.partition(".")[0] for name in names if name.endswith((LOCK, PART))}:
        with suppress(OSError), locked_at_once(folder / f"{key}{LOCK}") as is_locked:
            for name in names if is_locked else ():
                if name.startswith(f"{key}.") and name.endswith(PART):
                    _remove(folder / name)


def _remove(path):
    if path.is_symlink() or not path.is_dir():
        with suppress(OSError):
            path.unlink()
    else:
        shutil.rmtree(path, ignore_errors=True)
