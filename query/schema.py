"""Columns of an input stream."""

from dataclasses import dataclass
from functools import cached_property

from query.types import Type


@dataclass(frozen=True)
class Column:
    name: str
    type: Type

    def __str__(self):
        return f"{self.name} {self.type}"


@dataclass(frozen=True)
class Schema:
    """The input stream's name and columns, in the order of their declaration."""

    name: str
    columns: tuple[Column, ...]

    @cached_property
    def _by_name(self):
        return {column.name: column for column in self.columns}

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._by_name)

    def __getitem__(self, name) -> Column:
        """The column called ``name``; raises KeyError."""
        return self._by_name[name]

    def __contains__(self, name):
        return name in self._by_name

    def __str__(self):
        return f"CREATE INPUT STREAM {self.name} ({', '.join(map(str, self.columns))});"
