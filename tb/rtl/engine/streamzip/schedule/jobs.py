"""Makes windows for the models of the stages behind the memory."""

from rtl.engine.streamzip.schedule.collector_job import CollectorJob
from rtl.engine.streamzip.schedule.key_stream import Window


def window(lines, entry=0, **fields):
    """Returns the job of a window of a number of lines; its last line is on the chip."""
    of_lines = Window(first=0, count=lines - 1, lines=lines, values=8 * lines, **fields)
    return CollectorJob(None, of_lines, lines - 1, 0.0, entry)


class Search:
    """Stands for the search of a window, and takes a given number of passes."""

    def __init__(self, passes):
        self._passes = passes

    def passes(self, entry):
        return self._passes
