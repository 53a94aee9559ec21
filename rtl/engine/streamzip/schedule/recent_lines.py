"""Models which lines, words and windows memories near the pipeline hold from earlier tuples."""

from collections import deque

from rtl.keyed.dram.word_map import LINE_WORDS
from rtl.keyed.store.lines.outer_words import SLOTS

#: Number of previous items whose lines :class:`~rtl.keyed.store.lines.line_updates.LineUpdates`
#: holds.
KEPT_LINES = 32


class RecentLines:
    """Lines of the last 32 items, which dram-only changes without reading them again."""

    def __init__(self):
        self._names = deque(maxlen=KEPT_LINES)

    def update(self, ring, line, fresh):
        """Returns the line that must be read; -1 if it is ``fresh`` or was just changed."""
        name = (ring, line)
        known = fresh or name in self._names
        self._names.append(name)
        return -1 if known else line

    def skip(self):
        """Counts an item that neither changes a line nor needs one, but takes a place as well."""
        self._names.append(None)


class RecentWords:
    """Counts the words that must be read from an M2 outside of the chip.

    A tuple that closes a window needs the words of its line before its own word and, with 2 lines
    in M2, all four words of the previous line. A tuple that fills its line needs the first three
    words of the line. Each tuple takes one of 64 slots, the oldest. It finds earlier words of its
    key in the slot of the key's previous tuple if that slot is among the last 64; the memory reads
    only the other words.
    """

    def __init__(self, items, keeps):
        self._word, self._keeps = max(1, items // LINE_WORDS), keeps
        self._slots, self._now = {}, 0

    def read(self, ring, place, closes, lines):
        """Returns how many words are read with the tuple at ``place`` of its line."""
        word = place // self._word
        now, before = self._now, self._slots.get(ring)
        first = before[1] if before is not None and now - before[0] < SLOTS else None
        number = (lines, word)
        self._slots[ring] = (now, number if first is None else first)
        self._now += 1
        full = word == LINE_WORDS - 1 and (place + 1) % self._word == 0
        if not (closes or full):
            return 0
        wanted = word + (LINE_WORDS if self._keeps and closes and lines else 0)
        kept = 0 if first is None else (lines - first[0]) * LINE_WORDS + word - first[1]
        return max(0, wanted - kept)


class RecentWindows:
    """Models which keys have a place in :class:`~rtl.keyed.cache.cached_keys.CachedKeys`.

    A key gets a place when it closes a window, and replaces the key that has closed no window for
    the longest time. A window is a hit once all its values have come since the key got its place.

    Attributes
    ----------
    claims : bool
        True if the key of the last window had no place and got one.
    """

    def __init__(self, places):
        self._places, self._held = places, {}
        self.claims = False

    def hit(self, life, closes, size):
        """Returns whether a tuple closes a window that comes out of the cache."""
        if life in self._held:
            self._held[life] += 1
        if not closes:
            return False
        found = self._held.pop(life, 0)
        self.claims = self._places > 0 and not found
        self._held[life] = max(1, found)
        if len(self._held) > self._places:
            del self._held[next(iter(self._held))]
        return found >= size
