"""Lock files: who makes an entry holds its lock, and loses it with the process, however it ends."""

import errno
import fcntl
import os
from contextlib import contextmanager, suppress


@contextmanager
def locked(path):
    """Holds the lock of a file while the block runs; waits for it. The file is removed after.

    Raises OSError when the file cannot be made.
    """
    handle = None
    while handle is None:
        handle = _opened(path, fcntl.LOCK_EX)
    try:
        yield
    finally:
        _release(path, handle)


@contextmanager
def locked_at_once(path):
    """As :func:`locked`, but never waits: yields False, without the lock, if another has it."""
    handle = _opened(path, fcntl.LOCK_EX | fcntl.LOCK_NB)
    try:
        yield handle is not None
    finally:
        if handle is not None:
            _release(path, handle)


def _opened(path, operation):
    """The locked file's number; None if another has the lock, or has just removed the file."""
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
        return handle  # a file system without locks: two makers do the same work
    except BaseException:
        os.close(handle)
        raise
    os.close(handle)
    return None


def _is_at(path, handle):
    """True if the open file is the one that is at ``path`` now."""
    try:
        return os.path.samestat(os.stat(path), os.fstat(handle))
    except FileNotFoundError:
        return False


def _release(path, handle):
    with suppress(OSError):
        os.unlink(path)
    os.close(handle)
