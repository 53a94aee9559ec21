"""Numbers datagrams of tuples, limits how many are under way, and repeats lost ones."""

from __future__ import annotations

import struct
from collections.abc import Iterator

import numpy as np

_NUMBERS = 1 << 32
#: Bytes before the tuples of a datagram: its number, and flags.
HEAD = 8
#: Flag of a datagram that has punctuations in the place of tuples.
_PUNCTUATIONS = 0x02
_BEAT = 8


class TupleWindow:
    """Splits one stream of tuples into numbered datagrams, and says which of them may leave.

    The engine takes datagrams in the order of their numbers, and drops all others. It tells the
    number that it expects next (``received``), and the free bytes of its buffer (``room``).
    Datagrams that were sent and are not taken yet will fill the buffer, so their bytes are
    subtracted from ``room``. If two register reads in a row bring no new ``received`` while
    datagrams are under way, and no datagram of rows brings one between them, all datagrams under
    way count as lost. They are then sent again, from the first on.

    A datagram without tuples ends the stream.

    Parameters
    ----------
    tuples : numpy.ndarray of uint8, shape (tuples, bytes of a tuple)
    payload_bytes : int
        Bytes of tuples in a datagram at most.
    received, room : int
        Numbers that the engine tells before the stream begins.
    punctuations : numpy.ndarray of bool, shape (tuples,), or None
        True for each entry of ``tuples`` that is a punctuation; None if none is. A datagram has
        either tuples or punctuations.

    Attributes
    ----------
    repeats : int
        Number of datagrams that were sent again.
    taken_count : int
        Number of the stream's datagrams that the engine is known to have taken.

    Example: with ``payload_bytes`` 1,464 a stream of 100 tuples of 16 bytes has three datagrams: 91
    tuples (1,456 bytes), 9 tuples (144 bytes), and no tuple, which takes 8 bytes of room.
    """

    def __init__(
        self,
        tuples: np.ndarray,
        payload_bytes: int,
        received: int,
        room: int,
        punctuations: np.ndarray | None = None,
    ) -> None:
        tuples_per_datagram = payload_bytes // tuples.shape[1]
        if punctuations is None:
            punctuations = np.zeros(len(tuples), bool)
        parts = list(_parts(punctuations, tuples_per_datagram))
        self._payloads = [*(tuples[begin:end].tobytes() for begin, end in parts), b""]
        self._flags = [*(_PUNCTUATIONS * int(punctuations[begin]) for begin, _ in parts), 0]
        self._first = received
        self._next = 0  # place of the next datagram that leaves, counted from the stream's first
        self._sent = 0  # datagrams before this place have left at least once
        self.taken_count = 0
        self._room = room
        self._reads_without_progress = 0  # register reads in a row with the same ``received``
        self.repeats = 0

    @property
    def is_complete(self) -> bool:
        """True if the engine has taken the whole stream."""
        return self.taken_count == len(self._payloads)

    @property
    def is_waiting(self) -> bool:
        """True if datagrams are under way."""
        return self._next > self.taken_count

    def ready(self) -> Iterator[bytes]:
        """Yields the datagrams for which the engine has room, in the order of the stream."""
        under_way = sum(map(self._cost, range(self.taken_count, self._next)))
        while self._next < len(self._payloads):
            under_way += self._cost(self._next)
            if under_way > self._room:
                return
            if self._next < self._sent:
                self.repeats += 1
            number = (self._first + self._next) % _NUMBERS
            datagram = struct.pack("<II", number, self._flags[self._next])
            datagram += self._payloads[self._next]
            self._next += 1
            self._sent = max(self._sent, self._next)
            yield datagram

    def update_from_registers(self, received: int, room: int) -> bool:
        """Takes the engine's numbers of a register read; returns True if ``received`` has moved.

        Finds out whether datagrams are lost, and lets them leave again. Read the registers after
        the last call of `update_from_rows`: ``received`` must not be older than a number that is
        already known. Raises ValueError if ``received`` is no number of this stream: the engine
        was reset.
        """
        place = (received - self._first) % _NUMBERS
        if not self.taken_count <= place <= self._sent:
            raise ValueError(f"received is {received}, which no datagram of this stream explains")
        has_moved = place != self.taken_count
        self._advance(place, room)
        waits_in_vain = self.is_waiting and not has_moved
        self._reads_without_progress = self._reads_without_progress + 1 if waits_in_vain else 0
        if self._reads_without_progress > 1:
            self._next = self.taken_count
            self._reads_without_progress = 0
        return has_moved

    def update_from_rows(self, received: int, room: int) -> None:
        """Takes the numbers in the head of a datagram of rows.

        Datagrams of rows may come out of order. Numbers that are older than the known ones have no
        effect. ``received`` consists of the low 16 bits of the engine's number.
        """
        place = self.taken_count + (received - self._first - self.taken_count) % (1 << 16)
        if place > self._sent:
            return
        # With the same ``received`` the buffer only empties, so more room is newer.
        self._advance(place, max(self._room, room) if place == self.taken_count else room)

    def _advance(self, place, room):
        """Records how many datagrams the engine has taken, and how much room it has."""
        if place != self.taken_count:
            self._reads_without_progress = 0
        self.taken_count, self._room = place, room
        self._next = max(self._next, place)

    def _cost(self, place):
        """Returns the bytes of the engine's buffer that a datagram takes: pieces of 8 bytes."""
        return max(_BEAT, -(-len(self._payloads[place]) // _BEAT) * _BEAT)


def _parts(flags, step):
    """Yields begin and end of each datagram: at most ``step`` entries with the same flag."""
    ends = [*(np.flatnonzero(np.diff(flags)) + 1).tolist(), len(flags)]
    begin = 0
    for end in ends:
        for first in range(begin, end, step):
            yield first, min(first + step, end)
        begin = end
