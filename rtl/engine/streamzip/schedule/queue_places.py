"""Models the places of a queue: in which cycle the next item may enter."""

from collections import deque


class QueuePlaces:
    """Computes when each place of a queue is free again.

    For instance with 2 places, of which the last two items left in cycles 5 and 9, and no item is
    in the queue: the next item may enter in cycle 5, the item after it in cycle 9.

    Parameters
    ----------
    count : int
        Number of places.
    """

    def __init__(self, count):
        self._exits = deque([0.0] * count, count)
        self._items = 0

    @property
    def full(self):
        """True if an item must leave before the next may enter."""
        return self._items == len(self._exits)

    @property
    def next(self):
        """The cycle from which on the next item may enter."""
        return self._exits[self._items]

    def enter(self):
        """Counts an item that enters."""
        self._items += 1

    def leave(self, cycle):
        """Notes the cycle in which the oldest item leaves."""
        self._items -= 1
        self._exits.append(cycle)
