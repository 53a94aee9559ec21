"""Describes one register of 32 bits and its fields of bits."""

from dataclasses import dataclass
from enum import StrEnum


class Access(StrEnum):
    READ = "r"
    WRITE = "w"
    READ_WRITE = "rw"
    CLEAR = "rw1c"  # a 1 that is written clears its bit


@dataclass(frozen=True, kw_only=True)
class BitField:
    """Names bits ``low`` to ``low + width - 1`` of a register."""

    name: str
    low: int
    width: int
    doc: str


@dataclass(frozen=True, kw_only=True)
class Register:
    """Describes a 32-bit register.

    ``value`` is the register's content if the content is constant, else None.
    """

    name: str
    address: int
    access: Access
    doc: str
    fields: tuple[BitField, ...] = ()
    value: int | None = None
