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
        Number of lines.
    queued : float
        Cycle in which the window entered the queue of windows.
    entry : int
        Entry of the key.
    copied : int
        Number of blocks that follow from copies on the chip.
    collected : float or None
        Cycle in which a line to be changed was collected.
    """

    __slots__ = ("collected", "command", "copied", "count", "entry", "queued", "window")

    def __init__(self, command, window, count, queued, entry, copied=0):
        self.command, self.window, self.count, self.queued = command, window, count, queued
        self.entry, self.copied = entry, copied
        self.collected = None
