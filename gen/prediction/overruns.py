"""Counts the tuples for which a design has no room, before the design runs."""

from typing import cast

import numpy as np

from gen.prediction.selected_tuples import passing, raw_columns
from golden.tuples import Tuples
from query.window import Range
from rtl.contract.design import Design
from rtl.engine.streamzip.options import Options
from rtl.engine.streamzip.schedule.key_stream import KeyStream
from rtl.engine.streamzip.schedule.ring_overruns import overruns


def overrun_count(design: Design, tuples: Tuples, start: int | None = None) -> int:
    """Returns the number of tuples that `streamzip` drops as overruns, with windows of time.

    The ring of their key is full, or the number of their slide has too many bits. Other engines,
    and windows of rows, have no such tuples.

    Parameters
    ----------
    design : Design
    tuples : golden.tuples.Tuples
    start : int or None
        Time at which window 0 begins, in raw units; None: the default start of the query language.
    """
    query, window = design.query, design.query.window
    if design.engine != "streamzip" or not isinstance(window, Range):
        return 0
    raws = raw_columns(query, tuples)
    at = np.flatnonzero(passing(query, raws))
    if not len(at):
        return 0
    times = raws[window.attribute.name][at].astype(object)  # a difference may need 65 bits
    if start is None:
        start = (times[0] - window.slack) // window.slide * window.slide
    stream = KeyStream(
        count=len(tuples), at=at, keys=raws[window.partition.name][at], times=times - start
    )
    options = cast(Options, design.options).resolved
    return overruns(options, stream, window.size, window.slide)
