"""Reads and writes an engine's registers by datagrams, and repeats requests without an answer."""

from __future__ import annotations

import time
from collections.abc import Sequence

from .datagram_port import DatagramPort
from .errors import HangError
from .etherbone import MOST_READS, answered_values, request

#: Seconds of the first and of the longest wait for an answer, before the request is sent again. The
#: waits are 0.1, 0.2, 0.4, 0.8, 1, 1, ... seconds. With a ``delay`` the first is 0.1 + delay; each
#: next one is twice as long, and at most 1 + delay.
_FIRST_WAIT, _LONGEST_WAIT = 0.1, 1.0


class RegisterPort:
    """Accesses an engine's registers through their UDP port.

    Each request has a number, which its answer repeats, so an answer that comes late or twice is
    never taken for another. A request without an answer is sent again, so a write may be done
    twice, and the second time late, after the next writes. A setting then has an old value, which
    `LinkRegisters.check` notices. ``control`` is not checked: a late copy of a soft reset would cut
    a stream. Example: to read 300 addresses takes two requests, of 255 and of 45 reads.

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
        # Numbers start at the clock, so that a late answer to a request of an earlier program does
        # not match.
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
        # The request also reads the register, since a request without a read gets no answer.
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
