"""Computes the bounds of windows in a stream, as positions of tuples.

The begins and ends of all windows cut the stream into *fragments*. Window j consists of ``width``
fragments, the first of which has the index j * ``step``. A slide is one fragment if the slide
divides the size. Otherwise a slide has two fragments, since an older window ends within it. For
instance, with size 5 and slide 3::

    positions of tuples   0 1 | 2 | 3 4 | 5 | 6 7 | 8 ...
    fragments              0    1    2    3    4
    window 0              -------------                     fragments 0 to 2
    window 1                      -------------             fragments 2 to 4

So ``step`` is 2 and ``width`` is 3.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numba import njit

_TOP = 1 << 63  # the first number beyond int64


@dataclass(frozen=True)
class Windows:
    """Describes where the windows of one stream begin and end, in fragments.

    Attributes
    ----------
    size, slide : int
        In tuples, or in units of time.
    number : int
        Number of windows.
    edges : np.ndarray or None
        Time windows: first tuple of each fragment, and the end of the last fragment, in order. Two
        edges are equal if the fragment between them is empty. None for windows of a number of
        tuples, whose bounds need no memory.
    late : int
        Number of tuples before the first window, which are in no window.
    end_times : np.ndarray or None
        Time windows: end of each window, in units of time.
    """

    size: int
    slide: int
    number: int
    edges: np.ndarray | None = None
    late: int = 0
    end_times: np.ndarray | None = None

    @property
    def remainder(self) -> int:
        """Size of the first of two fragments of a slide; 0 if a slide is one fragment."""
        return self.size % self.slide

    @property
    def step(self) -> int:
        """Number of fragments in a slide."""
        return 2 if self.remainder else 1

    @property
    def width(self) -> int:
        """Number of fragments in a window."""
        return self.size // self.slide * self.step + (self.step - 1)

    @property
    def fragments(self) -> int:
        """Number of fragments that the windows read. There must be at least one window.

        For windows of a number of tuples these are the fragments up to the end of the last window.
        For time windows they are the fragments up to the end of the first slide of the last window:
        the last tuple is in this slide, and the window ends later. For instance 4 time windows of
        size 5 and slide 3 have 8 fragments.
        """
        return (self.number - 1) * self.step + (self.step if self.timed else self.width)

    @property
    def timed(self) -> bool:
        """True for time windows."""
        return self.edges is not None

    @cached_property
    def begins(self) -> np.ndarray | None:
        """First tuple of each time window."""
        if self.edges is None:
            return None
        return np.ascontiguousarray(self.edges[: -1 : self.step])

    @cached_property
    def ends(self) -> np.ndarray | None:
        """Position after the last tuple of each time window."""
        if self.edges is None:
            return None
        ends = np.full(self.number, self.edges[-1])
        complete = self.edges[self.width :: self.step]
        ends[: len(complete)] = complete
        return ends

    @cached_property
    def counts(self) -> np.ndarray:
        """Number of tuples in each window, int64."""
        if self.ends is None or self.begins is None:
            return np.full(self.number, self.capacity, np.int64)
        return self.ends - self.begins

    @property
    def capacity(self) -> int:
        """Number of tuples in the fullest window."""
        if self.timed:
            return int(self.counts.max(initial=0))
        return self.size if self.number else 0


def rows(tuples: int, size: int, slide: int) -> Windows:
    """Returns the filled windows of ``[ROWS size SLIDE slide]`` over ``tuples`` tuples."""
    return Windows(size, slide, max(0, (tuples - size) // slide + 1))


def range_(times: np.ndarray, size: int, slide: int, start: int | None) -> Windows:
    """Returns the windows of ``[RANGE size SLIDE slide WATTR t]`` up to the last time.

    The last window is the last one that starts at or before the last time. For instance with the
    times 4 and 11, size 5 and slide 3, windows start at 3, 6 and 9, and end at 8, 11 and 14.

    Parameters
    ----------
    times : np.ndarray
        int64, in order; times may repeat. The caller checks the order with `descent`.
    size, slide : int
    start : int or None
        Start of window 0. None selects the first time, rounded down to a multiple of the slide.

    Raises
    ------
    ValueError
        When a time or a window's end needs more than 63 bits, also counted from the start.
    """
    first, last = (int(times[0]), int(times[-1])) if len(times) else (0, 0)
    start = first // slide * slide if start is None else start
    if not len(times) or last < start:
        return Windows(size, slide, 0, np.zeros(1, np.int64), len(times), np.zeros(0, np.int64))
    if start < -_TOP or last - min(start, 0) + size >= _TOP:
        raise ValueError(
            f"times and the windows' ends must keep within 63 bits, also when counted from the "
            f"start {start}, not {first} to {last} with size {size}"
        )
    number = (last - start) // slide + 1
    late = int(np.searchsorted(times, start))
    windows = Windows(size, slide, number)
    edges = np.empty(number * windows.step + 1, np.int64)
    _cut(times, start, slide, windows.remainder, windows.step - 1, late, edges)
    return Windows(size, slide, number, edges, late, start + size + slide * np.arange(number))


def descent(times: np.ndarray) -> int | None:
    """Returns the first position whose time is less than the time before; None if none is."""
    if not _descends(times):
        return None
    return int(np.argmax(times[1:] < times[:-1])) + 1


@njit
def span(j: int, size: int, slide: int, begins: np.ndarray | None, ends: Any) -> tuple[int, int]:
    """Returns the first tuple of window j and the position after its last tuple.

    If ``begins`` is None, both follow from size and slide.
    """
    if begins is None:
        begin = j * slide
        return begin, begin + size
    return begins[j], ends[j]


@njit
def edge(k: int, slide: int, remainder: int, is_split: int, edges: np.ndarray | None) -> int:
    """Returns the first tuple of fragment k.

    ``is_split`` is 1 if the end of an older window splits each slide into two fragments, else 0. So
    ``k >> is_split`` is the slide of fragment k, and ``k & is_split`` is the fragment's place in
    the slide.
    """
    if edges is None:
        return (k >> is_split) * slide + (k & is_split) * remainder
    return edges[k]


@njit
def _descends(times):
    """Returns True if a time is less than the time before."""
    descends = False
    for i in range(1, times.size):
        descends |= times[i] < times[i - 1]  # no early exit, so that the loop vectorises
    return descends


@njit
def _cut(times, start, slide, remainder, is_split, first, edges):
    """Sets edge k to the first tuple whose time is at least the start plus the k-th offset.

    The search begins at the edge before, with ``first`` for edge 0. It looks 1, 2, 4, ... tuples
    ahead, and then halves the last stride. So long fragments are not read tuple by tuple. An empty
    fragment costs one comparison of times, a fragment of one tuple three.
    """
    low = first
    for k in range(edges.size):
        bound = (k >> is_split) * slide + (k & is_split) * remainder
        stride = 1
        while low + stride <= times.size and times[low + stride - 1] - start < bound:
            low += stride
            stride *= 2
        while stride > 1:
            stride //= 2
            if low + stride <= times.size and times[low + stride - 1] - start < bound:
                low += stride
        edges[k] = low
