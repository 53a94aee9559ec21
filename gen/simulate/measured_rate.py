"""Measures how many tuples per cycle a simulated design takes in the long run.

The costs of the beginning and of the end of a stream do not count.
"""

from fractions import Fraction

import numpy as np

from gen.simulate.steady_part import Stretch
from sim.beats import Beats


def rate_of_windows(
    beats: Beats, beat_cycles: np.ndarray, streams: int, windows: np.ndarray, stretch: Stretch
) -> float | None:
    """Returns the tuples per cycle from the end of one window to the end of another, or None.

    The rate is measured from the beat with the last row of the stretch's first window to the beat
    with the last row of its last window, and averaged over all streams. For instance if two streams
    have a stretch of 1,000 tuples, and need 510 and 490 cycles for it, the rate is 2.

    Windows may share beats. Then the rate is measured from the last window that ends in the first
    beat. If packets are not windows, each beat waits for the next one, because it may be the last
    beat of its packet. So the beat in which the stretch ends does not count: the next one need not
    be a slide later, for instance at the end of the stream.
    For instance rows of 16 bytes, one for each window of 10 tuples, leave in beats of 64 bytes,
    4 rows together: windows 0 to 9 end in beats 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, and the rate is
    measured over the 40 tuples from window 3 to window 7.

    None if rows of the first or the last window are missing, and if both end in one beat.

    Parameters
    ----------
    beats : Beats
        The output, of all streams.
    beat_cycles : np.ndarray
        Cycle of each beat.
    streams : int
        Number of streams, which have the same windows.
    windows : np.ndarray
        Window of each row of one stream, ascending.
    stretch : Stretch
    """
    numbers = np.unique(windows[(windows >= stretch.first) & (windows <= stretch.last)])
    if not np.isin([stretch.first, stretch.last], numbers).all():
        return None
    sent = np.cumsum(np.sum(beats.keep, axis=1))  # bytes up to the end of each beat
    row_bytes, remainder = divmod(int(sent[-1]), streams * len(windows))
    if remainder:
        return None
    row_ends = np.searchsorted(windows, numbers, side="right")
    places = _places_of(stretch, numbers)
    tuples = cycles = 0
    for stream in range(streams):
        first_row = stream * len(windows)
        ends = np.searchsorted(sent, (first_row + row_ends) * row_bytes)  # a beat for each window
        are_packets = beats.last[ends[:-1]].all()
        end = len(ends) - 1 if are_packets else np.searchsorted(ends, ends[-1]) - 1
        begin = np.searchsorted(ends, ends[0], side="right") - 1
        if end <= begin:
            return None
        tuples += int(places[end] - places[begin])
        cycles += int(beat_cycles[ends[end]] - beat_cycles[ends[begin]])
    return tuples / cycles


def _places_of(stretch, windows):
    """Returns the number of tuples from the end of the stretch to the end of each window."""
    counts, closed = np.array(stretch.shape.window_ends, np.int64).T
    places = np.concatenate(([0], np.cumsum(counts)))
    closed = np.concatenate(([0], np.cumsum(closed)))
    return places[np.searchsorted(closed, windows - stretch.first)]


def rate_of_input(
    beat_cycles: np.ndarray | None,
    streams: int,
    tuples: int,
    lanes: int | Fraction,
    clearing: int,
) -> float | None:
    """Returns the tuples per cycle from each stream's first beat at the input to its last, or None.

    Beats before the table is clear do not count: a few fit into the registers before the table,
    and the next beat waits until the table is clear. For instance, if the clearing took 4,096
    cycles and counted, 6,000 tuples at one per cycle would seem to pass at 0.6 per cycle.

    None if not every beat was accepted, or fewer than two came after the table was clear.

    Parameters
    ----------
    beat_cycles : np.ndarray or None
        Cycle of each beat of the input, of all streams.
    streams, tuples : int
        Number of streams, and number of tuples of each stream.
    lanes : int or Fraction
        Number of tuples in a beat.
    clearing : int
        Cycles after the reset in which the design clears its table.
    """
    beats = -(-tuples // lanes)
    if beat_cycles is None or beats < 2 or len(beat_cycles) != streams * beats:
        return None
    beat_cycles = beat_cycles.reshape(streams, beats)
    first_beats = np.sum(beat_cycles < clearing, axis=1)
    is_measured = first_beats < beats - 1
    if not is_measured.any():
        return None
    passed = int(np.sum(beats - 1 - first_beats[is_measured]))
    firsts = beat_cycles[is_measured, first_beats[is_measured]]
    return float(lanes * passed / int(np.sum(beat_cycles[is_measured, -1] - firsts)))
