"""Shape of the data, as far as a rate depends on it, and the rate computed from the shape."""

import sys
from collections import deque
from dataclasses import dataclass
from itertools import repeat


@dataclass(frozen=True, kw_only=True)
class Shape:
    """Properties of the data for which a rate is predicted.

    By default every tuple counts, and windows of time get a tuple in each unit of time, in order.

    Attributes
    ----------
    counted_share : float
        Share of counted tuples among the tuples taken: the others fail WHERE or have a NaN. Above
        0, at most 1.
    tuples_per_time : float
        Tuples taken in each raw unit of the time column, evenly spaced, counted or not. Above 0.
    window_ends : tuple of (int, int), or None
        Measured data, which replace both numbers. Each pair stands for a time at which windows end,
        in order: the number of tuples taken since the previous pair's time, including the tuple
        that ends the windows, and the number of slides passed, at least 1 (exactly 1 with windows
        by rows).

    Raises ValueError for a number out of its range.
    """

    counted_share: float = 1.0
    tuples_per_time: float = 1.0
    window_ends: tuple[tuple[int, int], ...] | None = None

    def __post_init__(self):
        if not 0 < self.counted_share <= 1:
            raise ValueError(
                f"counted_share must be above 0 and at most 1, not {self.counted_share}"
            )
        if not self.tuples_per_time > 0:
            raise ValueError(f"tuples_per_time must be above 0, not {self.tuples_per_time}")
        if self.window_ends is not None and not self.window_ends:
            raise ValueError("window_ends must have at least one end of windows, not none")

    def by_rows(self, slide):
        """Returns (tuples, slides) for each end of a window, with a window after every ``slide``
        tuples."""
        return self.window_ends or ((slide / self.counted_share, 1),)

    def by_time(self, slide):
        """Returns (tuples, slides) for each end of windows, with a window after every ``slide`` of
        time.

        With slide 10 and a tuple in each unit of time the pair is (10, 1). With a tuple in every 20
        units it is (1, 2), as every tuple then ends two windows.
        """
        tuples = self.tuples_per_time * slide
        # In each slide; the product of small numbers may be too small for a float.
        ends = min(1.0, max(tuples * self.counted_share, sys.float_info.min))
        return self.window_ends or ((tuples / ends, 1 / ends),)


@dataclass(frozen=True, kw_only=True)
class Pace:
    """Rate at which an engine takes tuples, with a fast output or with rows that leave slowly.

    Two stages work at the same time: the first takes tuples, the second reads ended windows, in
    order. The first stage must wait when too many ended windows are unread.

    Attributes
    ----------
    tuple_cycles : float
        Cycles for each tuple.
    slide_cycles : int
        Cycles for each slide that passes, when windows end.
    shared_cycles : int
        Cycles that the slides share with the tuple that ends the windows.
    window_cycles : float
        Cycles for reading a window; 0 when no window is read.
    window_backlog : int
        Maximum number of ended, unread windows while one more window ends. In an engine that reads
        no windows: maximum number of ended windows whose rows wait for the output.
    held_cycles : float
        Part of the cycles for reading a window that begins only after the rows of the previous
        window, or ``held_share`` of them, have left.
    held_share : float
        Share of the rows of a window for which the next window waits; 0 if no window waits.
    """

    tuple_cycles: float = 1.0
    slide_cycles: int = 0
    shared_cycles: int = 0
    window_cycles: float = 0.0
    window_backlog: int = 0
    held_cycles: float = 0.0
    held_share: float = 0.0

    def rate(self, ends, row_cycles=None, first_row_cycles=0.0):
        """Returns tuples per cycle over ``ends``, the pairs that :class:`Shape` returns.

        ``row_cycles`` has the cycles that the rows of each slide take at the output, in order; None
        stands for an output that is never slow. The rows of a window begin to leave when the window
        has ended and the rows of the previous window have left. The rows of the window before
        ``ends`` take ``first_row_cycles`` cycles, and the rate is measured from their end.

        Without ``row_cycles`` a single pair is repeated for ever, so the result is the rate in the
        long run. With ``slide_cycles`` 3, ``shared_cycles`` 1 and the pair (3, 1): 3 tuples in 3 -
        1 + 3 = 5 cycles.
        """
        tuples = sum(count for count, _ in ends)
        slides = sum(slide_count for _, slide_count in ends)
        if row_cycles is not None:
            return tuples / self._cycles(ends, row_cycles, first_row_cycles)
        if len(ends) > 1 and self.window_cycles:
            return tuples / self._cycles(ends, repeat(0.0))
        taking_cycles = (
            tuples * self.tuple_cycles + slides * self.slide_cycles - len(ends) * self.shared_cycles
        )
        return tuples / max(taking_cycles, slides * self.window_cycles)

    def _cycles(self, ends, row_cycles, first_row_cycles=0.0):
        """Returns the cycles from the end of the first window's rows to the end of the last rows.

        Either stage, or the output, may be the slowest.
        """
        leaving = iter(row_cycles)
        taking_end = 0.0
        reading_end = first_row_cycles
        reading_ends = deque([0.0] * (self.window_backlog + 1), maxlen=self.window_backlog + 1)
        reading_ends.append(first_row_cycles)
        for count, slide_count in ends:
            taking_end += count * self.tuple_cycles - self.shared_cycles
            for _ in range(slide_count):
                taking_end = max(taking_end + self.slide_cycles, reading_ends[0])
                rows = next(leaving)
                held = self.held_cycles + rows * self.held_share
                reading = max(self.window_cycles, rows, held)
                reading_end = max(reading_end + reading, taking_end + rows)
                reading_ends.append(reading_end)
        return reading_end - first_row_cycles
