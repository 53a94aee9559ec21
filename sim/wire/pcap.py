"""Frames to a file that tcpdump and Wireshark read: pcap, with nanoseconds."""

import struct

#: A cycle at 156.25 MHz, at which 64 bits are 10 Gb/s.
NANOSECONDS = 6.4
_HEADER = struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 65535, 1)  # Ethernet


def pcap(frames):
    """The bytes of a file of ``frames``, pairs of the cycle of the last byte and the frame's bytes,
    in the order of their cycles."""
    parts = [_HEADER]
    for cycle, frame in sorted(frames, key=lambda told: told[0]):
        seconds, rest = divmod(round(cycle * NANOSECONDS), 10**9)
        parts += [struct.pack("<IIII", seconds, rest, len(frame), len(frame)), frame]
    return b"".join(parts)
