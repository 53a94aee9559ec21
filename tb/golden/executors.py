"""Finds the worker processes of a Spark session on this machine, which tests kill."""

import psutil


def executors(java: int) -> list[int]:
    """Returns the process numbers of the executors that the driver's Java process has started."""
    children = psutil.Process(java).children()
    return [child.pid for child in children if _is_executor(child)]


def _is_executor(process):
    try:
        return any("CoarseGrainedExecutorBackend" in word for word in process.cmdline())
    except psutil.Error:  # the process has ended
        return False
