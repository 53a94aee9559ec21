"""Checks frames with an IPv4 header before a body of any length, against scapy."""

import random

from scapy.layers.inet import ICMP, IP

from rtl.ethernet.ip_writer import IpWriter
from tb.bench.unit import run_streams
from tb.rtl.ethernet.model import Face, as_number
from tb.rtl.ethernet.pins import frames_of


def test_ip_writer():
    """The last piece of a body ends in the frame's last piece, or one piece before, or earlier.

    It ends earlier if zeros pad a short frame.
    """
    rng, face = random.Random(6), Face()
    heads, body, expected = [], [], []
    for size in [*range(40), 1472]:
        data = bytes(ICMP(type=0, id=7, seq=size) / rng.randbytes(size))
        mac, address = f"02:00:00:00:{size % 256:02x}:07", f"10.2.{size % 256}.1"
        protocol = (1, 17)[size % 2]
        heads.append(
            {
                "mac": int(mac.replace(":", ""), 16),
                "address": as_number(address),
                "protocol": protocol,
                "length": len(data),
                "first": int.from_bytes(data[:8], "little"),
            }
        )
        body += [int.from_bytes(data[k : k + 8], "little") for k in range(8, len(data), 8)]
        ip = IP(src=face.address, dst=address, proto=protocol, flags="DF", id=0, ttl=64)
        expected.append(_frame(face, mac, ip / data))
    ports = {name: face.settings[name] for name in ("mac", "address")}
    count = sum(-(-len(frame) // 8) for frame in expected)
    run = run_streams(
        IpWriter(),
        {"head": heads, "body": body},
        {"o": count},
        ports=ports,
        stall_in={"body": 0.2},
        stall_out=0.2,
    )
    assert frames_of(run["o"].payloads) == (expected, b"")


def _frame(face, mac, packet):
    head = bytes.fromhex((mac + face.mac).replace(":", "")) + b"\x08\0"
    return (head + bytes(packet)).ljust(60, b"\0")
