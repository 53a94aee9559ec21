"""Links to an engine with ports for datagrams, and the link by UDP sockets."""

from __future__ import annotations

import socket
from abc import ABC, abstractmethod
from urllib.parse import urlsplit

from .errors import HangError, HostError

#: UDP port of the registers unless the address names one: the port of LiteX.
REGISTERS_PORT = 1234
_ANY_ADDRESS = "0.0.0.0"
_BUFFER = 1 << 23  # bytes of received datagrams that wait in the kernel, if the system allows it
_LARGEST = 1 << 16  # bytes, above the longest datagram


class DatagramPort(ABC):
    """Sends datagrams from a UDP port of this program to one of the engine, and receives answers.

    Attributes
    ----------
    name : str
        Place of the engine's port, for errors.
    hint : str
        Questions that may explain why no answer comes, for the error.
    """

    name: str
    hint = "is this the address of the engine's registers, and does it answer ping?"

    @abstractmethod
    def send(self, datagram: bytes) -> None:
        """Sends a datagram to the engine; waits while the system has no room for it.

        Raises HangError if the engine cannot be reached, for instance without a cable.
        """

    @abstractmethod
    def receive(self, seconds: float) -> bytes | None:
        """Returns the next datagram of the engine, or None after at most ``seconds``.

        A port may return None earlier, for instance when a datagram of another sender comes.
        """

    @abstractmethod
    def connect(self, port: int) -> None:
        """Sets the engine's UDP port."""


class Link(ABC):
    """A way to an engine with two ports: ``registers``, and ``rows`` for tuples and rows.

    Attributes
    ----------
    registers, rows : DatagramPort
        The UDP port of the engine behind ``rows`` is not known before ``rows.connect``.
    end : (int, int)
        IPv4 address and UDP port of this program, to which rows come.
    delay : float
        Seconds that a full buffer of the engine takes on the way.
    flush_cycles : int
        Cycles after which a datagram of rows leaves although it is not full, unless a user chooses.
    """

    registers: DatagramPort
    rows: DatagramPort
    end: tuple[int, int]
    delay: float = 0.0
    flush_cycles: int = 10_000
    is_closed = False

    def counts(self) -> dict[str, int]:
        """Returns the number of damages that the link has seen, by their kind."""
        return {}

    @abstractmethod
    def close(self) -> None:
        """Frees the link; a second call does nothing."""


class UdpPort(DatagramPort):
    """Sends and receives datagrams by a UDP socket.

    Parameters
    ----------
    host : str
        IPv4 address of the engine.
    port : int or None
        UDP port of the engine.
    here : (str, int) or None
        Address and UDP port of this program; None lets the system choose at the first datagram.

    Raises HostError if ``here`` is not of this machine.
    """

    def __init__(self, host: str, port: int | None, here: tuple[str, int] | None = None) -> None:
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _BUFFER)
        self._host = host
        self.connect(port)
        if here is not None:
            try:
                self.socket.bind(here)
            except OSError as error:
                self.socket.close()
                raise HostError(f"{here[0]}:{here[1]} must be of this machine: {error}") from None
            except (OverflowError, TypeError, ValueError):
                self.socket.close()
                raise HostError(
                    f"here must be an address and a port from 0 to 65535, not {here!r}"
                ) from None

    def connect(self, port: int | None) -> None:
        self._engine = (self._host, port)
        self.name = f"{self._host}, UDP port {port}"

    def send(self, datagram: bytes) -> None:
        self.socket.settimeout(1)
        while True:
            try:
                self.socket.sendto(datagram, self._engine)
                return
            except TimeoutError:
                pass
            except OSError as error:  # such as a cable that has been pulled out
                raise HangError(f"{self.name}: cannot be reached: {error}") from None

    def receive(self, seconds: float) -> bytes | None:
        self.socket.settimeout(seconds)
        while True:
            try:
                datagram, source = self.socket.recvfrom(_LARGEST)
            except (BlockingIOError, TimeoutError, ConnectionError):
                return None
            if source == self._engine:
                return datagram
            self.socket.settimeout(0)  # datagrams of other senders must not prolong the wait


class UdpLink(Link):
    """The link of an engine in a network.

    Parameters
    ----------
    at : str
        ``udp://HOST`` or ``udp://HOST:PORT``.
    here : (str, int) or None
        Address and UDP port of this program for rows; None lets the system choose.

    Raises HostError.
    """

    def __init__(self, at: str, here: tuple[str, int] | None = None) -> None:
        host, port = _host_and_port(at)
        if here is None:
            here = (_address_towards(host), 0)
        self.rows: UdpPort = UdpPort(host, None, here)
        self.registers: UdpPort = UdpPort(host, port)
        address, number = self.rows.socket.getsockname()
        if address == _ANY_ADDRESS:
            address = _address_towards(host)
        self.end = (int.from_bytes(socket.inet_aton(address), "big"), number)

    def close(self) -> None:
        self.is_closed = True
        self.registers.socket.close()
        self.rows.socket.close()


def _address_towards(host):
    """Returns this machine's IPv4 address on the way to ``host``."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect((host, REGISTERS_PORT))  # sends nothing
            return probe.getsockname()[0]
    except OSError as error:
        raise HostError(f"{host}: cannot be reached: {error}") from None


def _host_and_port(at):
    """Returns IPv4 address and port of the text ``udp://HOST[:PORT]``; raises HostError."""
    try:
        parts = urlsplit(at)
        port = REGISTERS_PORT if parts.port is None else parts.port
    except (ValueError, AttributeError):
        parts = None
    if (
        parts is None
        or parts.scheme != "udp"
        or not parts.hostname
        or parts.path not in ("", "/")
        or parts.query
        or parts.fragment
        or not port
    ):
        raise HostError(
            f"at must be udp://HOST, udp://HOST:PORT or serial:///dev/DEVICE, not {at!r}"
        )
    try:
        return socket.gethostbyname(parts.hostname), port
    except (OSError, ValueError, TypeError) as error:  # such as an empty label, or a zero byte
        raise HostError(f"{parts.hostname}: has no IPv4 address: {error}") from None
