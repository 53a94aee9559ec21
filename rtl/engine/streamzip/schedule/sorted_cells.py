"""Models the cycles in which values of cached keys pass the lines of sorted values."""

from heapq import heappop, heappush


class SortedCells:
    """Counts the cycles of :class:`~rtl.keyed.cache.sorted_values.SortedValues` for each change.

    For instance with lines of 128 cells a key with 1,024 values takes 8 cycles for each value.

    Methods take the key's ``life`` in the table; ``claims`` is true if the key gets its place now.

    Parameters
    ----------
    lanes, lines : int
        Cells of a line, and lines of a place. A key that gets a place passes all lines.
    """

    def __init__(self, lanes, lines):
        self._lanes = lanes
        self._lines = lines
        self._cells = {}

    def enter(self, life, size, claims):
        """Returns the cycles of a value of a key with a place, for windows of ``size`` rows."""
        count = 0 if claims else self._cells.get(life, 0)
        self._cells[life] = min(count + 1, size)
        return self._lines if claims else self._passed(min(count + 1, size))

    def change(self, life, *, claims=False, closes=None, hit=False, slide=None):
        """Returns the cycles of a window of time, and of a value, of a key with a place.

        ``closes`` is the number of the window, and ``slide`` the slide of the value; each may be
        None. When a window closes, the values of its first slide expire; each change removes one
        expired value. If several values are expired when a window is a ``hit``, the lines are
        passed once more for each further one.
        """
        if claims or life not in self._cells:
            self._cells[life] = [], 0
        slides, expired = self._cells[life]
        cycles = 0
        while hit and expired > 1:
            cycles = cycles + self._passed(len(slides) + expired + 1)
            expired = expired - 1
        cycles += self._lines if claims else self._passed(len(slides) + expired + 1)
        expired -= expired > 0
        while closes is not None and slides and slides[0] <= closes:
            heappop(slides)
            expired += 1
        if slide is not None:
            heappush(slides, slide)
        self._cells[life] = slides, expired
        return cycles

    def _passed(self, cells):
        return min(self._lines, max(1, -(-cells // self._lanes)))
