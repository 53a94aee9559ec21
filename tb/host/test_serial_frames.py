"""Frames of the serial line against the packages cobs and scapy, and zlib."""

import random

import pytest
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether

from host.serial_frames import (
    Endpoint,
    FrameReader,
    datagram_of,
    decoded,
    encoded,
    frame_of,
    line_bytes,
)
from tb.rtl.serial.lines import SPECIAL_FRAMES, cobs, frame, frames_of, line_of

HOST = Endpoint(0x02_53_4C_43_45_02, 0x0A_00_00_02, 4002)
BOARD = Endpoint(0x02_53_4C_43_45_01, 0x0A_00_00_01, 1234)


def some_frames(seed):
    rng = random.Random(seed)
    return [*SPECIAL_FRAMES, *(frame(rng, rng.randrange(1, 1519)) for _ in range(100))]


def test_cobs_is_that_of_the_package():
    for body in some_frames(1):
        assert encoded(body) == cobs.encode(body)
        assert decoded(cobs.encode(body)) == (body, True)
    assert encoded(b"\x11\x22\x00\x33").hex() == "0311220233"
    assert decoded(b"\x05ab") == (b"ab", False)


def test_the_line_is_that_of_the_model():
    for body in some_frames(2):
        assert line_bytes(body) == line_of(body)


def test_a_reader_finds_frames_in_pieces():
    """Noise, cut blocks and flipped bits are damaged, as the plain model says."""
    rng = random.Random(3)
    line = b""
    for body in some_frames(3):
        part = bytearray(line_of(body))
        if rng.random() < 0.3:
            part[rng.randrange(len(part))] ^= 1 << rng.randrange(8)
        if rng.random() < 0.2:
            del part[rng.randrange(len(part))]
        line += bytes(part) + (b"noise" if rng.random() < 0.2 else b"")
    line += b"\0"
    reader = FrameReader()
    frames, place = [], 0
    while place < len(line):
        size = rng.choice([1, 3, 64, 4096])
        frames += reader.frames(line[place : place + size])
        place += size
    expected = frames_of(b"\0" + line) if line[0] == 0 else frames_of(line[line.index(0) :])
    assert [is_damaged for _, is_damaged in frames] == [is_damaged for _, is_damaged in expected]
    assert [f for f in frames if not f[1]] == [f for f in expected if not f[1]]
    assert reader.damaged == sum(is_damaged for _, is_damaged in frames) > 20


@pytest.mark.parametrize("size", [0, 1, 18, 19, 1000, 1472])
def test_datagrams_are_scapys(size):
    """A datagram without a checksum is right, too."""
    rng = random.Random(size)
    for _ in range(20):
        payload = rng.randbytes(size)
        packet = Ether(dst="02:53:4c:43:45:01", src="02:53:4c:43:45:02")
        packet /= IP(src="10.0.0.2", dst="10.0.0.1", flags="DF", id=0, ttl=64)
        packet /= UDP(sport=4002, dport=1234) / payload
        built = frame_of(payload, HOST, BOARD)
        assert built == bytes(packet).ljust(60, b"\0")
        source, destination = (HOST.address, HOST.port), (BOARD.address, BOARD.port)
        assert datagram_of(built) == (source, destination, payload)
        unchecked = built[:40] + b"\0\0" + built[42:]
        assert datagram_of(unchecked) == (source, destination, payload)


def test_a_checksum_of_zero():
    """Two bytes make the sum of all words 0xFFFF. The checksum that would be 0 is 0xFFFF."""
    empty = frame_of(b"\0\0", HOST, BOARD)
    (check,) = (int.from_bytes(empty[40:42], "big"),)
    built = frame_of(check.to_bytes(2, "big"), HOST, BOARD)
    assert built[40:42] == b"\xff\xff"
    assert datagram_of(built)[2] == check.to_bytes(2, "big")


def test_other_frames_are_none():
    good = frame_of(b"payload", HOST, BOARD)
    for place in [12, 14, 16, 23, 24, 30, 38, 40, 44]:
        bad_frame = bytearray(good)
        bad_frame[place] ^= 0x10
        assert datagram_of(bytes(bad_frame)) is None
    assert datagram_of(good[:40]) is None
    assert datagram_of(good[:45]) is None


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ({"proto": 6}, None),
        ({"len": 20 + 7}, None),  # shorter than the head of UDP
        ({"len": 20}, None),
        ({"len": 19}, None),
        ({"len": 20 + 8 + 19}, None),  # longer than the frame
        ({"ihl": 6}, None),
        ({"version": 6}, None),
        ({}, b"payload"),
    ],
    ids=str,
)
def test_a_wrong_field_under_a_right_checksum(field, value):
    """Scapy computes the checksum of the IP header with the field; UDP has no checksum."""
    udp = UDP(sport=4002, dport=1234, chksum=0, len=15) / b"payload"
    head = IP(src="10.0.0.2", dst="10.0.0.1", **{"proto": 17, "ihl": 5, **field})
    sent = bytes(Ether(dst="02:53:4c:43:45:01") / head / bytes(udp)).ljust(60, b"\0")
    received = datagram_of(sent)
    assert (received and received[2]) == value


@pytest.mark.parametrize(
    ("total", "size"), [(35, 0), (35, 7), (35, 14), (35, 16), (35, 0xFFFF), (47, 26)]
)
def test_a_datagram_whose_length_is_not_that_of_ip(total, size):
    """Without a checksum only the two lengths tell that bytes are missing, or are too many.

    The padded frame has 26 bytes behind the IP header.
    """
    udp = UDP(sport=4002, dport=1234, chksum=0, len=size) / b"payload"
    head = IP(src="10.0.0.2", dst="10.0.0.1", proto=17, len=total)
    sent = bytes(Ether(dst="02:53:4c:43:45:01") / head / bytes(udp)).ljust(60, b"\0")
    assert datagram_of(sent) is None
