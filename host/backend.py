"""What an engine's pins are to its host: registers, a stream each way, and memory."""

from abc import ABC, abstractmethod

import numpy as np

from .errors import HangError


class Backend(ABC):
    """The other end of :class:`~host.engine.Engine`: a simulation, or a board.

    Registers are 32 bits, at byte addresses. All of it blocks until it is done.
    """

    @abstractmethod
    def read(self, address):
        """What the register reads as."""

    @abstractmethod
    def write(self, address, value):
        """Writes the register."""

    @abstractmethod
    def transfer(self, tuples, finished):
        """Gives the engine one stream, and takes all that it gives.

        Parameters
        ----------
        tuples : numpy.ndarray of uint8, shape (tuples, bytes of a tuple)
            The last one ends the stream; without any an empty stream is given.
        finished : callable
            Whether nothing is inside of the engine any more. Reads registers.

        Returns
        -------
        dict of str to list of numpy.ndarray
            Of each master stream its packets in order: uint8, shape (rows, bytes of a row). Those
            of so many transfers, which may end within a row, are one: :func:`packets_of`.

        Raises HangError.
        """

    def memory(self, name, area, multiple, value):
        """The byte address of ``area`` bytes of memory behind a master, a multiple of ``multiple``.

        ``value`` is where they would be if all of the memory were the engine's, from 0 on.
        """
        return value

    def discard(self):  # noqa: B027, most back ends hold nothing
        """Takes and drops rows that have come outside of a transfer. A reset calls it until the
        engine is empty, and once behind that.
        """

    @abstractmethod
    def close(self):
        """Gives back what is held, if anything is."""


def packets_of(description, name, contents):
    """The rows of packets, out of the bytes of each.

    Raises HangError when they are not whole rows.
    """
    size = description.streams[name].bytes
    if name == "m_axis" and description.packet.startswith("beats:"):
        contents = [np.concatenate([np.zeros(0, np.uint8), *contents])]
    if broken := next((len(content) for content in contents if len(content) % size), 0):
        raise HangError(
            f"{name}: a packet has {broken} bytes, no whole number of rows of {size}; is it longer "
            "than its buffer, or was it cut by a reset? run it again"
        )
    return [content.reshape(-1, size) for content in contents]
