"""Errors of the host class; each message says what to do."""

from __future__ import annotations

from contextlib import suppress
from numbers import Real
from typing import Any


class HostError(Exception):
    """The directory, an argument, the machine or the order of calls is wrong."""


class TableError(HostError, ValueError):
    """A table lacks a column, or has a value that does not fit the type of its column."""


class SettingError(HostError, ValueError):
    """The engine has no setting of this name, or the setting cannot have this value."""


class DeviceError(HostError):
    """No engine answers, the wrong engine answers, or the engine has set an error bit."""


class _RowsError(DeviceError):
    """Rows of a run are missing or differ from the query's rows.

    Attributes
    ----------
    rows : object
        The rows that have arrived: a table of the same kind as the table of tuples.
    """

    def __init__(self, message: str, rows: Any = None) -> None:
        super().__init__(message)
        self.rows = rows


class OverrunError(_RowsError):
    """The engine had no room for some tuples and dropped them, so rows are missing or differ.

    Attributes
    ----------
    rows : object
        The rows that have arrived.
    """


class EvictionError(_RowsError):
    """The engine evicted keys from its table of keys, so rows are missing or differ.

    Attributes
    ----------
    rows : object
        The rows that have arrived.
    """


class OverflowedWindowError(_RowsError):
    """Windows did not fit into the rings of their keys, so the values of their rows are NULL.

    Attributes
    ----------
    rows : object
        All rows, also those without values.
    """


class LossError(DeviceError):
    """Datagrams of rows were lost on the network, so rows are missing.

    Attributes
    ----------
    datagrams : int
        Number of lost datagrams.
    """

    def __init__(self, message: str, datagrams: int = 0) -> None:
        super().__init__(message)
        self.datagrams = datagrams


class HangError(DeviceError):
    """The engine cannot be reached or did not respond in time, or a packet of rows was cut."""


def time_limit(seconds: Any) -> float:
    """Returns a time limit in seconds as a float, because sockets take no other fractions.

    Raises HostError unless the limit is a number above 0: with NaN a wait would never end.
    """
    if isinstance(seconds, Real) and not isinstance(seconds, bool):
        with suppress(OverflowError):  # an integer or a fraction beyond all floats
            if float(seconds) > 0:
                return float(seconds)
    raise HostError(f"seconds must be a number above 0, not {seconds!r}")
