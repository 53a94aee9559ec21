"""Compares a name of the user with a list of allowed names."""

from collections.abc import Iterable

from query.errors import UserError, nearest


def known(kind: str, name: str, names: Iterable[str]) -> str:
    """Returns ``name``; raises UserError with the nearest of ``names`` if it is not among them."""
    if name not in names:
        raise UserError(f"unknown {kind} {name}{nearest(name, names)}")
    return name
