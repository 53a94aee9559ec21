"""Collects numbered datagrams of rows: in any order, some of them twice, some of them never."""

from __future__ import annotations

import struct

import numpy as np

#: Bytes before the rows of a datagram: its number (4 bytes), and the engine's credit, which says
#: how many tuples a sender may send: the low 16 bits of ``received``, and ``room`` (2 bytes each).
HEAD = 8
_NUMBERS = 1 << 32
#: Numbers from `_HALF` after the first datagram on count as numbers before the first.
_HALF = 1 << 31


class RowDatagrams:
    """Collects the datagrams of rows of one stream, and puts their rows in order.

    For instance after the datagrams 9, 7, 9 of a stream that begins with 7 and ends before 10, the
    datagram 8 is missing, and one datagram is repeated.

    Parameters
    ----------
    first : int
        Number of the stream's first datagram, modulo 2^32.

    Attributes
    ----------
    repeated : int
        Number of copies after the first of a datagram: a datagram that comes three times counts 2.
    foreign : int
        Number of datagrams that belong to an earlier stream, or are shorter than a head.
    """

    def __init__(self, first: int) -> None:
        self._first = first
        self._payloads: dict[int, bytes] = {}
        self.repeated = self.foreign = 0

    def add(self, datagram: bytes) -> tuple[int, int] | None:
        """Stores a datagram, unless it is repeated or foreign.

        Returns the credit in its head: the low 16 bits of ``received``, and ``room`` in bytes. The
        credit of a late datagram is old. Returns None for a foreign datagram.
        """
        if len(datagram) < HEAD:
            self.foreign += 1
            return None
        number, received, room = struct.unpack("<IHH", datagram[:HEAD])
        place = (number - self._first) % _NUMBERS
        if place >= _HALF:
            self.foreign += 1
            return None
        if place in self._payloads:
            self.repeated += 1
        else:
            self._payloads[place] = datagram[HEAD:]
        return received, 8 * room

    def missing(self, end: int) -> int:
        """Returns the number of datagrams before the number ``end`` that have not come."""
        count = (end - self._first) % _NUMBERS
        return count - sum(place < count for place in self._payloads)

    @property
    def count(self) -> int:
        """Number of stored datagrams, without copies."""
        return len(self._payloads)

    def packets(self) -> list[np.ndarray]:
        """Returns the bytes of each complete packet: a datagram without rows ends a packet.

        Rows after the last end are left out. A missing datagram leaves no gap, so call this only
        if none is missing.
        """
        packets = []
        payloads: list[bytes] = []
        for place in sorted(self._payloads):
            payloads.append(self._payloads[place])
            if not payloads[-1]:
                packets.append(np.frombuffer(b"".join(payloads), np.uint8))
                payloads = []
        return packets

    def row_count(self, size: int) -> int:
        """Returns the number of rows of ``size`` bytes in all datagrams that have come."""
        return sum(map(len, self._payloads.values())) // size
