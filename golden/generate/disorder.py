"""Generates a stream of trades with bounded disorder (seed 002, section VI.B).

Like the seed's generator, this one makes tuples in order of their time stamps, and then moves them
at random, so that no tuple is late by more than the bound.
"""

import numpy as np
import pyarrow as pa

from golden.generate import below, pick

_SYMBOLS = ("UBSN", "ABBN", "CSGN", "NESN", "NOVN", "ROG", "SIKA", "ZURN")


def disorder(tuples: int, seed: int, slack: int = 60) -> pa.Table:
    """Returns ``tuples`` trades, none of which follows a trade more than ``slack`` seconds newer.

    Each tuple has a random delay of 0 to ``slack`` seconds. Tuples arrive in the order of time plus
    delay; the order within the same second is random. So when a tuple of time t arrives, no earlier
    arrival is newer than t + slack, and disorder of every size up to the bound occurs.

    Returns
    -------
    pa.Table
        ``Symbol``, ``Price``, ``Volume``, ``Time`` in seconds: the seed's schema.
    """
    if tuples < 0:
        raise ValueError(f"tuples must be at least 0, not {tuples}")
    if slack < 0:
        raise ValueError(f"slack must be at least 0, not {slack}")
    random = np.random.Generator(np.random.PCG64(seed))
    time = np.cumsum(pick(random, (6, 3, 1), tuples))
    delay = below(random, slack + 1, tuples)
    order = np.lexsort((random.random(tuples), time + delay))
    symbol = np.array(_SYMBOLS)[pick(random, 1 / np.arange(1, len(_SYMBOLS) + 1), tuples)]
    table = {
        "Symbol": symbol,
        "Price": 1 + below(random, 9999, tuples),
        "Volume": 1 + pick(random, 1 / np.arange(1, 1001), tuples),
        "Time": time,
    }
    return pa.table({name: pa.array(column[order]) for name, column in table.items()})
