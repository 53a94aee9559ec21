"""What the parameter classes of all engines share."""

import dataclasses
import hashlib
import json
from abc import ABC, abstractmethod

from amaranth.hdl import Shape
from amaranth.lib import data

from query.types import Type


def shape_of(type_: Type) -> Shape:
    """Shape of a column's raw value in hardware."""
    return Shape(type_.width, type_.signed)


def row_layout(columns) -> data.StructLayout:
    """Layout of a tuple of ``columns``."""
    return data.StructLayout({column.name: shape_of(column.type) for column in columns})


def one_of(name, value, choices):
    """Raises ValueError unless ``value`` is one of ``choices``."""
    if value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(choices)}, not {value!r}")


def power_of_two(name, value, low, high):
    """Raises TypeError or ValueError unless ``value`` is a power of two in ``low`` to ``high``."""
    integer(name, value, low, high)
    if value & (value - 1):
        raise ValueError(f"{name} must be a power of two from {low} to {high}, not {value}")


def integer(name, value, low, high):
    """Raises TypeError or ValueError unless ``value`` is an integer from ``low`` to ``high``."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{name} must be an integer, not {value!r}")
    if not low <= value <= high:
        raise ValueError(f"{name} must be from {low} to {high}, not {value}")


class Parameters(ABC):
    """Base of the engines' parameter classes, which are frozen, keyword-only dataclasses.

    Every field but ``query`` is a setting: it has a default, and its ``metadata`` tell its ``doc``
    and, for enumerations and ranges, its ``choices`` or ``range``.
    """

    engine: str

    @classmethod
    def settings_fields(cls):
        """The dataclass fields that a user may set."""
        return tuple(field for field in dataclasses.fields(cls) if field.name != "query")

    def settings(self):
        """Every setting and its value, in the order of declaration."""
        return {field.name: getattr(self, field.name) for field in self.settings_fields()}

    def configuration(self):
        """Everything that the hardware depends on, as plain data."""
        return {
            "engine": self.engine,
            "stream": str(self.query.schema),
            "query": str(self.query),
            "parameters": self.settings(),
        }

    @property
    def configuration_hash(self):
        """First 32 bits of the SHA-256 of the configuration as compact JSON with sorted keys."""
        text = json.dumps(self.configuration(), sort_keys=True, separators=(",", ":"))
        return int(hashlib.sha256(text.encode()).hexdigest()[:8], 16)

    @classmethod
    @abstractmethod
    def refuses(cls, query):
        """Why this engine cannot run ``query``, as the end of a sentence; None when it can."""

    @abstractmethod
    def create(self):
        """The engine's core, without a bus: streams ``i`` and ``o``."""
