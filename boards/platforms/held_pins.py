"""Holds pins of a board at a constant, where another chip would misread a pin that floats."""

from collections.abc import Sequence
from dataclasses import dataclass

from amaranth.hdl import Elaboratable, Module
from amaranth.lib import io


@dataclass(frozen=True, kw_only=True)
class HeldPin:
    """Describes a pin of a resource of the platform, and its constant.

    Attributes
    ----------
    resource, number : str, int
        Name and number of the resource.
    pins : tuple of str
        All pins of the resource.
    pin : str
        The pin that is held.
    value : int
        0 or 1.
    """

    resource: str
    number: int
    pins: tuple[str, ...]
    pin: str
    value: int


class HeldPins(Elaboratable):
    """Drives each of the pins with its constant; other pins of the resources stay open.

    Parameters
    ----------
    pins : sequence of HeldPin
    """

    def __init__(self, pins: Sequence[HeldPin]) -> None:
        self._pins = tuple(pins)

    def elaborate(self, platform: object) -> Module:
        m = Module()
        for k, held in enumerate(self._pins):
            directions = dict.fromkeys(held.pins, "-")
            group = platform.request(held.resource, held.number, dir=directions)
            m.submodules[f"pin{k}"] = buffer = io.Buffer("o", getattr(group, held.pin))
            m.d.comb += buffer.o.eq(held.value)
        return m
