"""Holds pins of a board at a constant, where another chip would misread a pin that floats."""

from collections.abc import Sequence
from dataclasses import dataclass

from amaranth.hdl import Elaboratable, Module
from amaranth.lib import io


@dataclass(frozen=True, kw_only=True)
class HeldPin:
    """Describes a pin of one of the platform's resources, and the pin's constant.

    Attributes
    ----------
    resource, number : str, int
        Name and number of the resource.
    pins : tuple of str
        Names of all pins of the resource.
    pin : str
        Name of the pin that gets the constant.
    value : int
        The constant, 0 or 1.
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
        At most one pin of each resource, because a platform gives a resource away only once.
    """

    def __init__(self, pins: Sequence[HeldPin]) -> None:
        self._pins = tuple(pins)

    def elaborate(self, platform: object) -> Module:
        m = Module()
        for k, held_pin in enumerate(self._pins):
            directions = dict.fromkeys(held_pin.pins, "-")
            group = platform.request(held_pin.resource, held_pin.number, dir=directions)
            m.submodules[f"pin{k}"] = buffer = io.Buffer("o", getattr(group, held_pin.pin))
            m.d.comb += buffer.o.eq(held_pin.value)
        return m
