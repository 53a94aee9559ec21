"""Compares the frames of the bench in cocotb with frames that scapy makes; payloads by hand."""

import random

from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether

from gen.cocotb_bench.ethernet_frames import (
    frame_of,
    frames_of,
    numbered_payloads_of,
    payload_of,
    payloads_of,
)

NAMES = {"mac": 6, "to_mac": 6, "address": 4, "to_address": 4, "port": 2, "to_port": 2}


def expected(payload, numbers):
    """Returns the frame from the design's receiver of rows to the design, with UDP checksum 0."""
    macs = {name: numbers[name].to_bytes(6, "big").hex(":") for name in ("mac", "to_mac")}
    addresses = {
        name: ".".join(map(str, numbers[name].to_bytes(4, "big")))
        for name in ("address", "to_address")
    }
    ether = Ether(dst=macs["mac"], src=macs["to_mac"])
    ip = IP(src=addresses["to_address"], dst=addresses["address"], id=0, flags="DF", ttl=64)
    udp = UDP(sport=numbers["to_port"], dport=numbers["port"], chksum=0)
    return bytes(ether / ip / udp / payload).ljust(60, b"\0")


def settings_of(numbers):
    """Returns the settings as a manifest has them: a MAC is two words."""
    texts = {name: str(number) for name, number in numbers.items() if "mac" not in name}
    for name in ("mac", "to_mac"):
        texts[f"{name}_low"] = hex(numbers[name] & 0xFFFFFFFF)
        texts[f"{name}_high"] = hex(numbers[name] >> 32)
    return texts


def test_frames_are_those_of_scapy():
    rng = random.Random(3)
    for size in [0, 1, 17, 18, 19, 100, 1472] * 20:
        numbers = {name: rng.getrandbits(8 * size_of) for name, size_of in NAMES.items()}
        payload = rng.randbytes(size)
        frame = frame_of(payload, settings_of(numbers))
        assert frame == expected(payload, numbers)
        assert payload_of(frame) == payload


def test_a_checksum_whose_carry_gives_another_carry():
    numbers = {"mac": 1, "to_mac": 2, "port": 3, "to_port": 4}
    numbers |= {"to_address": 0x0A16D428, "address": 0x0A735221}
    frame = frame_of(b"", settings_of(numbers))
    assert frame[24:26] == bytes.fromhex("fffe")
    assert frame == expected(b"", numbers)


def test_payloads_have_whole_tuples_and_the_last_one_ends_the_stream():
    data = bytes(range(24))
    assert payloads_of(data, 3, 11) == [data[:9], data[9:18], data[18:], b""]
    assert payloads_of(data, 3, 12) == [data[:12], data[12:], b""]
    assert payloads_of(b"", 3, 12) == [b""]


def test_numbered_payloads_have_tuples_or_punctuations():
    """The number and the kind of a payload take eight bytes; here 5 bytes are left for tuples."""
    data = bytes(range(12))
    assert numbered_payloads_of(data, 2, 8 + 5, [0, 0, 0, 1, 0, 0], 255) == [
        bytes.fromhex("ff00000000000000") + data[:4],
        bytes.fromhex("0001000000000000") + data[4:6],
        bytes.fromhex("0101000002000000") + data[6:8],
        bytes.fromhex("0201000000000000") + data[8:],
        bytes.fromhex("0301000000000000"),
    ]
    assert numbered_payloads_of(b"", 2, 16, [], 7) == [bytes([7, *bytes(7)])]


def test_the_first_frame_of_a_stream_comes_bad_and_again_good():
    settings = settings_of(dict.fromkeys(NAMES, 1))
    first, end = (frame_of(payload, settings) for payload in (b"abc", b""))
    assert [*frames_of([b"abc", b""], settings)] == [(first, 1), (first, 0), (end, 0)]
