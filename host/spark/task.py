"""Runs an engine in a task of Spark: opens it, sends one stream, returns rows and counts."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from host.backend import Backend
from host.description import MANIFEST, Description
from host.engine import Engine
from host.errors import HostError
from host.run import Run

#: Name of the resource that gives a task a board, as in ``spark.task.resource.fpga.amount``.
RESOURCE = "fpga"
#: Beginnings of the address of an engine with a host link.
_LINKS = ("udp://", "serial://")
#: Name of the counter of tuples that a run sends again, because a window that is open needs them.
REPLAYED = "replayed"

#: Makes a back end from the description and the addresses of the task's boards.
BackendFactory = Callable[[Description, tuple[str, ...]], Backend]


@dataclass(frozen=True)
class EngineTask:
    """Describes the engine that every task of a job opens; Spark sends it to the executors.

    Attributes
    ----------
    directory : str
        The generated directory, under the same path on every machine.
    digest : str
        `manifest_digest` of the directory on the driver. A task refuses a directory with another
        manifest, so that all tasks run one design.
    settings : dict
        Arguments of :meth:`host.engine.Engine.configure`.
    backend : str, BackendFactory or None
        None is the engine with a host link if Spark has given the task an address such as
        ``udp://10.0.0.7`` or ``serial:///dev/ttyUSB0``, "pynq" if Spark has given it another
        address or ``pynq`` is installed, else "simulation".
    options : dict
        Arguments of the back end's class; or ``at``, as in `Engine.open`.
    allow_evictions : bool
        As in :meth:`host.engine.Engine.run`.
    """

    directory: str
    digest: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    backend: str | BackendFactory | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    allow_evictions: bool = False

    def run(
        self, columns: Mapping[str, np.ndarray], start: int | None = None
    ) -> tuple[dict[str, np.ndarray], dict[str, int]]:
        """Sends one stream to a freshly opened engine; returns the rows and the counts.

        An engine that another task has used gives the same rows. It is opened anew all the same,
        and reset if it has an error bit, so that nothing of a task that failed can reach another
        task.

        Parameters
        ----------
        columns : dict of str to numpy.ndarray
            Raw values of the tuples, in order of arrival.
        start : int or None
            Raw time at which window 0 begins; None for windows without a start.

        Raises HostError, as `Engine.open` and `Engine.run` do.
        """
        if manifest_digest(self.directory) != self.digest:
            raise HostError(
                f"{self.directory}: has another manifest than on the driver: give every machine "
                "the same directory"
            )
        with self._open() as engine:
            if engine.errors():  # of an earlier program: an engine behind a link keeps them
                engine.reset()
            settings = dict(self.settings)
            if start is not None:
                fraction = engine.description.settings["start"].fraction
                settings["start"] = Fraction(start, 1 << fraction)
            engine.configure(**settings)
            rows = engine.run(columns, raw=True, allow_evictions=self.allow_evictions)
            assert engine.last is not None
            return rows, _counts(engine.last)

    def _open(self):
        addresses = _addresses()
        backend = self.backend
        if callable(backend):
            return Engine.open(self.directory, backend(Description.read(self.directory), addresses))
        options = dict(self.options)
        if backend is None and "at" not in options and addresses:
            if addresses[0].startswith(_LINKS):
                options["at"] = addresses[0]
            else:
                backend = "pynq"
        return Engine.open(self.directory, backend, **options)


def manifest_digest(directory: str) -> str:
    """Returns the SHA-256 of the directory's manifest; raises HostError if it cannot be read."""
    path = Path(directory) / MANIFEST
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise HostError(
            f"{path}: cannot be read: {error.strerror}; every machine must have the directory "
            "under this path"
        ) from None


def _addresses() -> tuple[str, ...]:
    """Returns the addresses of this task's boards, from Spark's resource ``fpga``."""
    from pyspark import TaskContext

    context = TaskContext.get()
    resources = {} if context is None else context.resources()
    return tuple(resources[RESOURCE].addresses) if RESOURCE in resources else ()


def _counts(run: Run) -> dict[str, int]:
    """Returns all counts of a run.

    With ``results=select`` a run sends the stream once for each item of the query; the tuples and
    drops are those of one of these streams.
    """
    return {**run.counters, **run.dropped, "tuples": run.tuples, "rows": run.rows}
