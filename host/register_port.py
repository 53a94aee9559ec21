"""Reads and writes an engine's registers by datagrams, and repeats what gets no answer."""

from __future__ import annotations

import socket
import time
from collections.abc import Sequence

from .errors import HangError
from .etherbone import MOST_READS, answered_values, request

#: Seconds without an answer after which a request is sent again; the time doubles up to the second
#: number.
_FIRST_WAIT, _LONGEST_WAIT = 0.1, 1.0
_LARGEST = 1 << 16


class RegisterPort:
    """A socket for the UDP port of an engine's registers.

    Each request has a number, which its answer repeats, so an answer that comes late or twice is
    never taken for another. A request that gets no answer is sent again: reads change nothing, and
    a write that is done twice writes the same value.

    Parameters
    ----------
    engine : (str, int)
        Address and UDP port of the registers.
    seconds : float
        Time after which an access without an answer raises HangError.

    Attributes
    ----------
    repeats : int
        Number of requests that were sent again.
    """

    def __init__(self, engine: tuple[str, int], seconds: float) -> None:
        self._engine = engine
        self._seconds = seconds
        self._number = int.from_bytes(time.monotonic_ns().to_bytes(16, "big")[-4:], "big")
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
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

    def close(self) -> None:
        """Closes the socket; a second call does nothing."""
        self._socket.close()

    def _values(self, reads, write=None):
        """Repeats a request until an answer comes; returns the values of the read registers."""
        self._number = (self._number + 1) % (1 << 32)
        datagram = request(self._number, reads, write)
        end = time.monotonic() + self._seconds
        wait = _FIRST_WAIT
        while True:
            self._send(datagram)
            values = self._answer(len(reads), min(end, time.monotonic() + wait))
            if values is not None:
                return values
            if time.monotonic() >= end:
                host, port = self._engine
                raise HangError(
                    f"{host}, UDP port {port}: no answer in {self._seconds:g} s: is this the "
                    "address of the engine's registers, and does it answer ping?"
                )
            self.repeats += 1
            wait = min(2 * wait, _LONGEST_WAIT)

    def _send(self, datagram):
        try:
            self._socket.sendto(datagram, self._engine)
        except OSError as error:  # such as a cable that has been pulled out
            host, port = self._engine
            raise HangError(f"{host}, UDP port {port}: cannot be reached: {error}") from None

    def _answer(self, count, end):
        """Returns the values of the answer to the request in progress, None without an answer."""
        while (remaining := end - time.monotonic()) > 0:
            self._socket.settimeout(remaining)
            try:
                datagram, source = self._socket.recvfrom(_LARGEST)
            except (TimeoutError, ConnectionError):
                continue
            if source != self._engine:
                continue
            values = answered_values(datagram, self._number, count)
            if values is not None:
                return values
        return None
