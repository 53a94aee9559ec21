"""Packs payloads into frames for a serial line (UDP, IPv4, Ethernet, FCS, COBS), and back."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass

#: Bytes of the longest block of COBS, without the code byte before the block.
_BLOCK = 254
_FCS = 4
_SHORTEST_FRAME = 60
_ETHERNET, _IPV4, _UDP = 14, 20, 8
_UDP_PROTOCOL = 17
#: Greatest number of bytes that are kept without a 0; a frame is shorter, some 9,000 bytes at most.
_LONGEST = 16_384


@dataclass(frozen=True)
class Endpoint:
    """Holds MAC address, IPv4 address and UDP port as integers; the highest byte is sent first."""

    mac: int
    address: int
    port: int


def frame_of(payload: bytes, source: Endpoint, destination: Endpoint) -> bytes:
    """Returns the Ethernet frame of a datagram from one endpoint to another, without FCS."""
    size = _UDP + len(payload)
    addresses = struct.pack("!II", source.address, destination.address)
    ports = struct.pack("!HHH", source.port, destination.port, size)
    udp_sum = _checksum(addresses + struct.pack("!HH", _UDP_PROTOCOL, size) + ports + payload)
    head = struct.pack("!HHIBB", 0x4500, _IPV4 + size, 0x4000, 64, _UDP_PROTOCOL)
    ip = head + _checksum(head + addresses).to_bytes(2, "big") + addresses
    ethernet = destination.mac.to_bytes(6, "big") + source.mac.to_bytes(6, "big") + b"\x08\0"
    udp = ports + (udp_sum or 0xFFFF).to_bytes(2, "big") + payload
    return (ethernet + ip + udp).ljust(_SHORTEST_FRAME, b"\0")


def datagram_of(frame: bytes) -> tuple[tuple[int, int], tuple[int, int], bytes] | None:
    """Returns (address, port) of source and destination, and the payload, of a frame with UDP.

    Returns None for any other frame, and for a datagram with a wrong length or checksum.
    """
    if len(frame) < _ETHERNET + _IPV4 + _UDP or frame[12:15] != b"\x08\0\x45":
        return None
    ip = frame[_ETHERNET : _ETHERNET + _IPV4]
    (total,) = struct.unpack("!H", ip[2:4])
    udp = frame[_ETHERNET + _IPV4 : _ETHERNET + total]
    if ip[9] != _UDP_PROTOCOL or _checksum(ip) or len(udp) != total - _IPV4 or len(udp) < _UDP:
        return None
    source_port, port, size, check = struct.unpack("!HHHH", udp[:_UDP])
    pseudo = ip[12:20] + struct.pack("!HH", _UDP_PROTOCOL, size)
    if size != len(udp) or (check and _checksum(pseudo + udp)):
        return None
    source, destination = struct.unpack("!II", ip[12:20])
    return (source, source_port), (destination, port), udp[_UDP:]


def line_bytes(frame: bytes) -> bytes:
    """Returns the bytes on the line: the frame and its FCS in COBS, between two zeros."""
    body = frame + zlib.crc32(frame).to_bytes(_FCS, "little")
    return b"\0" + encoded(body) + b"\0"


def encoded(body: bytes) -> bytes:
    """Returns bytes coded by COBS; the result has no 0."""
    result = bytearray()
    parts = body.split(b"\0")
    for place, part in enumerate(parts, 1):
        while len(part) > _BLOCK or (len(part) == _BLOCK and place < len(parts)):
            result.append(_BLOCK + 1)
            result += part[:_BLOCK]
            part = part[_BLOCK:]
        result.append(len(part) + 1)
        result += part
    return bytes(result)


def decoded(line: bytes) -> tuple[bytes, bool]:
    """Returns the bytes decoded by COBS, and True if the last block is complete."""
    result = bytearray()
    place = 0
    while place < len(line):
        code = line[place]
        block = line[place + 1 : place + code]
        result += block
        place += code
        if place < len(line) and code <= _BLOCK:
            result.append(0)
    return bytes(result), place == len(line)


class FrameReader:
    """Finds frames in the bytes of a line, which may arrive in pieces of any length.

    Bytes before the first 0 are ignored, because they may be the rest of a frame.

    Attributes
    ----------
    damaged : int
        Number of frames with a wrong FCS or a cut block; noise between frames counts, too.
    """

    def __init__(self) -> None:
        self._partial: bytes | None = None  # bytes after the last 0; None before the first 0
        self.damaged = 0

    def frames(self, line: bytes) -> list[tuple[bytes, bool]]:
        """Adds bytes of the line, and returns the frames that are complete now.

        Each frame comes without its FCS, together with True if the frame is damaged.
        """
        first, *others = line.split(b"\0")
        if not others:
            if self._partial is not None:
                self._partial = (self._partial + first)[-_LONGEST:]
            return []
        whole_frames = [] if self._partial is None else [self._partial + first]
        whole_frames += others[:-1]
        self._partial = others[-1]
        return [self._checked(part) for part in whole_frames if part]

    def _checked(self, part):
        body, is_complete = decoded(part)
        frame, fcs = body[:-_FCS], body[-_FCS:]
        is_damaged = not is_complete or zlib.crc32(frame).to_bytes(_FCS, "little") != fcs
        self.damaged += is_damaged
        return frame, is_damaged


def _checksum(data):
    """Returns the internet checksum (RFC 1071): the sum of words modulo 2^16 - 1, inverted.

    For data that contain their own correct checksum the sum is a multiple of 2^16 - 1, so the
    result is 0.
    """
    padded = data + b"\0" * (len(data) % 2)
    return (0xFFFF - int.from_bytes(padded, "big") % 0xFFFF) % 0xFFFF
