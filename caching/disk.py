"""Detects a full disk, also when an external program failed without naming the reason."""

import errno
import os
import tempfile
from pathlib import Path

from query.errors import UserError

_FULL = (errno.ENOSPC, errno.EDQUOT)
_MESSAGES = tuple(os.strerror(number) for number in _FULL)
_PROBE = 1 << 20  # bytes


def is_full(error: OSError) -> bool:
    """Returns True if an OSError reports a full disk, or an exhausted quota of the user."""
    return error.errno in _FULL


def has_room(directory: str | Path, output: str = "") -> bool:
    """Returns False if the disk is full, after a program failed to write to ``directory``.

    The disk is full if ``output`` has the system's message, or if a probe of 1 MiB does not fit.

    Parameters
    ----------
    directory : path-like
    output : str
        Output of the program.
    """
    if any(text in output for text in _MESSAGES):
        return False
    try:
        with tempfile.TemporaryFile(dir=directory, buffering=0) as probe:
            return probe.write(bytes(_PROBE)) == _PROBE
    except OSError as error:
        return not is_full(error)


def no_space(directory: str | Path) -> UserError:
    """Returns the UserError for a full disk."""
    return UserError(f"no space left on the device that holds {directory}")
