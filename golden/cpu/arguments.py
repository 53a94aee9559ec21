"""Checks the arguments of `golden.cpu.engines.run`; each error names the offending argument."""

from collections.abc import Iterable
from typing import TypeVar

import numpy as np

from golden.cpu import windows
from query.aggregate import Function

Name = TypeVar("Name", bound=str)

TYPES = ("int32", "int64", "float32", "float64")
FUNCTIONS = (Function.COUNT, Function.SUM, Function.MIN, Function.MAX, Function.AVG)


def chosen(argument: str, name: str, allowed: Iterable[Name]) -> Name:
    """Returns the member of ``allowed`` that equals ``name``; raises ValueError without one."""
    for candidate in allowed:
        if name == candidate:
            return candidate
    raise ValueError(f"{argument} must be one of {', '.join(allowed)}, not {name!r}")


def functions(aggregates: str | Iterable[str]) -> list[Function]:
    """Returns the aggregate functions with these names: one name, or several."""
    names = [aggregates] if isinstance(aggregates, str) else list(aggregates)
    if not names or len(set(names)) < len(names):
        raise ValueError(f"aggregates must be one or more, each once, not {names}")
    return [chosen("aggregate", name, FUNCTIONS) for name in names]


def stream(values: np.ndarray) -> np.ndarray:
    """Returns the values as a contiguous array of one dimension."""
    if not isinstance(values, np.ndarray) or values.dtype not in TYPES:
        raise TypeError(f"values must be an array of {', '.join(TYPES)}, not {_kind(values)}")
    if values.ndim != 1:
        raise ValueError(f"values must have one dimension, not {values.ndim}")
    return np.ascontiguousarray(values)


def geometry(size: int, slide: int) -> tuple[int, int]:
    """Returns size and slide as ints; raises ValueError unless 1 <= slide <= size."""
    size, slide = integer("size", size), integer("slide", slide)
    if slide < 1:
        raise ValueError(f"slide must be at least 1, not {slide}")
    if slide > size:
        raise ValueError(f"slide must be at most the size, not {slide} with size {size}")
    return size, slide


def clock(times: np.ndarray, tuples: int) -> np.ndarray:
    """Returns ``times`` as int64, one for each tuple; raises ValueError if times descend."""
    if not isinstance(times, np.ndarray) or times.dtype.kind not in "iu":
        raise TypeError(f"times must be an array of integers, not {_kind(times)}")
    if times.shape != (tuples,):
        shape = times.shape
        raise ValueError(f"times must be as many as the {tuples} values, not of shape {shape}")
    if times.dtype == np.uint64 and tuples and int(times.max()) >= 1 << 63:
        raise ValueError(f"times must be less than 2**63, not {int(times.max())}")
    times = np.ascontiguousarray(times, np.int64)
    index = windows.descent(times)
    if index is not None:
        raise ValueError(
            f"times must not descend, not {times[index]} at tuple {index} after "
            f"{times[index - 1]}: these engines are for streams in order"
        )
    return times


def finite(values: np.ndarray) -> None:
    """Raises ValueError if a value is infinite, because infinity - infinity is a NaN."""
    infinite = np.isinf(values)
    if infinite.any():
        index = int(np.argmax(infinite))
        raise ValueError(
            f"values must be finite to be subtracted again, not {values[index]} at tuple {index}"
        )


def integer(name: str, number: int) -> int:
    """Returns ``number`` as an int; raises TypeError for a bool and for other types."""
    if not isinstance(number, int | np.integer) or isinstance(number, bool):
        raise TypeError(f"{name} must be an integer, not {_kind(number)}")
    return int(number)


def _kind(value):
    return f"one of {value.dtype}" if isinstance(value, np.ndarray) else type(value).__name__
