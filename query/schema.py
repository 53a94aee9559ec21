"""Describes the columns of an input stream."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from query.types import Type


@dataclass(frozen=True)
class Column:
    """Describes a column: its name, its type, and the unit of time, if declared.

    The value 1 of the column is one ``unit``, a name of `query.units.NANOSECONDS`. ``str(column)``
    is the declaration.
    """

    name: str
    type: Type
    unit: str | None = None

    @property
    def step(self) -> str | None:
        """Length of one raw step, such as ``1 ms`` or ``1/256 ms``; None without a unit."""
        return None if self.unit is None else f"{Fraction(1, 1 << self.type.fraction)} {self.unit}"

    def __str__(self) -> str:
        return " ".join(map(str, filter(None, (self.name, self.type, self.unit))))


@dataclass(frozen=True)
class Schema:
    """Holds the input stream's name and its columns, in the order of declaration."""

    name: str
    columns: tuple[Column, ...]

    @cached_property
    def _by_name(self):
        return {column.name: column for column in self.columns}

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns, in the order of declaration."""
        return tuple(self._by_name)

    def __getitem__(self, name: str) -> Column:
        """Returns the column ``name``; raises KeyError."""
        return self._by_name[name]

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def __str__(self) -> str:
        return f"CREATE INPUT STREAM {self.name} ({', '.join(map(str, self.columns))});"
