"""The host's side of a generated design: it sends tables to an engine and returns rows.

The package needs NumPy and a directory that ``sluice generate`` has written, and runs on a board
and in simulation. Each generated directory contains a copy of this package. Modules build on each
other in the order ``description -> columns -> packing -> backend -> engine``.

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
    LossError,
    OverflowedWindowError,
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
    "LossError",
    "OverflowedWindowError",
    "OverrunError",
    "SettingError",
    "TableError",
]
