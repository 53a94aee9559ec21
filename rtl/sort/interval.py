"""How often the merge sorter can give a window, when windows take it two passes."""

from rtl.network.plan import log2
from rtl.sort.store import ChunkStore
from rtl.sort.switch import TURN
from rtl.sort.ways import WayMerger
from rtl.sort.window_slots import WindowSlots


def interval_of(beats, *, chunk_rows, places, tree, shared):
    """Cycles from one window to the next, in the long run, with windows waiting at the input.

    A window of one chunk takes one pass: a cycle for each beat. A larger one takes two, and more
    than these, depending on how many windows the store holds:

    - *several*: the first pass of a window runs while the mergers give the one before. But between
      two windows the mergers fill their slots, an entry in a cycle, and that is seen when windows
      are small. For example, 3 chunks of 4 rows with W = 8 make 12 beats; the slots are asked 10
      times, and the way through the mergers is log2 8 + 4 = 7 cycles. So a window comes every
      12 + 10 + 7 = 29 cycles, although the passes themselves need only 24.
    - *one*: a window is written when the one before has been read, so all that it goes through
      follows one after the other: a pass, the way through tree, store and mergers, the next pass.

    With two trees and two stores, which take windows in turn, it is half as much, and no less than
    one pass. Besides, a store of one window is free as soon as the last row has been fetched, when
    half of the mergers' slots still hold some.

    Within 3 % or 2 cycles of what is seen, whichever is more; 3 cycles when the last chunk has but
    a few rows.

    Parameters
    ----------
    beats : int
        Of a window.
    chunk_rows : int
        K, beats of a chunk.
    places : int
        W, chunks of the greatest window.
    tree : int
        Latency of the merge tree.
    shared : bool
        One tree for both passes.

    Source: ours.
    """
    lists = -(-beats // chunk_rows)
    if lists == 1:
        return beats
    asked = WayMerger.filling_of(lists)
    stores = 1 if shared else 2
    least = beats * (2 if shared else 1)
    if WindowSlots.windows_of(lists, places) > 1:
        return max(least, (beats + sum(asked) + log2(places) + 4) / stores)
    way = ChunkStore.latency_of(lists, capacity=chunk_rows, window_max=places * chunk_rows)
    late = _late(asked, beats, chunk_rows)
    serial = 2 * beats + way + late + 2 + TURN + tree
    early = 0 if shared else sum(asked) / 2
    return max(least, (serial - early) / stores)


def _late(asked, beats, chunk_rows):
    """Cycles by which the mergers have not yet filled from the other chunks when the last comes.

    ``asked`` has the cycles that each chunk costs. With chunks of 4 rows, the last of 1, and 2, 4,
    2: the second comes after 8 cycles, is filled from until 12, and the last one comes after 9.
    """
    free = 0
    for k, cycles in enumerate(asked[:-1], 1):
        free = max(free, k * chunk_rows) + cycles
    return max(0, free - beats)
