"""Pins of a board that a top around the engine needs, each as its public documentation has it."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Pin:
    """A net of a board, and the pin of the FPGA that it leads to.

    Attributes
    ----------
    net : str
        As the board's maker calls it.
    place : str
        The FPGA's pin.
    standard : str
        The I/O standard, as the vendor's tool spells it.
    about : str
    """

    net: str
    place: str
    standard: str
    about: str


@dataclass(frozen=True, kw_only=True)
class Pinout:
    """Pins, and where they stand.

    Attributes
    ----------
    source : str
        What a reader can look them up in.
    pins : tuple of Pin
    """

    source: str
    pins: tuple[Pin, ...]
