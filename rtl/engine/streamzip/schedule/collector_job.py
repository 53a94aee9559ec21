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
    collected : float or None
        Cycle in which a line to be changed was collected.
    """

    __slots__ = (
        "collected", "command", "copied", "copies_arrive", "count", "entry", "queued", "window",
    )  # fmt: skip

    def __init__(self, command, window, count, queued, entry, copied=0, copies_arrive=0.0):
        self.command, self.window, self.count, self.queued = command, window, count, queued
        self.entry, self.copied, self.copies_arrive = entry, copied, copies_arrive
        self.collected = None
