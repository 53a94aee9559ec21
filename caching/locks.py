"""Locks entries by lock files: the kernel releases a lock when its process ends, even if killed."""

import errno
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def locked(path: str | Path) -> Iterator[None]:
    """Waits for the lock of a file, holds it while the block runs, then removes the file.

    On a file system without locks the block runs at once, without a lock. Raises OSError if the
    file cannot be made.
    """
    handle = None
    while handle is None:
        handle = _opened(path, fcntl.LOCK_EX)
    try:
        yield
    finally:
        _release(path, handle)


@contextmanager
def locked_at_once(path: str | Path) -> Iterator[bool]:
    """Tries to lock a file without waiting; yields True if the lock succeeds, else False.

    The block runs in both cases. If the lock succeeded, the file is removed after the block. Raises
    OSError if the file cannot be made, or if the file system has no locks.
    """
    handle = _opened(path, fcntl.LOCK_EX | fcntl.LOCK_NB)
    try:
        yield handle is not None
    finally:
        if handle is not None:
            _release(path, handle)


def _opened(path, operation):
    """Opens and locks a file, and returns its descriptor.

    Returns None if another process holds the lock, or removed the file before the lock was taken.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(handle, operation)
        if _is_at(path, handle):
            return handle
    except BlockingIOError:
        pass
    except OSError as error:
        if error.errno not in (errno.ENOLCK, errno.ENOTSUP) or operation & fcntl.LOCK_NB:
            os.close(handle)
            raise
        return handle  # no locks on this file system: two processes may make the same entry
    except BaseException:
        os.close(handle)
        raise
    os.close(handle)
    return None


def _is_at(path, handle):
    """Returns True if ``path`` still names the open file."""
    try:
        return os.path.samestat(os.stat(path), os.fstat(handle))
    except FileNotFoundError:
        return False


def _release(path, handle):
    """Removes the file before the lock ends, so a waiting process notices and makes a new file."""
    with suppress(OSError):
        os.unlink(path)
    os.close(handle)
