"""Latency, rate and memory of the replay buffer, the sorter and the queue of ``swag``."""

from dataclasses import dataclass

from rtl.contract.shape import Pace
from rtl.sort.merge_sorter import MergeSorter
from rtl.sort.order import SortOrder
from rtl.stream.queue import StreamQueue
from rtl.window.replay import ReplayBuffer

#: Number of sorted beats in the queue and in the aggregation while the output stalls, as measured.
WAITING_BEATS = 8


@dataclass(frozen=True, kw_only=True)
class Sorting:
    """Describes a replay buffer, a merge sorter and a queue, in this order.

    Attributes
    ----------
    order : SortOrder
    lanes : int
        P, the number of tuples in a beat.
    capacity : int
        k, the number of tuples in a chunk. Chunks are sorted as they arrive.
    window_max : int
        Tuples of the largest window.
    passes : str
        See :class:`~rtl.sort.merge_sorter.MergeSorter`.
    """

    order: SortOrder
    lanes: int
    capacity: int
    window_max: int
    passes: str

    @property
    def sorter_sizes(self):
        """Keyword arguments of the sorter, except the order."""
        return {name: getattr(self, name) for name in ("lanes", "capacity", "window_max", "passes")}

    def pace(self, size, slide):
        """Returns the pace for windows of ``size`` tuples that begin every ``slide`` tuples.

        Each window is sorted anew; tuples of later windows wait in the replay buffer.

        With ``passes="shared"`` one merge tree makes both passes of a window above ``capacity``, so
        the first pass of a window waits for the second pass of the previous window.
        If rows leave slowly, the second pass lasts until the rows of its window have left, except
        the rows of the last beats, which wait behind the sorter. For instance with 1 lane and
        windows of 256 tuples, whose rows take 474 cycles, a window takes 256 + 474 * (1 - 8 / 256)
        = 715 cycles in place of 529.
        """
        beats = size / self.lanes
        is_held = self.passes == "shared" and size > self.capacity
        return Pace(
            tuple_cycles=1 / self.lanes,
            window_cycles=MergeSorter.interval_of(size, order=self.order, **self.sorter_sizes),
            window_backlog=(2 * self.window_max - size) // slide,
            held_cycles=beats if is_held else 0.0,
            held_share=max(0.0, 1 - WAITING_BEATS / beats) if is_held else 0.0,
        )

    def latency_of(self, size):
        """Returns the latency from a stream's first tuple to the first sorted tuple, in cycles.

        The latency is the sum of the replay buffer, the sorter and the queue, for a first window of
        ``size`` tuples.
        """
        sizes = {name: value for name, value in self.sorter_sizes.items() if name != "passes"}
        sorter = MergeSorter.latency_of(size, order=self.order, **sizes)
        return ReplayBuffer.latency + sorter + StreamQueue.latency

    @property
    def memory_bits(self):
        """Bits of block RAM in the replay buffer and the sorter."""
        replay = ReplayBuffer.memory_bits_of(self.order.tuple_layout, self.lanes, self.window_max)
        return replay + MergeSorter.memory_bits_of(
            self.order, self.capacity, self.window_max, passes=self.passes
        )
