"""The link of an engine on a serial line: datagrams in Ethernet frames in COBS."""

from __future__ import annotations

import socket
import threading
from queue import Empty, SimpleQueue
from typing import Any

from .datagram_port import REGISTERS_PORT, DatagramPort, Link
from .errors import HangError, HostError
from .serial_frames import Endpoint, FrameReader, datagram_of, frame_of, line_bytes

SCHEME = "serial://"
#: Baud rate of a board whose manifest names none.
BAUD = 3_000_000
#: MAC of this end of the line, which no other machine sees.
_MAC = 0x02_53_4C_43_45_02
#: UDP ports of this end for registers: the second is used if rows come to the first.
_REGISTER_PORTS = (49_152, 49_153)
#: Bytes that may wait for the line: the buffer of the engine.
_BUFFER = 16_384
_BITS_OF_A_BYTE = 10
#: Seconds after which a frame that the device does not take is an error.
_WRITE_SECONDS = 10.0
#: Seconds between two looks of the reader at whether the line was closed.
_PAUSE = 0.05


class SerialLine:
    """A serial device with a thread that reads it, so that no byte is lost while the host computes.

    Parameters
    ----------
    device : str
    baud : int

    Raises HostError if the device cannot be opened, or pyserial is missing.
    """

    def __init__(self, device: str, baud: int) -> None:
        try:
            import serial
        except ImportError:
            raise HostError(
                f"{SCHEME}{device} needs the package pyserial: pip install pyserial"
            ) from None
        self.device = device
        self.queues: dict[int, SimpleQueue] = {}  # datagrams by the UDP port of this end
        self.reader = FrameReader()
        self._error: Exception | None = None
        self._stop = threading.Event()
        try:
            self._serial: Any = serial.Serial(
                device, baud, timeout=_PAUSE, write_timeout=_WRITE_SECONDS, exclusive=True
            )
            self._serial.reset_input_buffer()
        except (OSError, ValueError) as error:  # SerialException is an OSError
            raise HostError(f"{device}: cannot be opened: {error}") from None
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def send(self, frame: bytes) -> None:
        """Writes a frame; waits while the line has no room for it."""
        self.check()
        try:
            self._serial.write(line_bytes(frame))
        except OSError as error:  # such as a cable that has been pulled out
            raise HangError(f"{self.device}: cannot be written: {error}") from None

    def check(self) -> None:
        """Raises HangError if the device cannot be read any more."""
        if self._error is not None:
            raise HangError(f"{self.device}: cannot be read: {self._error}")

    def close(self) -> None:
        """Ends the thread, and frees the device; a second call does nothing."""
        self._stop.set()
        self._thread.join()
        self._serial.close()

    def _read(self):
        while not self._stop.is_set():
            try:
                received = self._serial.read(max(1, self._serial.in_waiting))
            except Exception as error:  # pyserial also raises TypeError for a device that vanishes
                self._error = error
                return
            for frame, is_damaged in self.reader.frames(received):
                datagram = None if is_damaged else datagram_of(frame)
                if datagram is None:
                    continue
                source, (_, port), payload = datagram
                if port in self.queues:
                    self.queues[port].put((source, payload))


class SerialPort(DatagramPort):
    """A pair of UDP ports whose datagrams pass a serial line.

    Parameters
    ----------
    line : SerialLine
    here, engine : Endpoint
    """

    hint = (
        "is this the board's device, at its baud rate, and are mac, address and registers_port of "
        "the board those of the manifest?"
    )

    def __init__(self, line: SerialLine, here: Endpoint, engine: Endpoint) -> None:
        self._line = line
        self._here = here
        self._engine = engine
        self._queue = line.queues[here.port] = SimpleQueue()
        self.connect(engine.port)

    def connect(self, port: int) -> None:
        self._engine = Endpoint(self._engine.mac, self._engine.address, port)
        self.name = f"{self._line.device}, UDP port {port}"

    def send(self, datagram: bytes) -> None:
        self._line.send(frame_of(datagram, self._here, self._engine))

    def receive(self, seconds: float) -> bytes | None:
        engine = (self._engine.address, self._engine.port)
        while True:
            try:
                source, payload = self._queue.get(timeout=seconds) if seconds else self._next()
            except Empty:
                self._line.check()
                return None
            if source == engine:
                return payload
            seconds = 0.0  # datagrams of other senders must not prolong the wait

    def _next(self):
        return self._queue.get_nowait()


class SerialLink(Link):
    """The link of an engine on a serial line.

    The manifest has the addresses of the engine, and the IP address and UDP port of the rows.

    Parameters
    ----------
    at : str
        ``serial:///dev/ttyUSB0``, or on Windows ``serial://COM3``.
    network : dict
        The manifest's part with the addresses that the board writes at power-up.
    baud : int or None
        Bits per second. None stands for the rate in the manifest, or else `BAUD`.

    Raises HostError.
    """

    #: A full datagram takes 5 ms at 3 Mbaud. So rows wait longer than in a network for their
    #: datagram to fill, 20 ms at 50 MHz: few datagrams with many rows use the line best.
    flush_cycles = 1_000_000

    def __init__(self, at: str, network: dict, baud: int | None = None) -> None:
        device = at.removeprefix(SCHEME)
        if not device:
            raise HostError(f"at must name a device, as in serial:///dev/ttyUSB0, not {at!r}")
        rate = network.get("serial", {}).get("baud", BAUD) if baud is None else baud
        addresses = network["link"]
        engine = Endpoint(
            int(addresses["mac"].replace(":", ""), 16),
            _number(addresses["address"]),
            addresses.get("registers_port", REGISTERS_PORT),
        )
        rows = Endpoint(_MAC, _number(addresses["to_address"]), addresses["to_port"])
        port = next(number for number in _REGISTER_PORTS if number != rows.port)
        self._line = SerialLine(device, rate)
        self.rows: SerialPort = SerialPort(self._line, rows, engine)
        self.registers: SerialPort = SerialPort(
            self._line, Endpoint(_MAC, rows.address, port), engine
        )
        self.end = (rows.address, rows.port)
        self.delay = _BUFFER * _BITS_OF_A_BYTE / rate

    def counts(self) -> dict[str, int]:
        return {"frames_damaged": self._line.reader.damaged}

    def close(self) -> None:
        self.is_closed = True
        self._line.close()


def _number(address):
    return int.from_bytes(socket.inet_aton(address), "big")
