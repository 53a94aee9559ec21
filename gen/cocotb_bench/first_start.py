"""Chooses the start of the first window of time for the tuples of a bench."""

from golden.tuples import Tuples
from query.window import Range
from rtl.contract.design import Design


def start_for(design: Design, tuples: Tuples) -> int | None:
    """Returns the least start that the register holds, or None, which selects the default start.

    The default is the time of the first tuple that passes, less SLACK, rounded down to a multiple
    of SLIDE. So the default is above the least time less SLACK and SLIDE. If this bound is below
    the register's least number, the function returns that number. For instance times from 100 with
    SLACK 5 and SLIDE 10 have the bound 85.
    """
    window = design.query.window
    if not isinstance(window, Range) or "start" not in design.settings.set_by_host:
        return None
    earliest = design.settings["start"].limits[0]
    first = min(tuples.table[window.attribute.name].to_pylist(), default=earliest)
    return earliest if first - window.slack - window.slide < earliest else None
