"""Models which data of earlier tuples are still on the chip: lines, words and windows."""

from collections import deque

from rtl.keyed.dram.word_map import LINE_WORDS
from rtl.keyed.store.lines.outer_words import SLOTS

#: Number of latest items whose lines :class:`~rtl.keyed.store.lines.line_updates.LineUpdates` has.
KEPT_LINES = 32


class RecentLines:
    """Records the lines of the last 32 items, which the memory dram-only changes without a read."""

    def __init__(self):
        self._names = deque(maxlen=KEPT_LINES)

    def update(self, entry, line, fresh):
        """Returns the line that must be read; -1 if the line is ``fresh`` or was just changed."""
        name = (entry, line)
        is_recent = fresh or name in self._names
        self._names.append(name)
        return -1 if is_recent else line

    def skip(self):
        """Records an item that has no line; the item takes one of the 32 places."""
        self._names.append(None)


class RecentWords:
    """Counts the words that must be read from an M2 outside of the chip.

    A tuple that closes a window needs the earlier words of its line and, with 2 lines in M2, all
    four words of the previous line. A tuple that fills its line needs the first three words of the
    line. Each tuple takes the oldest of 64 slots on the chip, and copies the earlier words of its
    key from the slot of the key's previous tuple, if that tuple is among the last 64. Only words
    that were not copied are read. For instance a key's tuples in words 0, 1 and 2 of a line, with
    100 tuples of other keys before the tuple in word 2: if this tuple closes a window, words 0 and
    1 are read.
    """

    def __init__(self, items, second_line):
        self._word_items, self._second_line = max(1, items // LINE_WORDS), second_line
        self._slots, self._tuples = {}, 0

    def read(self, entry, place, closes, lines):
        """Returns how many words are read with the tuple at ``place`` of its line."""
        word, slot, previous = place // self._word_items, self._tuples, self._slots.get(entry)
        first = previous[1] if previous is not None and slot - previous[0] < SLOTS else None
        self._slots[entry] = (slot, (lines, word) if first is None else first)
        self._tuples += 1
        full = word == LINE_WORDS - 1 and (place + 1) % self._word_items == 0
        if not (closes or full):
            return 0
        required = word + (LINE_WORDS if self._second_line and closes and lines else 0)
        in_slots = 0 if first is None else (lines - first[0]) * LINE_WORDS + word - first[1]
        return max(0, required - in_slots)


class RecentWindows:
    """Models which keys have a place in :class:`~rtl.keyed.cache.cached_keys.CachedKeys`.

    A key gets a place when it closes a window, and replaces the key whose last window is the
    oldest. A window is a hit if all its values have arrived since its key got the place: with
    windows of 20 values, a key that gets a place with value 30 has its first hit with value 49.

    Attributes
    ----------
    claims : bool
        True if the key of the last window had no place and got one.
    """

    def __init__(self, places):
        self._places, self._values = places, {}  # values by life, in the order of last windows
        self.claims = False

    def has(self, life):
        """Returns whether a key has a place."""
        return life in self._values

    def store(self, life):
        """Counts a value of a key, if the key has a place."""
        if life in self._values:
            self._values[life] += 1

    def hit(self, life, size, own=0):
        """Returns whether a window of a key comes out of the cache.

        If the key has no place, it gets one, with ``own`` values: 1 if the value that closes the
        window belongs to the window, and is stored with it.
        """
        if not self._places:
            return False
        self.claims = life not in self._values
        values = self._values.pop(life, own)
        self._values[life] = values
        if len(self._values) > self._places:
            del self._values[next(iter(self._values))]
        return not self.claims and values >= size
