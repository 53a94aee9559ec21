"""Says where a stream can be cut, so that two engines give the rows of one.

A stream is cut at a place in the order of arrival. The engine behind the cut begins with the first
window that is open at the cut, and first gets again, in their order, the tuples before the cut that
this window and later windows need. The first engine's rows of windows that are open at the cut are
dropped. For example, ``ROWS 4 SLIDE 2``, cut after 7 tuples:

    windows 0 (tuples 0 to 3) and 1 (2 to 5) are complete at the cut; window 2 (4 to 7) is open
    the second engine gets tuples 4, 5, 6 again, then 7, 8, ...; its window 0 is window 2

With windows of time the second engine's start is the begin of the first window that is open. The
greatest time before the cut is at or after this begin, because a punctuation closes a window only
at its end. So the tuple with this time is sent again, and both engines make the same punctuations
from the cut on: the same tuples are late. If all times before the cut lie before the start of the
stream, no tuple is sent again, and the first engine has made no later punctuation than this start.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

_LAST_START = (1 << 63) - 1  # greatest start that an engine has a setting for
_LAST_WINDOW = 1 << 62  # greatest number that may be added to the number of a window


@dataclass(frozen=True)
class Cut:
    """Describes a cut.

    Attributes
    ----------
    window : int
        Number of the first window that is open: the windows before it are complete at the cut, or,
        from `TimeWindows.near`, have no tuple.
    threshold : int
        Begin of this window: the least number of a tuple, counted from 0, or the least time that
        open windows cover.
    """

    window: int
    threshold: int


@dataclass(frozen=True)
class RowWindows:
    """Holds the numbers of ``[ROWS size SLIDE slide]``; the slide is at most the size."""

    size: int
    slide: int

    def cut(self, count: int) -> Cut:
        """Returns the cut after ``count`` tuples: tuples 0 to ``count`` - 1 are before it."""
        window = max(0, (count - self.size) // self.slide + 1)
        return Cut(window, window * self.slide)


@dataclass(frozen=True)
class TimeWindows:
    """Holds the numbers of ``[RANGE size SLIDE slide WATTR time SLACK slack]``, in raw units.

    ``time`` is the name of the time column, and ``start`` the begin of window 0.
    """

    size: int
    slide: int
    slack: int
    time: str
    start: int

    def starting(self, start: int) -> TimeWindows:
        """Returns the same windows with another start."""
        return replace(self, start=start)

    def cut(self, greatest: int | None) -> Cut:
        """Returns the cut after tuples with this greatest time; None stands for no tuples.

        With RANGE 20, SLIDE 10, SLACK 5, start 0 and a greatest time of 47, the last punctuation is
        40, which closes windows 0 to 2. So window 3 is the first that is open, from 30.
        """
        passed = 0 if greatest is None else self.punctuation(greatest) - self.start
        window = max(0, (passed - self.size) // self.slide + 1)
        return Cut(window, self.start + window * self.slide)

    def near(self, oldest: int) -> Cut:
        """Returns a cut shortly before the oldest tuple, where an engine of keys may begin.

        An engine counts only 2^32 slides from its start, and the oldest tuple may lie further from
        the start of the stream. No window before the cut has a tuple. Only tuples before the start
        of the stream lie before the cut, so the same tuples are late. For instance with start 0,
        RANGE 30, SLIDE 10 and an oldest time of 1,000, the cut is at window 96, which begins at
        960. Its window is at most `_LAST_WINDOW`, and its threshold at most `_LAST_START`, unless
        the start of the stream is above that.
        """
        window = (oldest - self.start) // self.slide - self.size // self.slide - 1
        last = min(_LAST_WINDOW, (_LAST_START - self.start) // self.slide)
        window = max(0, min(window, last))
        return Cut(window, self.start + window * self.slide)

    def punctuation(self, greatest: int) -> int:
        """Returns the last punctuation after tuples with this greatest time.

        No punctuation is before the start of the stream. With start 0, SLIDE 10 and SLACK 5, the
        time 47 makes the punctuation 40, the time 15 makes 10, and any time below 15 makes 0.
        """
        slides = (greatest - self.slack - self.start) // self.slide
        return self.start + max(0, slides) * self.slide


#: Windows of a whole stream.
StreamWindows = RowWindows | TimeWindows
