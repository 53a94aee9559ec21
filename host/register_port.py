"""Reads and writes an engine's registers by datagrams, and repeats requests without an answer."""

from __future__ import annotations

import time
from collections.abc import Sequence

from .datagram_port import DatagramPort
from .errors import HangError
from .etherbone import MOST_READS, answered_values, request

#: Seconds without an answer after which a request is sent again, besides the delay of the port: the
#: time begins with the first number, and doubles up to the second number.
_FIRST_WAIT, _LONGEST_WAIT = 0.1, 1.0


class RegisterPort:
    """Accesses an engine's registers through their UDP port.

    Each request has a number, which its answer repeats, so an answer that comes late or twice is
    never taken for another. A request that gets no answer is sent again: reads change nothing, and
    a write that is done twice writes the same value.

    Parameters
    ----------
    port : DatagramPort
        To the UDP port of the registers.
    seconds : float
        Time after which an access without an answer raises HangError.
    delay : float
        Seconds by which other datagrams may delay a request and its answer on the way.

    Attributes
    ----------
    repeats : int
        Number of requests that were sent again.
    """

    def __init__(self, port: DatagramPort, seconds: float, delay: float = 0.0) -> None:
        self._port = port
        self._seconds = seconds
        self._delay = delay
        # The first number is of the clock, so a late answer to an earlier run has another number.
        self._number = time.monotonic_ns() % (1 << 32)
        self.repeats = 0

    def read_all(self, addresses: Sequence[int]) -> list[int]:
        """Returns the values of registers, which are read in this order.

        Registers of one request, :data:`~host.etherbone.MOST_READS` at most, are read within some
        cycles of each other.
        """
        values = []
        for first in range(0, len(addresses), MOST_READS):
            values += self._values(addresses[first : first + MOST_READS])
        return values

    def write(self, address: int, value: int) -> None:
        """Writes a register, and returns when the engine has confirmed the write."""
        self._values([address], (address, [value]))

    def _values(self, reads, write=None):
        """Repeats a request until an answer comes; returns the values of the read registers."""
        self._number = (self._number + 1) % (1 << 32)
        datagram = request(self._number, reads, write)
        end = time.monotonic() + self._seconds
        wait = _FIRST_WAIT + self._delay
        while True:
            self._port.send(datagram)
            values = self._answer(len(reads), min(end, time.monotonic() + wait))
            if values is not None:
                return values
            if time.monotonic() >= end:
                raise HangError(
                    f"{self._port.name}: no answer in {self._seconds:g} s: {self._port.hint}"
                )
            self.repeats += 1
            wait = min(2 * wait, _LONGEST_WAIT + self._delay)

    def _answer(self, count, end):
        """Returns the values of the answer to the request in progress, None without an answer."""
        while (remaining := end - time.monotonic()) > 0:
            datagram = self._port.receive(remaining)
            if datagram is None:
                continue
            values = answered_values(datagram, self._number, count)
            if values is not None:
                return values
        return None
