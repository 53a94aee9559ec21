"""Runs a program and measures the whole tree of its processes."""

import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

_INTERVAL = 0.2  # seconds between two looks at the tree


@dataclass(frozen=True)
class Measured:
    """Holds the time and the memory of a program's run.

    Attributes
    ----------
    seconds, processor_seconds : float
        Time by the clock, and time of processors that all its processes used.
    memory : float
        Most bytes that its processes held in memory at the same time. Pages that several of them
        share count for each, so the processes hold no more than this. A peak between two looks, 0.2
        s apart, is not seen.
    """

    seconds: float
    processor_seconds: float
    memory: int


def run(command: Sequence[str | Path], log: Path) -> Measured:
    """Runs ``command`` and measures the processes of the command.

    The file ``log`` gets the output of the command. Raises CalledProcessError if the command fails.
    """
    begin, used, memory = time.monotonic(), {}, 0
    with log.open("w") as file:
        process = psutil.Popen([str(word) for word in command], stdout=file, stderr=file)
        while process.poll() is None:
            memory = max(memory, _look(process, used))
            time.sleep(_INTERVAL)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command, log.read_text())
    return Measured(time.monotonic() - begin, sum(used.values()), memory)


def _look(process, used):
    """Notes the processor time of each process of the tree, and returns the memory of the tree."""
    memory = 0
    with suppress(psutil.Error):
        for each in [process, *process.children(recursive=True)]:
            with suppress(psutil.Error):
                times = each.cpu_times()
                used[each.pid] = times.user + times.system
                memory += each.memory_info().rss
    return memory
