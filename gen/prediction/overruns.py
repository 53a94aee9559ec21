"""Counts the tuples that have no place in the ring of their key, before a design runs."""

import numpy as np

from gen.prediction.key_streams import since_start
from gen.prediction.selected_tuples import passing, raw_columns
from golden.tuples import Tuples
from query.window import Range
from rtl.contract.design import Design
from rtl.engine.streamzip.options import Options
from rtl.engine.streamzip.schedule.key_stream import KeyStream
from rtl.engine.streamzip.schedule.ring_overruns import overruns


def overrun_count(design: Design, tuples: Tuples, start: int | None = None) -> int:
    """Returns the number of tuples that a design drops because the ring of their key is full.

    Only `streamzip` with windows of time drops such tuples.

    Parameters
    ----------
    design : Design
    tuples : golden.tuples.Tuples
    start : int or None
        Time at which window 0 begins, in raw units; None: the default start of the query language.
    """
    query, window = design.query, design.query.window
    if not isinstance(window, Range) or window.partition is None:
        return 0
    raws = raw_columns(query, tuples)
    at = np.flatnonzero(passing(query, raws))
    if not len(at):
        return 0
    times = raws[window.attribute.name][at]
    if start is None:
        start = (int(times[0]) - window.slack) // window.slide * window.slide
    stream = KeyStream(
        count=len(tuples),
        at=at,
        keys=raws[window.partition.name][at],
        times=since_start(times, start),
    )
    options = Options(query=query, **design.parameters).resolved
    return overruns(options, stream, window.size, window.slide)
