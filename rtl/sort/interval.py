"""Predicts the interval between windows of the merge sorter."""

from rtl.network.plan import log2
from rtl.sort.store import ChunkStore
from rtl.sort.switch import TURN_LATENCY
from rtl.sort.ways import WayMerger
from rtl.sort.window_slots import WindowSlots


def interval_of(beats, *, chunk_rows, places, tree, shared):
    """Returns the mean interval between windows while windows wait at the input, in cycles.

    A window of one chunk takes one pass: a cycle per beat. A larger window takes two passes and
    more, depending on the number of windows that the store holds:

    - *several windows*: the first pass of a window runs while the mergers output the previous
      window. Between two windows the mergers fill their slots, one entry per cycle, and small
      windows show the cost. For example, with one tree and W = 8, 3 chunks of 4 rows have 12 beats;
      the slots take 10 requests, and the way through the mergers is log2 8 + 4 = 7 cycles. So the
      interval is 12 + 10 + 7 = 29 cycles, although the passes take only 24.
    - *one window*: a window is written after the previous one has been read, so all steps of a
      window are serial: a pass, the way through tree, store and mergers, the next pass.

    With two trees and two stores, which take windows in turn, the interval is half as long, but at
    least one pass. In addition, a store of one window is free as soon as the last row has been
    fetched, while half of the mergers' slots still hold entries.

    For up to 8 chunks the prediction is within 3 % or 2 cycles of the measured interval, whichever
    is more, and within 3 cycles if the last chunk has few rows. Windows of more chunks of 4 beats
    take longer: 12 chunks take 126 cycles, not 120, with one tree of 4 leaves.

    Parameters
    ----------
    beats : int
        Beats of a window.
    chunk_rows : int
        K, beats of a chunk.
    places : int
        W, chunks of the largest window.
    tree : int
        Latency of the merge tree.
    shared : bool
        One tree for both passes.

    Source: ours.
    """
    lists = -(-beats // chunk_rows)
    if lists == 1:
        return beats
    filling = WayMerger.filling_of(lists)
    stores = 1 if shared else 2
    passes = beats * (2 if shared else 1)
    if WindowSlots.windows_of(lists, places) > 1:
        return max(passes, (beats + sum(filling) + log2(places) + 4) / stores)
    path = ChunkStore.latency_of(lists, capacity=chunk_rows, window_max=places * chunk_rows)
    remaining = _remaining_filling(filling, beats, chunk_rows)
    serial = 2 * beats + path + remaining + 2 + TURN_LATENCY + tree
    overlap = 0 if shared else sum(filling) / 2
    return max(passes, (serial - overlap) / stores)


def _remaining_filling(filling, beats, chunk_rows):
    """Returns for how many cycles the filling goes on after the last chunk has arrived.

    ``filling`` holds the cycles of filling per chunk. With chunks of 4 rows, the last of 1 row, and
    filling of 2, 4, 4 cycles: the second chunk arrives after 8 cycles and fills until 12; the last
    chunk arrives after 9, so 3 cycles remain.
    """
    filled_at = 0
    for k, cycles in enumerate(filling[:-1], 1):
        filled_at = max(filled_at, k * chunk_rows) + cycles
    return max(0, filled_at - beats)
