"""Describes a block of hardware that can be written as Verilog and measured by itself."""

from collections.abc import Callable
from dataclasses import dataclass

from amaranth.lib.wiring import Component


@dataclass(frozen=True, kw_only=True)
class Unit:
    """Describes a block of hardware that can be written as Verilog and measured by itself.

    Attributes
    ----------
    about : str
    settings : dict of str to int or str
        Settings with their defaults.
    create : callable
        Returns the component for settings that are passed by name.
    switches : tuple of str
        Names of the settings that are 0 or 1.
    """

    about: str
    settings: dict[str, int | str]
    create: Callable[..., Component]
    switches: tuple[str, ...] = ()
