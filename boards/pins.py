"""Describes the pins of a board that a top around the engine needs, with their public source."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Pin:
    """A net of a board, and the FPGA's pin that the net is connected to.

    Attributes
    ----------
    net : str
        The manufacturer's name of the net.
    place : str
        The FPGA's pin.
    standard : str
        The I/O standard, in the spelling of the vendor's tool.
    about : str
        Description of the net, which becomes a comment in the constraints.
    """

    net: str
    place: str
    standard: str
    about: str


@dataclass(frozen=True, kw_only=True)
class Pinout:
    """Pins of a board, and their public source.

    Attributes
    ----------
    source : str
        The document or repository that lists the pins.
    pins : tuple of Pin
    """

    source: str
    pins: tuple[Pin, ...]
