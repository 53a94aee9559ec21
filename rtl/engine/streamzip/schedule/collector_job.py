"""Describes a job of the data collector."""


class CollectorJob:
    """Describes a window, or a line to be changed, that waits for its lines in the collector.

    Attributes
    ----------
    command : object or None
        Command of the ports; None if nothing is read.
    window : Window or None
        None for a line that is to be changed.
    count : int
        Number of lines from M3.
    queued : float
        Cycle in which the window entered the queue of windows.
    entry : int
        Entry of the key.
    copied : int
        Number of copies of blocks that follow these lines, from M2.
    copies_arrive : float
        Cycle in which the last copy arrives from an M2 outside of the chip; 0 with M2 on the chip,
        or without copies.
    values, lines : int
        Number of values and of lines of the window that pass the kernels. They are those of the
        window, unless blocks of the window have given way.
    collected : float or None
        Cycle in which a line to be changed was collected.
    """

    __slots__ = (
        "collected", "command", "copied", "copies_arrive", "count", "entry", "lines", "queued",
        "values", "window",
    )  # fmt: skip

    def __init__(self, command, window, count, queued, entry, copied=0, copies_arrive=0.0):
        self.command = command
        self.window = window
        self.count = count
        self.queued = queued
        self.entry = entry
        self.copied = copied
        self.copies_arrive = copies_arrive
        self.values, self.lines = (window.values, window.lines) if window else (0, count)
        self.collected = None

    def lose_blocks_before(self, block):
        """Leaves out the values and lines of a compressed window in blocks before ``block``.

        For instance blocks 4 to 6 have the values 40 to 69, and 5 more values grow in block 7. If
        blocks 4 and 5 gave way, a window of the values 45 to 74 has 15 values in 2 lines.
        """
        window = self.window
        block_begins = window.life.block_begins
        values = block_begins[window.count] + window.growing - block_begins[block]
        self.values = min(self.values, values)
        self.lines = min(self.lines, window.count - block + 1)
