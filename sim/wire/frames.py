"""Frames of datagrams, in plain Python: made of payloads, and read back with every field checked.

A stream is cut into datagrams of whole tuples, and ended by one without a byte. It knows nothing of
the hardware.
"""

from dataclasses import dataclass

from sim.errors import ProtocolError

#: Bytes of the largest payload, and of the shortest frame.
MOST, SHORTEST = 1472, 60
#: Bytes in front of a payload: Ethernet, IPv4, UDP.
ETHERNET, IPV4, UDP = 14, 20, 8
FRONT = ETHERNET + IPV4 + UDP


@dataclass(frozen=True, kw_only=True)
class End:
    """One end of the wire: its MAC, IPv4 address and port, the first byte highest."""

    mac: int
    address: int
    port: int


def checksum(data):
    """That of the internet (RFC 1071), over bytes; of bytes that have theirs in them it is 0."""
    data = bytes(data) + b"\0" * (len(data) % 2)
    total = sum(int.from_bytes(data[k : k + 2], "big") for k in range(0, len(data), 2))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total ^ 0xFFFF


def frame_of(payload, source, to):
    """A frame with a datagram from one :class:`End` to another."""
    size = UDP + len(payload)
    ports = source.port.to_bytes(2, "big") + to.port.to_bytes(2, "big") + size.to_bytes(2, "big")
    sums = checksum(_pseudo(source, to, size) + ports + payload) or 0xFFFF
    ip = bytes.fromhex("4500") + (IPV4 + size).to_bytes(2, "big") + bytes.fromhex("000040004011")
    addresses = source.address.to_bytes(4, "big") + to.address.to_bytes(4, "big")
    ip += checksum(ip + addresses).to_bytes(2, "big") + addresses
    head = to.mac.to_bytes(6, "big") + source.mac.to_bytes(6, "big") + b"\x08\0"
    return (head + ip + ports + sums.to_bytes(2, "big") + payload).ljust(SHORTEST, b"\0")


def payload_of(frame, source, to):
    """The payload of a datagram from one end to another; raises ProtocolError for any other frame.

    All of it must be right: both checksums, and zeros behind a packet that is filled up.
    """
    size = int.from_bytes(frame[38:40], "big")
    payload = frame[FRONT : ETHERNET + IPV4 + size]
    ip, udp = frame[ETHERNET : ETHERNET + IPV4], frame[ETHERNET + IPV4 : ETHERNET + IPV4 + size]
    if checksum(ip) or checksum(_pseudo(source, to, size) + udp):
        raise ProtocolError(f"a frame has a wrong checksum: {frame.hex()}")
    if frame != frame_of(payload, source, to):
        raise ProtocolError(f"a frame must be of a datagram to the receiver, not {frame.hex()}")
    return payload


def _pseudo(source, to, size):
    addresses = source.address.to_bytes(4, "big") + to.address.to_bytes(4, "big")
    return addresses + bytes([0, 17]) + size.to_bytes(2, "big")


def payloads_of(stream, size, most=MOST):
    """What the datagrams of a stream of tuples of ``size`` bytes have, the one that ends it last.

    For 100 tuples of 16 bytes: 1,472 bytes, which are 92 of them, 128, and none.
    """
    step = most // size * size
    return [*(stream[k : k + step] for k in range(0, len(stream), step)), b""]


def streams_of(payloads):
    """The streams that datagrams without a byte end; raises ProtocolError when one is not ended."""
    streams, begun = [], []
    for payload in payloads:
        begun.append(payload)
        if not payload:
            streams.append(b"".join(begun))
            begun = []
    if begun:
        raise ProtocolError("the last datagram must be one without a byte")
    return streams
