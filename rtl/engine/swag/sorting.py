"""The plan of how windows are made and sorted."""

from dataclasses import dataclass

from rtl.contract.shape import Pace
from rtl.sort.merge_sorter import MergeSorter
from rtl.sort.order import SortOrder
from rtl.stream.queue import StreamQueue
from rtl.window.replay import ReplayBuffer


@dataclass(frozen=True, kw_only=True)
class Sorting:
    """A replay buffer, a merge sorter behind it, and a queue.

    Attributes
    ----------
    order : SortOrder
    lanes : int
        P.
    capacity : int
        k, tuples of a chunk, which is sorted on the fly.
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
    def sizes(self):
        """What the sorter is made with, by keyword, beside the order."""
        return {name: getattr(self, name) for name in ("lanes", "capacity", "window_max", "passes")}

    def pace(self, size, slide):
        """With windows of ``size`` tuples every ``slide``.

        Each window is sorted anew, and those that wait for it are in the replay buffer.
        """
        return Pace(
            tuple_cycles=1 / self.lanes,
            window_cycles=MergeSorter.interval_of(size, order=self.order, **self.sizes),
            window_backlog=(2 * self.window_max - size) // slide,
        )

    def latency_of(self, size):
        """Cycles from a window's first tuple to the first of it sorted, and out of a queue."""
        sizes = {name: size for name, size in self.sizes.items() if name != "passes"}
        sorter = MergeSorter.latency_of(size, order=self.order, **sizes)
        return ReplayBuffer.latency + sorter + StreamQueue.latency

    @property
    def memory_bits(self):
        """Bits of block RAM: the replay buffer's and the sorter's."""
        replay = ReplayBuffer.memory_bits_of(self.order.tuple_layout, self.lanes, self.window_max)
        return replay + MergeSorter.memory_bits_of(
            self.order, self.capacity, self.window_max, passes=self.passes
        )
