"""UDP sockets in the place of a wire: datagrams become frames, and frames datagrams."""

import select
import socket
from contextlib import suppress

from query.errors import UserError
from sim.wire.frames import Endpoint, endpoints_and_payload, frame_of

_LARGEST = 1 << 16
#: Bytes of datagrams that wait in the kernel while the simulation runs, if the system allows it.
_BUFFER = 1 << 24


class LoopbackPorts:
    """A socket for each UDP port of a design, and a made-up host at the other end of its wire.

    A datagram from port 5000 of this machine to port 4001 becomes a frame from port 5000 of the
    made-up host to port 4001 of the design. A frame of the design to port 4002 of any address
    becomes a datagram to port 4002 of this machine; it comes from the socket of the design's port.
    ARP and ping need a wire with frames, see :class:`~sim.wire.tap.TapDevice`.

    Parameters
    ----------
    design : Endpoint
        MAC and address of the design; its port is one of ``ports``.
    host : Endpoint
        MAC and address of the made-up host.
    ports : sequence of int
        UDP ports of the design.
    address : str
        Address of this machine at which the sockets listen.

    Raises UserError if a port is taken.
    """

    def __init__(self, design, host, ports, address="127.0.0.1"):
        self._design = design
        self._host = host
        self._address = address
        self._sockets = {}
        for port in ports:
            listener = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            listener.setblocking(False)
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _BUFFER)
            self._sockets[port] = listener
            try:
                listener.bind((address, port))
            except OSError as error:
                self.close()
                raise UserError(
                    f"UDP port {port} of {address} cannot be served: {error.strerror}; "
                    "--set port=N takes another, or registers_port=N for the registers"
                ) from None

    def receive(self, seconds, most):
        """Returns up to ``most`` frames for each port; waits up to ``seconds`` for the first."""
        if seconds:
            select.select(list(self._sockets.values()), [], [], seconds)
        frames = []
        for port, listener in self._sockets.items():
            with suppress(BlockingIOError):
                for _ in range(most):
                    payload, (_, sender) = listener.recvfrom(_LARGEST)
                    frames.append(frame_of(payload, self._end(self._host, sender), self._to(port)))
        return frames

    def send(self, frames):
        """Sends the datagram of each frame to its port of this machine.

        Frames without a datagram, and frames that come from another port than the design's, are
        dropped.
        """
        for frame in frames:
            if (datagram := endpoints_and_payload(frame)) is None:
                continue
            source, destination, payload = datagram
            if (sender := self._sockets.get(source.port)) is not None:
                # Nobody listens, the receiver's buffer is full, or there is no such port, as 0: the
                # datagram is lost, as on a wire.
                with suppress(OSError):
                    sender.sendto(payload, (self._address, destination.port))

    def close(self):
        """Closes the sockets; a second call does nothing."""
        for listener in self._sockets.values():
            listener.close()
        self._sockets = {}

    def _to(self, port):
        return self._end(self._design, port)

    @staticmethod
    def _end(end, port):
        return Endpoint(mac=end.mac, address=end.address, port=port)
