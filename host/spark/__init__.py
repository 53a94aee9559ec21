"""Engines as operators of a Spark job: the tasks of a DataFrame run them.

A task runs on an executor, and needs NumPy, PyArrow and this package, and pandas for streams with
keys. The driver, which plans the job, needs the whole project: `windows` is `sluice.windows`.
Modules build on each other in the order
``task -> cuts -> segment -> saved -> stream_state, key_state``.

>>> from host.spark import windows
>>> rows = windows(df, "build/speeds", order="number")  # doctest: +SKIP
"""

from importlib import import_module
from typing import Any


def windows(df: Any, directory: Any, **arguments: Any) -> Any:
    """Returns the rows that the engine of a generated directory gives for a Spark DataFrame.

    The function is `sluice.windows`, which describes the arguments; the driver must have the whole
    project.
    """
    return import_module("sluice").windows(df, directory, **arguments)
