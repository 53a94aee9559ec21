"""The programs that this process has started, and those that they have started: all ended."""

import ctypes
import os
import signal
import time
from contextlib import suppress
from pathlib import Path

_MERCY = 4.0  # seconds that a program has to end by itself
_SET_CHILD_SUBREAPER = 36  # of Linux's prctl


def adopt_orphans():
    """From now on a descendant whose parent ends becomes a child of this process, not of init.

    Else it would be lost to us: Ctrl-C ends g++ at once, and its compiler proper some time later.
    """
    ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1)


def end_descendants():
    """Ends every descendant of this process: asked to first, killed after four seconds.

    They are stopped before, so that none starts another one, or loses its parent, unseen.
    """
    stopped = set()
    while found := descendants() - stopped:
        _signal(found, signal.SIGSTOP)
        stopped |= found
    _signal(stopped, signal.SIGTERM)
    _signal(stopped, signal.SIGCONT)
    limit = time.monotonic() + _MERCY
    while stopped := {pid for pid in stopped if _parent(pid) is not None}:
        if time.monotonic() > limit:
            _signal(stopped, signal.SIGKILL)
            limit = float("inf")
        time.sleep(0.02)


def descendants():
    """The process numbers of all descendants that have not ended."""
    parents = {int(entry.name): _parent(entry.name) for entry in Path("/proc").glob("[0-9]*")}
    found, more = set(), {os.getpid()}
    while more:
        more = {pid for pid, parent in parents.items() if parent in more} - found
        found |= more
    return found


def _parent(pid):
    """The parent's number; None for a process that is gone, or has ended and awaits its parent."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(errors="replace")
    except OSError:
        return None
    state, parent = text.rpartition(")")[2].split()[:2]
    return None if state in "ZX" else int(parent)


def _signal(pids, number):
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)
