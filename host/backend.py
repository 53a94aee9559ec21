"""The interface between the host class and an engine's pins: registers, streams and memory."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

import numpy as np

from .description import Description
from .errors import HangError


class Backend(ABC):
    """Accesses an engine's pins, in a simulation or on a board.

    Registers have 32 bits and byte addresses. Every method blocks until its work is complete.

    Attributes
    ----------
    takes_punctuations : bool
        True if :meth:`transfer` accepts punctuations among the tuples.
    """

    takes_punctuations = False

    @abstractmethod
    def read(self, address: int) -> int:
        """Returns the value of the register at an address."""

    def read_all(self, addresses: list[int]) -> list[int]:
        """Returns the values of the registers at several addresses, read in this order."""
        return [self.read(address) for address in addresses]

    @abstractmethod
    def write(self, address: int, value: int) -> None:
        """Writes the register at an address."""

    @abstractmethod
    def transfer(
        self,
        tuples: np.ndarray,
        finished: Callable[[], bool],
        punctuations: np.ndarray | None = None,
    ) -> dict[str, list[np.ndarray]]:
        """Sends one stream to the engine, and returns all packets that the engine sends back.

        Parameters
        ----------
        tuples : numpy.ndarray of uint8, shape (tuples, bytes of a tuple)
            The last tuple ends the stream; an array without tuples is sent as an empty stream.
        finished : callable
            Returns True once the engine contains no data. The call reads registers.
        punctuations : numpy.ndarray of bool, shape (tuples,), or None
            True for each entry of ``tuples`` that is a punctuation; None if none is. The host class
            passes it only to a back end with ``takes_punctuations``.

        Returns
        -------
        dict of str to list of numpy.ndarray
            The packets of each master stream, by its name and in their order: uint8, shape (rows,
            bytes of a row). Packets of a fixed number of beats, which may end within a row, are
            joined into one: :func:`packets_of`.

        Raises HangError if the engine does not take all tuples, or does not finish.
        """

    def memory(self, name: str, area: int, multiple: int, value: int | None) -> int | None:
        """Reserves memory behind a master, and returns the byte address of the memory.

        Parameters
        ----------
        name : str
            The setting that receives the address.
        area : int
            Size in bytes.
        multiple : int
            The address must be a multiple of this number.
        value : int or None
            The manifest's address, which is right if the memory belongs to the engine alone and
            begins at 0. A back end with such a memory reserves nothing, and returns ``value``.
        """
        return value

    def discard(self) -> None:  # noqa: B027, most back ends store no rows between transfers
        """Drops the rows that have arrived outside of a transfer.

        A reset calls the method until the engine is empty, and once more after that.
        """

    def link_counts(self) -> dict[str, int]:
        """Returns the number of repairs of the link in the last transfer, by the kind of repair.

        Empty for a back end whose link loses nothing.
        """
        return {}

    @abstractmethod
    def close(self) -> None:
        """Releases the resources of the back end."""


def packets_of(
    description: Description, name: str, contents: Sequence[np.ndarray]
) -> list[np.ndarray]:
    """Returns the rows of each packet of the stream ``name``: uint8, shape (rows, bytes of a row).

    ``contents`` has the bytes of each packet. Packets of ``m_axis`` that have a fixed number of
    beats ("beats:N") are joined into one packet first, because a row may span two of them: packets
    of 64 and 32 bytes with rows of 12 bytes become one packet of 8 rows.

    Raises HangError when the bytes of a packet are no whole number of rows.
    """
    size = description.streams[name].bytes
    if name == "m_axis" and description.packet.startswith("beats:"):
        contents = [np.concatenate([np.zeros(0, np.uint8), *contents])]
    if broken := next((len(content) for content in contents if len(content) % size), 0):
        raise HangError(
            f"{name}: a packet has {broken} bytes, no whole number of rows of {size}; is it longer "
            "than its buffer, or did a reset cut it? run it again"
        )
    return [content.reshape(-1, size) for content in contents]
