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
        """Returns ``line`` if it must be read; -1 if it is ``fresh`` or still on the chip."""
        name = (entry, line)
        is_recent = fresh or name in self._names
        self._names.append(name)
        return -1 if is_recent else line

    def skip(self):
        """Records an item without a line, so that the oldest of the 32 items is forgotten."""
        self._names.append(None)


class RecentWords:
    """Counts the words that must be read from an M2 outside of the chip.

    A step that closes a window needs the earlier words of the line that is being filled and, with 2
    lines in M2, all four words of the previous line if the window reaches this line and is not in
    the cache. A tuple that fills its line needs the first three words of the line. As in
    :class:`~rtl.keyed.store.lines.outer_words.OuterWords` a word that is full takes the oldest of
    64 slots on the chip, with copies of the earlier words from the slot of the key's previous word,
    if that slot still exists. With one line in M2 the last word of a line takes no slot, because it
    leaves with the line. Words with a copy are not read, except if words of both lines are missing:
    then one burst reads all words of the first place, and of the second all words or those before
    the first copy.

    For instance a key's values fill words 0 and 1 of a line, and 100 words of other keys follow: if
    a value in word 2 then closes a window, words 0 and 1 are read.

    Parameters
    ----------
    items : int
        Number of items of a line.
    second_line : bool
        M2 has two lines of a key.
    """

    def __init__(self, items, second_line):
        self._word_items = max(1, items // LINE_WORDS)
        self._second_line = second_line
        self._slots = {}  # slots of the entries
        self._count = 0  # number of words with a slot

    def read(self, entry, place, line, *, closes, reaches_back=False, stores=True):
        """Records the word of a step's tuple, if it is full; returns how many words are read.

        Parameters
        ----------
        entry : int
        place, line : int
            The tuple is, or will be, at ``place`` of line number ``line`` of its key.
        closes : bool
            The step closes a window.
        reaches_back : bool
            The window is not in the cache, and has values before the line.
        stores : bool
            The step stores the tuple. Of the steps of a tuple that closes windows of time only the
            last one does.
        """
        word, item = divmod(place, self._word_items)
        words_from, previous_from = self._copied(entry, word)
        fills_word = stores and item == self._word_items - 1
        is_last = word == LINE_WORDS - 1
        if fills_word and (self._second_line or not is_last):
            self._slots[entry] = self._count, words_from, previous_from
            self._count += 1
        missing = words_from if closes or (fills_word and is_last) else 0
        missing_before = previous_from if self._second_line and reaches_back else 0
        if missing and missing_before:  # one burst reads both lines
            return LINE_WORDS + (words_from if line % 2 else LINE_WORDS)
        return missing or missing_before

    def _copied(self, entry, word):
        """Returns two word numbers, from which on the slots have copies of words.

        The first number is for a key's line, the second for the previous line. Without copies they
        are ``word``, the number of the word that grows, and 4.
        """
        slot, words_from, previous_from = self._slots.get(entry, (None, 0, 0))
        if slot is None or self._count - slot > SLOTS:
            return word, LINE_WORDS
        return (words_from, previous_from) if word else (0, words_from)


class RecentWindows:
    """Models which keys have a place in :class:`~rtl.keyed.cache.cached_keys.CachedKeys`.

    A key gets a place when it closes a window, and replaces the key whose last window is the
    oldest. A window is a hit if all its values have arrived since its key got the place: with
    windows of 20 values, a key that gets a place with value 30 has its first hit with value 49.

    A key is known by its *life*, its time in the table, so a key that returns after an eviction has
    no place (:class:`~rtl.engine.streamzip.schedule.key_stream.Life`).

    Attributes
    ----------
    claims : bool
        True if the key of the last window had no place and got one.
    """

    def __init__(self, places):
        self._places = places
        self._values = {}  # values by life, in the order of last windows
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
