"""Chooses the start of the first window of time for the tuples of a bench."""

from golden.tuples import Tuples
from query.window import Range
from rtl.contract.design import Design


def start_for(design: Design, tuples: Tuples) -> int | None:
    """Returns the start of window 0 if the default is below the limit of its register, else None.

    The default is the first passing time less SLACK; no tuple is earlier than it by more.
    """
    window = design.query.window
    if not isinstance(window, Range) or "start" not in design.settings.set_by_host:
        return None
    earliest = design.settings["start"].limits[0]
    first = min(tuples.table[window.attribute.name].to_pylist(), default=earliest)
    return earliest if first - window.slack - window.slide < earliest else None
