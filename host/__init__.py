"""The host's side of a generated design: tables in, rows out, on a board and in simulation.

It needs NumPy, and a directory that ``sluice generate`` has written; a copy of it lies there. Data
flows one way, ``description -> columns -> packing -> backend -> engine``.

>>> from host import Engine
>>> with Engine.open("build/cluster") as engine:  # doctest: +SKIP
...     engine.configure(ws=1024, wa=64)
...     rows = engine.run(table)
"""

from .engine import Engine
from .errors import (
    DeviceError,
    EvictionError,
    HangError,
    HostError,
    OverrunError,
    SettingError,
    TableError,
)

__all__ = [
    "DeviceError",
    "Engine",
    "EvictionError",
    "HangError",
    "HostError",
    "OverrunError",
    "SettingError",
    "TableError",
]
