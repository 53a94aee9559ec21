"""Builds Ethernet frames of UDP datagrams from payloads, and checks every field of received frames.

A stream is sent as datagrams of whole tuples; a datagram without a byte ends the stream. Numbered
datagrams begin with a head of 8 bytes; a datagram of 8 bytes ends their stream. The module is plain
Python, and independent of the hardware. Frames have no preamble and no FCS.
"""

import struct
from dataclasses import dataclass

from sim.errors import ProtocolError

#: Bytes of the longest payload: 1,500 of the packet in a frame, less the headers of IPv4 and UDP.
LONGEST_PAYLOAD = 1472
#: Bytes of the shortest frame, without its FCS; a shorter frame is padded with zeros.
SHORTEST_FRAME = 60
#: Bytes of the head of a numbered datagram: its number and its flags, 32 bits each, lowest byte
#: first. The flag ``PUNCTUATIONS``, in the fifth byte, says that all entries are punctuations.
HEAD, PUNCTUATIONS = 8, 0x02
#: Cycles of 8 bytes between two frames: preamble, FCS and the gap of Ethernet are 24 bytes.
FRAME_GAP = 3
#: Bytes of the headers before a payload.
ETHERNET, IPV4, UDP = 14, 20, 8
HEADERS = ETHERNET + IPV4 + UDP


class BadFrame(bytes):
    """Holds a frame that its MAC marks as bad, because the FCS is wrong."""


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """Describes an endpoint: MAC address, IPv4 address and UDP port as integers.

    The first byte is the highest one: 192.168.1.10 is 0xC0A8010A.
    """

    mac: int
    address: int
    port: int


def checksum(data):
    """Returns the internet checksum (RFC 1071); it is 0 for bytes with a valid checksum."""
    data = bytes(data) + b"\0" * (len(data) % 2)
    total = sum(int.from_bytes(data[k : k + 2], "big") for k in range(0, len(data), 2))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total ^ 0xFFFF


def frame_of(payload, source, destination):
    """Returns the Ethernet frame of a datagram from one :class:`Endpoint` to another.

    A frame of a payload of 1 byte has 42 bytes of headers, the payload, and 17 zeros.
    """
    size = UDP + len(payload)
    ports = (
        source.port.to_bytes(2, "big")
        + destination.port.to_bytes(2, "big")
        + size.to_bytes(2, "big")
    )
    udp_checksum = checksum(_pseudo(source, destination, size) + ports + payload) or 0xFFFF
    ip = bytes.fromhex("4500") + (IPV4 + size).to_bytes(2, "big") + bytes.fromhex("000040004011")
    addresses = source.address.to_bytes(4, "big") + destination.address.to_bytes(4, "big")
    ip += checksum(ip + addresses).to_bytes(2, "big") + addresses
    ethernet = destination.mac.to_bytes(6, "big") + source.mac.to_bytes(6, "big") + b"\x08\0"
    return (ethernet + ip + ports + udp_checksum.to_bytes(2, "big") + payload).ljust(
        SHORTEST_FRAME, b"\0"
    )


def payload_of(frame, source, destination):
    """Returns the payload of a frame that must be a datagram from ``source`` to ``destination``.

    Raises ProtocolError unless the frame equals :func:`frame_of` of its payload, including both
    checksums and the zeros that pad a short frame.
    """
    size = int.from_bytes(frame[38:40], "big")
    payload = frame[HEADERS : ETHERNET + IPV4 + size]
    ip, udp = frame[ETHERNET : ETHERNET + IPV4], frame[ETHERNET + IPV4 : ETHERNET + IPV4 + size]
    if checksum(ip) or checksum(_pseudo(source, destination, size) + udp):
        raise ProtocolError(f"a frame has a wrong checksum: {frame.hex()}")
    if frame != frame_of(payload, source, destination):
        raise ProtocolError(f"a frame must be of a datagram to the receiver, not {frame.hex()}")
    return payload


def endpoints_and_payload(frame):
    """Returns source, destination and payload of a frame with a UDP datagram; None for any other.

    The function compares no checksum and no length field, because a peer in a test must see what a
    faulty design sends.
    """
    if len(frame) < HEADERS:
        return None
    if frame[12:14] != b"\x08\0" or frame[ETHERNET] != 0x45 or frame[23] != 17:
        return None
    source, destination = (
        Endpoint(
            mac=int.from_bytes(frame[mac : mac + 6], "big"),
            address=int.from_bytes(frame[address : address + 4], "big"),
            port=int.from_bytes(frame[port : port + 2], "big"),
        )
        for mac, address, port in ((6, 26, 34), (0, 30, 36))
    )
    size = int.from_bytes(frame[38:40], "big")
    return source, destination, frame[HEADERS : ETHERNET + IPV4 + size]


def _pseudo(source, destination, size):
    """Returns the pseudo header that the UDP checksum covers."""
    addresses = source.address.to_bytes(4, "big") + destination.address.to_bytes(4, "big")
    return addresses + bytes([0, 17]) + size.to_bytes(2, "big")


def payloads_of(stream, size, longest=LONGEST_PAYLOAD):
    """Returns the payloads for a stream of tuples of ``size`` bytes; the last payload is empty.

    For 100 tuples of 16 bytes the payloads have 1,472 bytes (92 tuples), 128 bytes and 0 bytes.
    """
    step = longest // size * size
    return [*(stream[k : k + step] for k in range(0, len(stream), step)), b""]


def numbered_payloads_of(stream, size, punctuations, first=0, longest=LONGEST_PAYLOAD):
    """Returns the payloads of numbered datagrams for a stream of tuples and punctuations.

    ``punctuations`` has a true value for each entry of ``size`` bytes that is a punctuation. A
    datagram has either tuples or punctuations. ``first`` is the number of the first datagram. For
    instance two tuples, a punctuation and a tuple are the datagrams 0, 1 with the flag, 2, and 3
    without an entry, which ends the stream.
    """
    step = (longest - HEAD) // size
    payloads = []
    begin = 0
    while begin < len(punctuations):
        is_punctuation, end = punctuations[begin], begin + 1
        while end < min(len(punctuations), begin + step) and punctuations[end] == is_punctuation:
            end += 1
        payloads.append((PUNCTUATIONS * bool(is_punctuation), stream[size * begin : size * end]))
        begin = end
    return [
        struct.pack("<II", (first + k) % (1 << 32), flags) + entries
        for k, (flags, entries) in enumerate([*payloads, (0, b"")])
    ]


def streams_of(payloads):
    """Returns the bytes of each stream, from payloads without heads.

    For instance the payloads of 16, 8, 0 and 0 bytes are a stream of 24 bytes and an empty stream.
    Raises ProtocolError if the last payload does not end a stream.
    """
    streams = []
    parts = []
    for payload in payloads:
        parts.append(payload)
        if not payload:
            streams.append(b"".join(parts))
            parts = []
    if parts:
        raise ProtocolError("the last datagram must be one without a byte")
    return streams
