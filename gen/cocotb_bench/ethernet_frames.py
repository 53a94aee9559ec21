# SPDX-License-Identifier: BSD-2-Clause
"""Builds the Ethernet frames of the bench in cocotb, and reads those of the design."""

import itertools
from collections.abc import Iterator, Mapping


def frames_of(payloads: list[bytes], settings: Mapping[str, str]) -> Iterator[tuple[bytes, int]]:
    """Yields each frame of a stream with 1 if the MAC calls the frame bad, else with 0.

    The first frame comes twice. It is bad the first time, and the design must drop it.
    """
    yield frame_of(payloads[0], settings), 1
    for payload in payloads:
        yield frame_of(payload, settings), 0


def payloads_of(data: bytes, size: int, longest: int) -> list[bytes]:
    """Returns the payloads of datagrams of whole tuples; a datagram without a byte ends the stream.

    ``data`` has tuples of ``size`` bytes, and a payload has at most ``longest`` bytes, at least
    ``size``. With 3 tuples of 5 bytes and a ``longest`` of 12 the payloads have 10, 5 and 0 bytes.
    """
    step = longest // size * size
    return [*(data[k : k + step] for k in range(0, len(data), step)), b""]


def numbered_payloads_of(
    data: bytes, size: int, longest: int, flags: list[int], first: int
) -> list[bytes]:
    """Returns the payloads of numbered datagrams, each with either tuples or punctuations.

    ``data`` has *entries* of ``size`` bytes, tuples and punctuations in order of arrival, and
    ``flags`` has 1 for each punctuation, else 0. A payload has at most ``longest`` bytes. It begins
    with the number of its datagram, ``first`` for the first one, in four bytes, the lowest first;
    then a byte that is 2 for punctuations, else 0, and three zeros. The last payload has no entry,
    and ends the stream.
    """
    entries = [data[k : k + size] for k in range(0, len(data), size)]
    payloads = []
    for flag, group in itertools.groupby(zip(flags, entries, strict=True), lambda pair: pair[0]):
        same_kind = b"".join(entry for _, entry in group)
        payloads += [(2 * flag, part) for part in payloads_of(same_kind, size, longest - 8)[:-1]]
    return [
        (first + place).to_bytes(4, "little") + bytes([kind, 0, 0, 0]) + part
        for place, (kind, part) in enumerate([*payloads, (0, b"")])
    ]


def frame_of(payload: bytes, settings: Mapping[str, str]) -> bytes:
    """Returns a frame with a UDP datagram to the design, from the receiver of the design's rows.

    ``settings`` are the written registers. The frame has at least 60 bytes, and no check sequence.
    """

    def setting(name: str, size: int) -> bytes:
        """Returns a setting in ``size`` bytes, the highest first; a MAC is in two registers."""
        words = [name] if name in settings else [f"{name}_low", f"{name}_high"]
        number = sum(int(settings[word], 0) << 32 * k for k, word in enumerate(words))
        return number.to_bytes(size, "big")

    total = (28 + len(payload)).to_bytes(2, "big")
    ip = b"\x45\0" + total + bytes.fromhex("000040004011")
    addresses = setting("to_address", 4) + setting("address", 4)
    words = memoryview(ip + addresses)
    checksum = sum(int.from_bytes(words[k : k + 2], "big") for k in range(0, len(words), 2))
    for _ in range(2):  # a carry is added to the lower 16 bits, which may give another carry
        checksum = (checksum & 0xFFFF) + (checksum >> 16)
    checksum ^= 0xFFFF
    udp = setting("to_port", 2) + setting("port", 2) + (8 + len(payload)).to_bytes(2, "big")
    ethernet = setting("mac", 6) + setting("to_mac", 6) + b"\x08\0"
    header = ethernet + ip + checksum.to_bytes(2, "big") + addresses
    return (header + udp + b"\0\0" + payload).ljust(60, b"\0")  # UDP checksum 0: there is none


def payload_of(frame: bytes) -> bytes:
    """Returns the payload of the UDP datagram in a frame, without the frame's padding."""
    return frame[42 : 14 + int.from_bytes(frame[16:18], "big")]
