"""A TAP device of Linux: frames that the kernel sends to a simulated MAC, and takes from it."""

import errno
import fcntl
import ipaddress
import os
import select
import socket
import struct
from contextlib import suppress

from query.errors import UserError
from sim.wire.frames import SHORTEST_FRAME

_DEVICE = "/dev/net/tun"
#: Numbers of ioctl from linux/if_tun.h and linux/sockios.h.
_SET_INTERFACE = 0x400454CA
_FLAGS, _SET_FLAGS = 0x8913, 0x8914
_SET_ADDRESS, _SET_MASK = 0x8916, 0x891C
_HARDWARE_ADDRESS = 0x8927
#: A device of frames, and frames without a header in front of them.
_TAP, _PLAIN = 0x0002, 0x1000
_UP = 0x1
_LONGEST_NAME = 15
#: Signs that Linux allows in no name of an interface, or replaces by a number, as in ``tap%d``.
_FORBIDDEN_SIGNS = "/:%"
_LARGEST = 1 << 16
_REASONS = {
    errno.EPERM: "this user may make no TAP device; run it as root, or in a namespace: unshare -rn",
    errno.EACCES: f"this user may not open {_DEVICE}; leave --tap out for UDP on the loopback",
    errno.ENOENT: f"this machine has no {_DEVICE}; leave --tap out for UDP on the loopback",
    errno.ENODEV: f"this machine has no {_DEVICE}; leave --tap out for UDP on the loopback",
    errno.EBUSY: "another program holds it",
    errno.EINVAL: "an interface of this name exists, and it is no TAP device",
}


class TapDevice:
    """The host's end of a wire: an interface of this machine, up and with an address.

    The device vanishes with the process, unless somebody has made it persistent before. A
    persistent device that is up keeps its addresses if this user may not change them.

    Parameters
    ----------
    name : str
        Of the interface.
    address : str
        The interface's own IPv4 address.
    peer : str
        The other end's address, which must be reachable through the interface: both are in the
        longest common prefix of at most 24 bits.

    Raises UserError with the reason if there is no such device.
    """

    def __init__(self, name, address, peer):
        encoded = os.fsencode(name)
        if not 0 < len(encoded) <= _LONGEST_NAME or name.split() != [name]:
            raise UserError(
                f"--tap: an interface has a name of 1 to {_LONGEST_NAME} bytes, not {name!r}"
            )
        if name in (".", "..") or any(sign in name for sign in _FORBIDDEN_SIGNS):
            raise UserError(f"--tap: no interface can have the name {name!r}")
        self._name = encoded
        self._file = None
        try:
            self._file = os.open(_DEVICE, os.O_RDWR | os.O_NONBLOCK)
            fcntl.ioctl(self._file, _SET_INTERFACE, struct.pack("16sH22x", encoded, _TAP | _PLAIN))
            self._configure(address, peer)
        except OSError as error:
            self.close()
            reason = _REASONS.get(error.errno, error.strerror)
            raise UserError(f"--tap {name}: {reason}") from None

    @property
    def mac(self):
        """MAC address of the interface, with the first byte highest."""
        with _control_socket() as control:
            answer = fcntl.ioctl(control, _HARDWARE_ADDRESS, self._request(bytes(16)))
        return int.from_bytes(answer[18:24], "big")

    def receive(self, seconds, most):
        """Returns up to ``most`` frames that the kernel sends, the first within ``seconds``.

        Short frames are padded with zeros, as a network card does.
        """
        if seconds:
            select.select([self._file], [], [], seconds)
        frames = []
        with suppress(BlockingIOError):
            while len(frames) < most:
                frames.append(os.read(self._file, _LARGEST).ljust(SHORTEST_FRAME, b"\0"))
        return frames

    def send(self, frames):
        """Hands frames to the kernel, as if they had arrived on a wire.

        A frame is lost while the interface is down, as on a port without a cable.
        """
        for frame in frames:
            try:
                os.write(self._file, frame)
            except OSError as error:
                if error.errno != errno.EIO:
                    raise

    def close(self):
        """Removes the device; a second call does nothing."""
        file, self._file = self._file, None
        if file is not None:
            os.close(file)

    def _configure(self, address, peer):
        network = struct.pack("!I", _mask(address, peer))
        with _control_socket() as control:
            flags = fcntl.ioctl(control, _FLAGS, self._request(bytes(16)))
            (flags,) = struct.unpack("H", flags[16:18])
            try:
                fcntl.ioctl(control, _SET_ADDRESS, self._request(_socket_address(address)))
                mask = ipaddress.IPv4Address(network)
                fcntl.ioctl(control, _SET_MASK, self._request(_socket_address(str(mask))))
                up = struct.pack("H14x", flags | _UP)
                fcntl.ioctl(control, _SET_FLAGS, self._request(up))
            except PermissionError:
                if not flags & _UP:
                    raise

    def _request(self, content):
        """Returns a structure ``ifreq`` for the interface."""
        return self._name.ljust(16, b"\0") + content.ljust(24, b"\0")


def _control_socket():
    return socket.socket(socket.AF_INET, socket.SOCK_DGRAM)


def _socket_address(address):
    """Returns a structure ``sockaddr_in`` without a port."""
    return struct.pack("=HH4s8x", socket.AF_INET, 0, socket.inet_aton(address))


def _mask(address, peer):
    """Returns the mask of the longest prefix, of at most 24 bits, that two addresses share.

    For 10.0.0.2 and 10.0.0.1 the prefix has 24 bits, and for 10.1.0.2 and 10.0.0.1 it has 15.
    """
    differing = int(ipaddress.IPv4Address(address)) ^ int(ipaddress.IPv4Address(peer))
    bits = min(24, 32 - differing.bit_length())
    return (1 << 32) - (1 << 32 - bits)
