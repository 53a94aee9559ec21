"""Leaf designs that `sluice report --unit` can report alone, with settings of their own."""

from collections.abc import Callable
from dataclasses import dataclass

from amaranth.lib.wiring import Component

from query.errors import UserError, nearest
from rtl.network.compactor import RoundRobinCompactor
from rtl.network.plan import SHAPES


@dataclass(frozen=True, kw_only=True)
class Unit:
    """A leaf.

    Attributes
    ----------
    about : str
    settings : dict of str to int or str
        The settings with their defaults.
    create : callable
        Makes the component of settings, which are passed by name.
    """

    about: str
    settings: dict
    create: Callable[..., Component]


def _compactor(*, lanes, width, scan):
    return RoundRobinCompactor(width, lanes, scan=scan)


UNITS = {
    "compactor": Unit(
        about=f"round-robin compactor; scan is one of {', '.join(sorted(SHAPES))}",
        settings={"lanes": 4, "width": 64, "scan": "sklansky"},
        create=_compactor,
    ),
}


def unit(name, given):
    """The settings and the component of a unit.

    Raises UserError for an unknown name or setting, and for a value that the leaf refuses.
    """
    if name not in UNITS:
        raise UserError(f"unknown unit {name}{nearest(name, UNITS)}")
    chosen = UNITS[name]
    for key, value in given.items():
        if key not in chosen.settings:
            near = nearest(key, chosen.settings)
            raise UserError(f"unknown parameter {key} of unit {name}{near}")
        if type(value) is not type(chosen.settings[key]):
            kind = type(chosen.settings[key]).__name__
            raise UserError(f"{key} of unit {name} must be of type {kind}, not {value}")
    settings = chosen.settings | given
    try:
        return settings, chosen.create(**settings)
    except (TypeError, ValueError) as error:
        raise UserError(str(error)) from None
