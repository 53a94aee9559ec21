"""Says where a stream can be cut, so that two engines give the rows of one.

A stream is cut at a place in the order of arrival. The engine behind the cut begins with the first
window that is open at the cut, and first gets again, in their order, the tuples before the cut that
this window and later windows need. The first engine's rows of windows that are open at the cut are
dropped. For example, ``ROWS 4 SLIDE 2``, cut after 7 tuples:

    windows 0 (tuples 0 to 3) and 1 (2 to 5) are complete at the cut; window 2 (4 to 7) is open
    the second engine gets tuples 4, 5, 6 again, then 7, 8, ...; its window 0 is window 2

With windows of time the second engine's start is the begin of the first window that is open. The
newest tuple before the cut is never older than this window, because a punctuation closes a window
only at its end. So the newest tuple is sent again, and both engines make the same punctuations from
the cut on: the same tuples are late.
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
        Number of the first window that is open: all windows before have a row before the cut, or,
        from `TimeWindows.near`, no tuple.
    threshold : int
        Least number of a tuple, or least time, that the open windows cover.
    """

    window: int
    threshold: int


@dataclass(frozen=True)
class RowWindows:
    """Holds the numbers of ``[ROWS size SLIDE slide]``."""

    size: int
    slide: int

    def cut(self, count: int) -> Cut:
        """Returns the cut after ``count`` tuples."""
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
        """Returns the cut after tuples with this greatest time; None for no tuples."""
        passed = 0 if greatest is None else self.punctuation(greatest) - self.start
        window = max(0, (passed - self.size) // self.slide + 1)
        return Cut(window, self.start + window * self.slide)

    def near(self, oldest: int) -> Cut:
        """Returns a window before the oldest tuple, at which an engine may begin windows of keys.

        No window before the result has a tuple. Only tuples before the start lie before the begin
        of the result, so the same tuples are late. An engine counts 2^32 slides from its start, and
        a stream may have more. For instance with start 0, RANGE 30, SLIDE 10 and an oldest time of
        1,000, the result is window 96, which begins at 960.
        """
        window = (oldest - self.start) // self.slide - self.size // self.slide - 1
        last = min(_LAST_WINDOW, (_LAST_START - self.start) // self.slide)
        window = max(0, min(window, last))
        return Cut(window, self.start + window * self.slide)

    def punctuation(self, greatest: int) -> int:
        """Returns the last punctuation after tuples with this greatest time."""
        slides = (greatest - self.slack - self.start) // self.slide
        return self.start + max(0, slides) * self.slide


#: Windows of a whole stream.
StreamWindows = RowWindows | TimeWindows
