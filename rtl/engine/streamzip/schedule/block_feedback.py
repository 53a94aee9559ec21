"""Models the feedback of the data collector: the block from which on a key's windows are read."""

from bisect import bisect_left
from operator import itemgetter


class BlockFeedback:
    """Records the reports of the data collector for one life of a key.

    Windows are read from block 0 on until the first report. For instance with reports of block 2 in
    cycle 50 and of block 3 in cycle 90, a window that is requested in cycle 60 is read from block 2
    on.
    """

    __slots__ = ("_current", "_reports")

    def __init__(self):
        self._reports = []
        self._current = 0

    def report(self, cycle, block):
        """Adds a report: from ``cycle`` on, windows are read from ``block`` on.

        A report of an earlier block than the last one counts as the last one again. For instance
        after a report of block 6 the walk of a cached key reports block 4, the head of the chain,
        and windows are still read from block 6 on.
        """
        if self._reports:
            last_cycle, last_block = self._reports[-1]
            cycle = max(cycle, last_cycle)
            block = max(block, last_block)
        self._reports.append((cycle, block))

    @property
    def last_block(self):
        """The block of the last report; 0 without a report."""
        return self._reports[-1][1] if self._reports else 0

    def cycle_of(self, block):
        """Returns the cycle of the first report of ``block`` or a later block; None without one."""
        if block <= 0:
            return 0.0
        index = bisect_left(self._reports, block, key=itemgetter(1))
        return self._reports[index][0] if index < len(self._reports) else None

    def block_at(self, cycle):
        """Returns the block of the last report up to ``cycle``; 0 if all reports come later.

        There must be a report, and ``cycle`` must not be less than in the call before.
        """
        reports = self._reports
        while self._current + 1 < len(reports) and reports[self._current + 1][0] <= cycle:
            self._current += 1
        begin, block = reports[self._current]
        return block if begin <= cycle else 0
