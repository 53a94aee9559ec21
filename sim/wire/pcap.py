"""Writes frames in the format pcap with nanoseconds, which tcpdump and Wireshark read."""

import struct

#: Length of a cycle in ns at 156.25 MHz, the clock at which 64 bits per cycle are 10 Gb/s.
NANOSECONDS = 6.4
#: Bytes that begin a file.
HEADER = struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 65535, 1)  # Ethernet


def pcap(frames):
    """Returns the bytes of a file with ``frames`` in the order of their cycles.

    ``frames`` has pairs of the cycle of a frame's last byte and the bytes of the frame.
    """
    return HEADER + records(frames)


def records(frames):
    """Returns the part of a file after its header: the frames in the order of their cycles."""
    parts = []
    for cycle, frame in sorted(frames, key=lambda pair: pair[0]):
        seconds, nanoseconds = divmod(round(cycle * NANOSECONDS), 10**9)
        parts += [struct.pack("<IIII", seconds, nanoseconds, len(frame), len(frame)), frame]
    return b"".join(parts)
