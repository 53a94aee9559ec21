"""What windows of time of a key are, from their definition: lists of times, and nothing clever."""

from dataclasses import dataclass, field


@dataclass
class KeyModel:
    """The windows of one key: ``arrive`` for each tuple, in order.

    ``start``, ``range`` and ``slide`` as in the query. ``kept`` has (time, value) of all tuples
    that were let in, ``closed`` is how many windows have been closed, empty ones too.
    """

    start: int
    range: int
    slide: int
    kept: list = field(default_factory=list)
    closed: int = 0

    def covers(self, window, time):
        begin = self.start + window * self.slide
        return begin <= time < begin + self.range

    def end(self, window):
        return self.start + window * self.slide + self.range

    def late(self, time):
        return time < self.start or (self.closed > 0 and time < self.end(self.closed - 1))

    def arrive(self, time, value):
        """None if the tuple is late, else the windows it closes: (number, values in order)."""
        if self.late(time):
            return None
        windows = []
        while self.end(self.closed) <= time:
            values = [v for t, v in self.kept if self.covers(self.closed, t)]
            if values:
                windows.append((self.closed, values))
            elif all(t < self.end(self.closed) for t, _ in self.kept):
                # Nothing is in this one or a later one: on to the last that the tuple closes.
                self.closed = (time - self.start - self.range) // self.slide
            self.closed += 1
        self.kept.append((time, value))
        return windows
