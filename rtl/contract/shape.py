"""How the data lie, as far as a rate depends on it; and the rate that comes of it."""

from collections import deque
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Shape:
    """How the data lie that a rate is predicted for.

    Not given, every tuple counts, and windows of time get a tuple in each unit of time, in order.

    Attributes
    ----------
    kept : float
        Share of the tuples taken that count, for WHERE lets them pass and they have no NaN. Above
        0, at most 1.
    tuples_per_time : float
        Tuples taken in each raw unit of the time column, evenly spaced, those that do not count
        among them. Above 0.
    seen : tuple of (int, int), or None
        In place of both: what data really did. For each time that windows end, in order, the
        tuples taken since the time before, the one that ends them among them, and the slides
        that have gone by since then, at least 1 (exactly 1 with windows by rows).

    Raises ValueError for a number that is out of its range.
    """

    kept: float = 1.0
    tuples_per_time: float = 1.0
    seen: tuple[tuple[int, int], ...] | None = None

    def __post_init__(self):
        if not 0 < self.kept <= 1:
            raise ValueError(f"kept must be above 0 and at most 1, not {self.kept}")
        if not self.tuples_per_time > 0:
            raise ValueError(f"tuples_per_time must be above 0, not {self.tuples_per_time}")
        if self.seen is not None and not self.seen:
            raise ValueError("seen must have at least one end of windows, not none")

    def by_rows(self, slide):
        """(tuples, slides) for each end of a window, with a window after every ``slide`` tuples."""
        return self.seen or ((slide / self.kept, 1),)

    def by_time(self, slide):
        """(tuples, slides) for each end of windows, with a window after every ``slide`` of time.

        With slide 10 and a tuple in each unit of time that is (10, 1); with one in 20 units it is
        (1, 2), as every tuple then ends two windows.
        """
        taken = self.tuples_per_time * slide
        ends = min(1.0, taken * self.kept)  # in each slide
        return self.seen or ((taken / ends, 1 / ends),)


@dataclass(frozen=True, kw_only=True)
class Pace:
    """How fast an engine takes tuples, while its output does not wait.

    Two stages work at the same time: one takes tuples, the other reads the windows that have ended,
    one after the other, and may fall behind by so many windows before the first one must wait.

    Attributes
    ----------
    taking : float
        Cycles for each tuple.
    closing : int
        Cycles for each slide that goes by, when windows end.
    shared : int
        Of these and the cycles of the tuple that ends them so many are the same.
    reading : float
        Cycles for which each window is read; 0 when none is.
    ahead : int
        Windows that may have ended and not been read while one more ends.
    """

    taking: float = 1.0
    closing: int = 0
    shared: int = 0
    reading: float = 0.0
    ahead: int = 0

    def rate(self, ends):
        """Tuples per cycle over ``ends``, as :class:`Shape` gives them.

        A single one is what happens again and again, so that is the rate in the long run.

        With ``closing`` 3 and ``shared`` 1, and (3, 1): 3 tuples in 3 - 1 + 3 = 5 cycles.
        """
        tuples = sum(count for count, _ in ends)
        slides = sum(gone for _, gone in ends)
        if len(ends) > 1 and self.reading:
            return tuples / self._cycles(ends)
        taken = tuples * self.taking + slides * self.closing - len(ends) * self.shared
        return tuples / max(taken, slides * self.reading)

    def _cycles(self, ends):
        """Cycles until the last window has been read, where neither stage need be the slower."""
        taken = read = 0.0
        before = deque([0.0] * (self.ahead + 1), maxlen=self.ahead + 1)
        for count, gone in ends:
            taken += count * self.taking - self.shared
            for _ in range(gone):
                taken = max(taken + self.closing, before[0])
                read = max(read + self.reading, taken)
                before.append(read)
        return read
