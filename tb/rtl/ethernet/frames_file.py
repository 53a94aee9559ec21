"""Writes frames.pcap: ``python -m tb.rtl.ethernet.frames_file``; the same bytes each time."""

import random
from pathlib import Path

from scapy.layers.l2 import Ether
from scapy.utils import wrpcap

from tb.rtl.ethernet.frames import Frames
from tb.rtl.ethernet.model import Face

FILE = Path(__file__).parent / "frames.pcap"


def recorded():
    """Returns a typical sequence of frames: ARP and ping, tuples, bad frames, the end of the
    stream."""
    generator = Frames(Face(longest_ping=256), random.Random(2024))
    good = [generator.datagram(max_tuples=4) for _ in range(60)]
    full = [frame for frame in good if len(frame) > 60][:11]
    trouble = [
        generator.bad_fragment(),
        generator.bad_fragment(),
        generator.bad_other_port(),
        generator.bad_other_type(),
        generator.bad_udp_checksum(),
        generator.bad_partial_tuple(),
        generator.bad_runt(),
        full[0].ljust(1600, b"\0"),
    ]
    end = bytes(generator.ether(tags=0) / generator.ip(options=[]) / generator.udp()).ljust(
        60, b"\0"
    )
    return [
        generator.arp(),
        generator.ping(),
        *full[:6],
        *trouble,
        generator.arp(),
        *full[6:],
        end,
        generator.ping(),
    ]


def write(path=FILE):
    packets = [Ether(frame) for frame in recorded()]
    for k, packet in enumerate(packets):
        packet.time = k / 1000
    wrpcap(str(path), packets)


if __name__ == "__main__":
    write()
