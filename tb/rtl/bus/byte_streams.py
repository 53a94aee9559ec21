"""Streams of bytes through the top of the engine of `tb.rtl.bus.packets`, and their packets."""

import numpy as np

from sim.beats import Beats
from tb.rtl.bus.packets import packets
from tb.rtl.bus.tops import top_of

LANES = 2
NO_BEATS = Beats.from_streams([np.zeros((LANES, 1), np.uint8)], LANES)[:0]


def fed(lengths):
    """Returns beats of streams; stream k, of n bytes, is 64 k, 64 k + 1, ..."""
    streams = [np.arange(64 * k, 64 * k + n, dtype=np.uint8)[:, None] for k, n in lengths]
    return Beats.from_streams(streams, LANES)


def run(lengths, writes, expected, choices=0, wide=False, **options):
    """Returns packets, as lists of bytes; the status register's bits; and the tuples counted as
    overrun.

    ``writes`` are (name, value) before each stream, ``expected`` is the number of packets.
    """
    top = top_of(packets(choices=choices, wide=wide))
    reads = ["status", "overrun_low"]
    outcome, read = top.run(fed(lengths), writes, reads, packets=expected, **options)
    packet_bytes = [packet.ravel().tolist() for packet in outcome.beats.streams(1)]
    return packet_bytes, read["status"], read["overrun_low"]


def cut(k, n, size, step=1):
    """Returns the packets of a stream."""
    size *= LANES
    return [[64 * k + i + step for i in range(b, min(b + size, n))] for b in range(0, n, size)]


STALLS = [{}, {"stall_input": 0.5, "stall_output": 0.5, "seed": 3}]
