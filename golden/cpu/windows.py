"""Where windows begin and end in a stream, as positions of tuples.

A window's bounds are those of other windows too: cut the stream at all of them, and window j is the
fragments j*step to j*step + width. There is one fragment for each slide when the slide divides
the size; else two, for a window then ends inside the slide in which another one begins.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numba import njit

_TOP = 1 << 63


@dataclass(frozen=True)
class Windows:
    """The windows of one stream.

    Attributes
    ----------
    size, slide : int
        In tuples, or in units of time.
    number : int
        How many windows there are.
    edges : np.ndarray or None
        Time windows: where each fragment begins, and where the last one ends, ascending. None
        for windows of a number of tuples, whose bounds need no memory.
    late : int
        Tuples before the first window, which are in none.
    end : np.ndarray or None
        Time windows: the end of each, in units of time.
    """

    size: int
    slide: int
    number: int
    edges: np.ndarray | None = None
    late: int = 0
    end: np.ndarray | None = None

    @property
    def rest(self) -> int:
        """Size of the first of the two fragments of a slide; 0 when there is but one."""
        return self.size % self.slide

    @property
    def step(self) -> int:
        """Fragments in a slide."""
        return 2 if self.rest else 1

    @property
    def width(self) -> int:
        """Fragments in a window."""
        return self.size // self.slide * self.step + (self.step - 1)

    @property
    def fragments(self) -> int:
        """Fragments that may hold a tuple; windows at the end of a stream of times reach on."""
        return (self.number - 1) * self.step + (self.step if self.timed else self.width)

    @property
    def timed(self) -> bool:
        return self.edges is not None

    @cached_property
    def begins(self) -> np.ndarray | None:
        """The first tuple of each time window."""
        return np.ascontiguousarray(self.edges[: -1 : self.step]) if self.timed else None

    @cached_property
    def ends(self) -> np.ndarray | None:
        """The tuple after the last one of each time window."""
        if not self.timed:
            return None
        ends = np.full(self.number, self.edges[-1])
        inside = self.edges[self.width :: self.step]
        ends[: len(inside)] = inside
        return ends

    @cached_property
    def counts(self) -> np.ndarray:
        """How many tuples are in each window, int64."""
        return self.ends - self.begins if self.timed else np.full(self.number, self.size, np.int64)

    @property
    def capacity(self) -> int:
        """Tuples in the fullest window."""
        if self.timed:
            return int(self.counts.max(initial=0))
        return self.size if self.number else 0


def rows(tuples: int, size: int, slide: int) -> Windows:
    """``[ROWS size SLIDE slide]`` over ``tuples`` tuples: only windows that are filled."""
    return Windows(size, slide, max(0, (tuples - size) // slide + 1))


def range_(times: np.ndarray, size: int, slide: int, start: int | None) -> Windows:
    """``[RANGE size SLIDE slide WATTR t]``: every window that has begun by the last time.

    Parameters
    ----------
    times : np.ndarray
        int64, ascending; `descent` finds where they are not.
    size, slide : int
    start : int or None
        Where window 0 begins. None takes the first time, rounded down to a multiple of the slide.

    Raises
    ------
    ValueError
        When the times, seen from the start, need more than 63 bits.
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
    _cut(times, start, slide, windows.rest, windows.step - 1, late, edges)
    return Windows(size, slide, number, edges, late, start + size + slide * np.arange(number))


def descent(times: np.ndarray) -> int | None:
    """The first position whose time is less than the one before; None if they ascend."""
    if not _descends(times):
        return None
    return int(np.argmax(times[1:] < times[:-1])) + 1


@njit
def span(j, size, slide, begins, ends):
    """First tuple of window j and the one after its last; where ``begins`` is None, by sum."""
    if begins is None:
        begin = j * slide
        return begin, begin + size
    return begins[j], ends[j]


@njit
def edge(k, slide, rest, odd, edges):
    """Where fragment k begins; ``odd`` is 1 when there are two of them in a slide, else 0."""
    if edges is None:
        return (k >> odd) * slide + (k & odd) * rest
    return edges[k]


@njit
def _descends(times):
    found = False
    for i in range(1, times.size):
        found |= times[i] < times[i - 1]  # without a way out, so that it runs in vectors
    return found


@njit
def _cut(times, start, slide, rest, odd, first, edges):
    """Edge k is the first tuple of at least start + the k-th offset.

    From each edge it looks 1, 2, 4, ... tuples ahead and then halves the last stride, so that
    long fragments are not walked and short ones cost a compare or two.
    """
    low = first
    for k in range(edges.size):
        bound = (k >> odd) * slide + (k & odd) * rest
        stride = 1
        while low + stride <= times.size and times[low + stride - 1] - start < bound:
            low += stride
            stride *= 2
        while stride > 1:
            stride //= 2
            if low + stride <= times.size and times[low + stride - 1] - start < bound:
                low += stride
        edges[k] = low
