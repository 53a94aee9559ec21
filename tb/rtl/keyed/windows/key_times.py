"""Models of windows of time of one key, from their definition: lists of times."""

from dataclasses import dataclass, field


@dataclass
class KeyModel:
    """Model of the windows of one key; ``arrive`` takes each tuple, in order.

    ``start``, ``range`` and ``slide`` are those of the query. ``accepted`` has (time, value) of all
    accepted tuples; ``closed`` counts the closed windows, including empty windows.
    """

    start: int
    range: int
    slide: int
    accepted: list = field(default_factory=list)
    closed: int = 0

    def covers(self, window, time):
        begin = self.start + window * self.slide
        return begin <= time < begin + self.range

    def end(self, window):
        return self.start + window * self.slide + self.range

    def late(self, time):
        return time < self.start or (self.closed > 0 and time < self.end(self.closed - 1))

    def arrive(self, time, value):
        """Returns the windows that a tuple closes, as (number, values in order); None if it is
        late.
        """
        if self.late(time):
            return None
        windows = []
        while self.end(self.closed) <= time:
            values = [v for t, v in self.accepted if self.covers(self.closed, t)]
            if values:
                windows.append((self.closed, values))
            elif all(t < self.end(self.closed) for t, _ in self.accepted):
                # Later windows are empty, too: continue with the last one that the tuple closes.
                self.closed = (time - self.start - self.range) // self.slide
            self.closed += 1
        self.accepted.append((time, value))
        return windows


@dataclass
class RingModel(KeyModel):
    """Model of windows in a ring of lines that may be full, with marks where windows begin.

    ``slides`` has the slide of each accepted tuple. ``marks`` has all marks since the start as
    (tuple, number): the first tuple after those with slides below the number. ``numbers`` counts
    the numbers of slides. ``lines_read`` counts the lines before the growing line, minus up to
    ``kept_lines`` of each window. ``values`` counts the values of all windows, ``values_read`` the
    values in lines that are read.
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
        """Returns the first tuple that is read for a window."""
        return max(place for place, number in self.marks if number <= window)

    def enter(self, time, value):
        """Returns "late", "overrun", or the windows that the tuple closes."""
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
        read_end = (count // self.items - self.kept_lines) * self.items
        for window, members in windows:
            self.values += len(members)
            read = [t for t, _ in self.accepted[: max(0, read_end)] if self.covers(window, t)]
            self.values_read += len(read)
        self.mark(slide, first, newest)
        self.slides.append(slide)
        return windows

    def full(self, first):
        """True if the next tuple would overwrite the line in which the needed tuples begin."""
        line, place = divmod(len(self.slides), self.items)
        return not place and line - self.head(first) // self.items == self.ring_lines

    def mark(self, slide, first, newest):
        spacing = self.range // self.slide // self.most_marks + 1
        reached = self.marks[-1][1] <= first
        far_enough = newest + 1 - self.marks[-1][1] >= spacing
        if newest < first or (slide > newest and (reached or far_enough)):
            self.marks.append((len(self.slides), newest + 1))
