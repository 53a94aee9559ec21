"""Finds a name that a Verilog text does not use yet."""

from collections.abc import Container
from itertools import count


def free_name(wish: str, used: Container[str]) -> str:
    """Returns the name ``wish``, or with a number behind it if ``used`` contains it.

    For instance ``read``, or ``read_3`` if ``read`` and ``read_2`` are used.
    """
    if wish not in used:
        return wish
    return next(name for k in count(2) if (name := f"{wish}_{k}") not in used)
