"""Writes frames.pcap: ``python -m tb.rtl.ethernet.frames_file``; the same bytes each time."""

import random
from pathlib import Path

from scapy.layers.l2 import Ether
from scapy.utils import wrpcap

from tb.rtl.ethernet.frames import Frames
from tb.rtl.ethernet.model import Face

FILE = Path(__file__).parent / "frames.pcap"


def recorded():
    """A run as it is on a wire: who is there, tuples, some trouble, the end of the stream."""
    makes = Frames(Face(longest_ping=256), random.Random(2024))
    good = [makes.datagram(most=4) for _ in range(60)]
    full = [frame for frame in good if len(frame) > 60][:11]
    trouble = [
        makes.bad_fragment(),
        makes.bad_fragment(),
        makes.bad_other_port(),
        makes.bad_other_type(),
        makes.bad_udp_checksum(),
        makes.bad_partial_tuple(),
        makes.bad_runt(),
        full[0].ljust(1600, b"\0"),
    ]
    end = bytes(makes.ether(tags=0) / makes.ip(options=[]) / makes.udp()).ljust(60, b"\0")
    return [
        makes.arp(),
        makes.ping(),
        *full[:6],
        *trouble,
        makes.arp(),
        *full[6:],
        end,
        makes.ping(),
    ]


def write(path=FILE):
    packets = [Ether(frame) for frame in recorded()]
    for k, packet in enumerate(packets):
        packet.time = k / 1000
    wrpcap(str(path), packets)


if __name__ == "__main__":
    write()
