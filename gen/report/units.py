"""Lists the components that `sluice report --unit` can report alone, with their settings."""

from collections.abc import Callable
from dataclasses import dataclass

from amaranth.lib import data
from amaranth.lib.wiring import Component

from query.errors import UserError, nearest
from rtl.network.compactor import RoundRobinCompactor
from rtl.network.plan import SHAPES
from rtl.sort.flims import FlimsMerger
from rtl.sort.linear import LinearSorter
from rtl.sort.order import SortOrder


@dataclass(frozen=True, kw_only=True)
class Unit:
    """A component that can be reported alone.

    Attributes
    ----------
    about : str
    settings : dict of str to int or str
        Settings with their defaults.
    create : callable
        Returns the component for settings that are passed by name.
    """

    about: str
    settings: dict
    create: Callable[..., Component]


def _compactor(*, lanes, width, scan):
    return RoundRobinCompactor(width, lanes, scan=scan)


def _order(width, cardinality):
    """Returns the order of tuples of a group and a value, with ``width`` bits together."""
    if width < 2:
        raise ValueError(f"width must be at least 2, not {width}")
    row = data.StructLayout({"group": width // 2, "value": width - width // 2})
    return SortOrder(row, ("group", "value"), group="group", cardinality=cardinality)


def _flims(*, lanes, width, cardinality):
    return FlimsMerger(_order(width, cardinality), lanes)


def _linear_sorter(*, cells, width, cardinality):
    return LinearSorter(_order(width, cardinality), cells)


UNITS = {
    "compactor": Unit(
        about=f"round-robin compactor; scan is one of {', '.join(sorted(SHAPES))}",
        settings={"lanes": 4, "width": 64, "scan": "sklansky"},
        create=_compactor,
    ),
    "flims": Unit(
        about="merger of two sorted lists; cardinality is the bits of a group's count, or 0",
        settings={"lanes": 4, "width": 64, "cardinality": 0},
        create=_flims,
    ),
    "linear-sorter": Unit(
        about="insertion sorter of chunks of up to so many tuples; cardinality as for flims",
        settings={"cells": 32, "width": 64, "cardinality": 0},
        create=_linear_sorter,
    ),
}


def unit(name: str, options: dict[str, int | str]) -> tuple[dict, Component]:
    """Returns the settings and the component of a unit.

    Raises UserError for an unknown name or setting, and for a value that the component refuses.
    """
    if name not in UNITS:
        raise UserError(f"unknown unit {name}{nearest(name, UNITS)}")
    chosen = UNITS[name]
    for key, value in options.items():
        if key not in chosen.settings:
            near = nearest(key, chosen.settings)
            raise UserError(f"unknown parameter {key} of unit {name}{near}")
        if type(value) is not type(chosen.settings[key]):
            kind = type(chosen.settings[key]).__name__
            raise UserError(f"{key} of unit {name} must be of type {kind}, not {value}")
    settings = chosen.settings | options
    try:
        return settings, chosen.create(**settings)
    except (TypeError, ValueError) as error:
        raise UserError(str(error)) from None
