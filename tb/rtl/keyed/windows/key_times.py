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


@dataclass
class RingModel(KeyModel):
    """The same, in a ring of lines that may be full, with marks of where windows begin.

    ``slides`` has the slide of each tuple let in, ``marks`` all that there ever were, as (tuple,
    number): each is the first tuple after those with lesser slides than the number. ``numbers`` is
    how many slides have one. ``lines_read`` counts the lines before the one that is growing, less
    as many of each window as are ``kept_lines``; ``values`` those of all windows, and
    ``values_read`` those of them in such lines.
    """

    ring_lines: int = 4
    items: int = 4
    most_marks: int = 4
    numbers: int = 1 << 32
    kept_lines: int = 0
    slides: list = field(default_factory=list)
    marks: list = field(default_factory=lambda: [(0, 0)])
    lines_read: int = 0
    values: int = 0
    values_read: int = 0
    overruns: int = 0

    def head(self, window):
        """From which tuple on a window is read."""
        return max(place for place, number in self.marks if number <= window)

    def enter(self, time, value):
        """ "late", "overrun", or the windows that are closed."""
        if self.late(time):
            return "late"
        since, newest = time - self.start, max(self.slides, default=-1)
        slide, first = since // self.slide, max(0, (since - self.range) // self.slide + 1)
        if slide >= self.numbers or (first <= newest and self.full(first)):
            return "overrun"
        windows = self.arrive(time, value)
        count = len(self.slides)
        lines = (count // self.items - self.head(window) // self.items for window, _ in windows)
        self.lines_read += sum(max(0, n - self.kept_lines) for n in lines)
        behind = (count // self.items - self.kept_lines) * self.items
        for window, members in windows:
            self.values += len(members)
            read = [t for t, _ in self.kept[: max(0, behind)] if self.covers(window, t)]
            self.values_read += len(read)
        self.mark(slide, first, newest)
        self.slides.append(slide)
        return windows

    def full(self, first):
        """The next tuple would come into the line in which what is needed begins."""
        line, more = divmod(len(self.slides), self.items)
        return not more and line - self.head(first) // self.items == self.ring_lines

    def mark(self, slide, first, newest):
        spacing = self.range // self.slide // self.most_marks + 1
        reached = self.marks[-1][1] <= first
        apart = newest + 1 - self.marks[-1][1] >= spacing
        if newest < first or (slide > newest and (reached or apart)):
            self.marks.append((len(self.slides), newest + 1))
