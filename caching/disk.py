"""Detects a full disk, also when an external program failed without naming the reason."""

import errno
import os
import tempfile

from query.errors import UserError

_FULL = (errno.ENOSPC, errno.EDQUOT)
_SAID = tuple(os.strerror(number) for number in _FULL)
_PROBE = 1 << 20  # bytes


def is_full(error):
    """True if an OSError says that a disk, or the user's share of it, is full."""
    return error.errno in _FULL


def has_room(directory, said=""):
    """Returns False if a program that failed to write to ``directory`` found the disk full.

    Parameters
    ----------
    directory : path-like
    said : str
        What the program printed.
    """
    if any(text in said for text in _SAID):
        return False
    try:
        with tempfile.TemporaryFile(dir=directory, buffering=0) as probe:
            return probe.write(bytes(_PROBE)) == _PROBE
    except OSError as error:
        return not is_full(error)


def no_space(directory):
    """Returns the UserError for a full disk."""
    return UserError(f"no space left on the device that holds {directory}")
