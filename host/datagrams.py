"""Sends tuples by UDP to a design with a network face, and receives its rows.

The link uses a socket and accesses no registers. Another program or device must have written the
design's registers before; README.md of the generated directory lists them.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable
from numbers import Real
from typing import Any

import numpy as np

from .description import Description
from .errors import HangError, HostError, time_limit
from .rows import rows_of
from .tables import table_of
from .tuples import packed, raw_columns

#: Bytes of the largest UDP payload.
_LARGEST = 1 << 16
#: Longest time limit of a socket, in seconds. Sockets refuse an infinite number, and the caller may
#: give one.
_LONGEST_WAIT = 3600.0


class DatagramLink:
    """A UDP socket between this machine and an engine with a network face.

    A stream leaves as datagrams of whole tuples; a datagram without a byte ends the stream. Rows
    come back as packets, each of which ends with a datagram without a byte. For 100 tuples of 16
    bytes three datagrams leave: one with 1,472 bytes (92 tuples), one with 128 bytes (8 tuples),
    and one without a byte.

    UDP reports no lost datagram. The counters ``tuples`` and ``rows`` of the register map say how
    many tuples and rows the design has received and sent.

    Parameters
    ----------
    directory : path-like
        The generated directory.
    engine : (str, int)
        Address and port in the design's registers ``address`` and ``port``.
    here : (str, int)
        Address and port of this machine, as in ``to_address`` and ``to_port``.
    tuples_per_second : float or None
        Rate at which tuples leave. UDP cannot make a sender wait, so the rate must not exceed the
        engine's. None sends as fast as the socket takes datagrams.
    seconds : float
        Time without a datagram after which the link gives up. If each window is a packet and the
        design sends no end marker, the stream counts as complete after this time.

    Raises HostError where the design has no network face, and for an address that cannot be used.
    """

    def __init__(
        self,
        directory: str | os.PathLike[str],
        *,
        engine: tuple[str, int],
        here: tuple[str, int],
        tuples_per_second: float | None = None,
        seconds: float = 10.0,
    ) -> None:
        self.description = Description.read(directory)
        if self.description.network is None:
            raise HostError(
                f"{directory}: this design has no network face; use Engine.open, or generate the "
                "design with network=true"
            )
        if self.description.host["punctuations"]:
            raise HostError(
                "this design expects punctuations in its stream, which need numbered datagrams: "
                "use Engine.open with the engine's address instead"
            )
        self._engine = _address(engine, "engine")
        rate = tuples_per_second
        is_number = isinstance(rate, Real) and not isinstance(rate, bool)
        if rate is not None and not (is_number and rate > 0):
            raise HostError(f"tuples_per_second must be a number above 0, not {rate!r}")
        self._rate = rate
        self._seconds = time_limit(seconds)
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            self._socket.bind(_address(here, "here"))
        except HostError:
            self._socket.close()
            raise
        except OSError as error:
            self._socket.close()
            raise HostError(f"{here[0]}:{here[1]} must be of this machine: {error}") from None

    def run(
        self, table: Any, *, choose: Callable[[int], object] | None = None, raw: bool = False
    ) -> Any:
        """Returns the rows for a table, which is sent as one stream.

        Parameters
        ----------
        table : pyarrow.Table, pandas.DataFrame, mapping of str to arrays, or structured array
        choose : callable or None
            For a design with ``results=select``: writes its argument, a number from 0 on, to the
            register ``function``. The table is sent once for each function.
        raw : bool
            Fixed-point columns of the table and of the rows hold the raw integers.

        Returns
        -------
        a table of the same kind
            The columns of `sluice golden`.

        Raises TableError, HostError, and HangError when no datagram comes.
        """
        self._check_open()
        functions = self.description.functions
        if functions and choose is None:
            raise HostError(
                "choose must be given: a callable that writes its argument to the register "
                f"function, for each of {', '.join(functions)}"
            )
        tuples = packed(self.description, raw_columns(self.description, table, raw))
        streams = []
        for function in range(max(1, len(functions))):
            if functions and choose is not None:
                choose(function)
            streams.append(self.exchange(tuples))
        return table_of(rows_of(self.description, streams, raw), table)

    def exchange(self, tuples: np.ndarray) -> list[np.ndarray]:
        """Sends one stream, and returns the packets of its rows.

        Parameters
        ----------
        tuples : numpy.ndarray of uint8, shape (tuples, bytes of a tuple)

        Returns
        -------
        list of numpy.ndarray
            uint8, shape (rows, bytes of a row).
        """
        self._check_open()
        packets: list[bytes] = []
        payloads: list[bytes] = []  # of the packet in progress
        while self._received(0) is not None:
            pass  # a datagram of an earlier stream that came too late
        started = time.monotonic()
        for sent, datagram in self._datagrams(tuples):
            # `sendto` waits while the socket has no room.
            self._socket.settimeout(min(self._seconds, _LONGEST_WAIT))
            try:
                self._socket.sendto(datagram, self._engine)
            except OSError as error:
                name = ":".join(map(str, self._engine))
                raise HostError(f"{name} cannot be reached: {error}") from None
            while (payload := self._received(self._pause(started, sent))) is not None:
                _collect(packets, payloads, payload)
        while not self._complete(packets):
            payload = self._received(self._seconds)
            if payload is None and (payloads or not self._ends_by_silence):
                raise HangError(
                    f"no datagram came in {self._seconds:g} s, and the stream has not ended: read "
                    "the counters of the network face (docs/network.md says what each means); "
                    "busy that stays is mended by a soft reset and a datagram without a byte"
                )
            if payload is None:
                break
            _collect(packets, payloads, payload)
        size = self.description.rows.bytes
        if broken := next((len(packet) for packet in packets if len(packet) % size), 0):
            raise HangError(f"a packet has {broken} bytes, no whole number of rows of {size}")
        return [np.frombuffer(packet, np.uint8).reshape(-1, size) for packet in packets]

    def close(self) -> None:
        """Closes the socket; a second call does nothing."""
        self._socket.close()

    def _check_open(self):
        if self._socket.fileno() < 0:
            raise HostError(f"the link to {self.description.name} is closed: make another one")

    def __enter__(self) -> DatagramLink:
        self._check_open()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def _ends_by_silence(self):
        """True if no packet marks the end of a stream."""
        return self.description.packet == "window" and not self.description.marked

    def _complete(self, packets):
        """True if the last packet of a stream has arrived."""
        if self._ends_by_silence or not packets:
            return False
        return self.description.packet == "stream" or not packets[-1]

    def _datagrams(self, tuples):
        """Yields (number of tuples up to the datagram's end, datagram) for a stream."""
        step = self.description.network["datagram_bytes"] // self.description.tuples.bytes
        for first in range(0, len(tuples), step):
            part = tuples[first : first + step]
            yield first + len(part), part.tobytes()
        yield len(tuples), b""

    def _pause(self, started, sent):
        """Returns the seconds until the next datagram may leave, after ``sent`` tuples."""
        if self._rate is None:
            return 0.0
        return max(0.0, started + sent / self._rate - time.monotonic())

    def _received(self, seconds):
        """Returns the engine's next datagram, or None when none comes within ``seconds``."""
        until = time.monotonic() + seconds
        while True:
            remaining = max(0.0, until - time.monotonic())
            self._socket.settimeout(min(remaining, _LONGEST_WAIT))
            try:
                payload, source = self._socket.recvfrom(_LARGEST)
            except (TimeoutError, BlockingIOError):
                if remaining <= _LONGEST_WAIT:
                    return None
                continue
            if source == self._engine:
                return payload


def _address(pair, name):
    """Returns an address as datagrams have it: digits and a port; raises HostError."""
    try:
        host, port = pair
        if not isinstance(host, str) or not 0 <= port < 1 << 16:
            raise TypeError
    except (TypeError, ValueError):
        message = f"{name} must be an address and a port from 0 to 65535, not {pair!r}"
        raise HostError(message) from None
    try:
        return socket.gethostbyname(host), port
    except (OSError, UnicodeError) as error:
        raise HostError(f"{name}: {host} is no known address: {error}") from None


def _collect(packets, payloads, payload):
    """Adds a payload to the packet in progress; an empty payload ends the packet."""
    payloads.append(payload)
    if not payload:
        packets.append(b"".join(payloads))
        payloads.clear()
