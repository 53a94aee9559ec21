"""Ends the descendants of this process: its children, their children, and so on."""

import ctypes
import os
import signal
import time
from contextlib import suppress
from pathlib import Path

_GRACE = 4.0  # seconds between SIGTERM and SIGKILL
_SET_CHILD_SUBREAPER = 36  # operation of Linux's prctl


def adopt_orphans() -> None:
    """Makes this process the new parent of each descendant whose parent ends.

    By default init becomes the parent, and the descendant is not found any more. For instance
    Ctrl-C ends g++ at once, but the compiler proper that g++ has started ends some time later.
    """
    ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1)


def end_descendants() -> None:
    """Ends every descendant of this process by SIGTERM, and after four seconds by SIGKILL.

    First SIGSTOP stops all descendants, so that no descendant starts a process, or loses its
    parent, before the list is complete. Returns when all descendants in the list have ended.
    """
    stopped: set[int] = set()
    while running := descendants() - stopped:
        _signal(running, signal.SIGSTOP)
        stopped |= running
    _signal(stopped, signal.SIGTERM)
    _signal(stopped, signal.SIGCONT)
    limit = time.monotonic() + _GRACE
    while stopped := {pid for pid in stopped if _parent(pid) is not None}:
        if time.monotonic() > limit:
            _signal(stopped, signal.SIGKILL)
            limit = float("inf")
        time.sleep(0.02)


def descendants() -> set[int]:
    """Returns the process IDs of all descendants that have not ended."""
    parents = {int(entry.name): _parent(entry.name) for entry in Path("/proc").glob("[0-9]*")}
    family: set[int] = set()
    generation = {os.getpid()}
    while generation:
        generation = {pid for pid, parent in parents.items() if parent in generation} - family
        family |= generation
    return family


def _parent(pid):
    """Returns the process ID of a process's parent, or None if the process has ended."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(errors="replace")
    except OSError:
        return None
    state, parent = text.rpartition(")")[2].split()[:2]
    return None if state in "ZX" else int(parent)


def _signal(pids, number):
    for pid in pids:
        with suppress(ProcessLookupError, PermissionError):  # it ended, or has another user
            os.kill(pid, number)
