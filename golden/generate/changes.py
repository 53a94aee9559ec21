"""Generates requests that change within a job so often that codecs reach the ratios of seed 000.

A block of 64 bytes has 512 bits for values, less its head and the block's own seed
(:mod:`golden.codecs.blocks`). Without compression a block has 8 values of 64 bits. Seed 000 reports
the ratios 5.3 (bases and deltas), 6 (XOR) and 23 (SZ), so a block must hold 5.3 * 8 = 42.4, 48 and
184 values. The bits suffice if 1.4 of the 42.4 values begin a new base, 7 of the 48 values differ
from the value before, and 1 of the 184 values is an outlier of SZ:

- A tuple changes with the probability 0.15 (``share``), so XOR sees one new value in 7.
- One change in 5 moves the value so far that a delta of 8 bits, in units of 2^-24, does not reach
  it from the base: a new base begins.
- One change in 29 jumps to an unrelated request, or back. The value is an outlier of SZ.
"""

import numpy as np

from golden.generate import below

#: Decimals of a request: the results of this module are in ten-millionths of a machine.
DECIMALS = 7
#: Largest offset of a request, in ten-millionths: 119 units of 2^-24. Two offsets are up to 238
#: units apart, and more than a delta of 8 bits in 22 % of all pairs. The least request is 80,000
#: ten-millionths, so an offset changes a request by at most 0.09 %.
MAX_OFFSET = 71
#: Mean number of changes from one jump to the next.
CHANGES_PER_JUMP = 29


def changing(
    random: np.random.Generator,
    job: np.ndarray,
    home: np.ndarray,
    requests: np.ndarray,
    share: float,
) -> np.ndarray:
    """Returns the request of each tuple, in ten-millionths.

    A tuple *changes* with the probability ``share``, unless it is the first of its job. One change
    in :data:`CHANGES_PER_JUMP` is a *jump*: from the job's own request, its home, to another
    request, all equally likely; the next jump leads back home. Every other change moves the
    *offset*, which is 0 at first, to another whole number from -71 to 71, all equally likely. The
    result is the request plus the offset.

    For instance a job whose home is 25 thousandths has the offsets 0 and -30, then jumps to 63,
    then has the offset 12::

        250000  250000  249970  249970  629970  629970  630012

    Parameters
    ----------
    random : np.random.Generator
    job : array
        Number of the job of each tuple, at least 0.
    home : array
        For each tuple, the index in ``requests`` of the own request of its job.
    requests : array
        All requests, in thousandths, all different; at least two.
    share : float
        Probability of a change, from 0 to 1.
    """
    tuples = len(job)
    order = np.argsort(job, kind="stable")
    is_first = np.diff(job[order], prepend=-1) != 0
    draw = random.random(tuples)
    jump = ~is_first & (draw < share / CHANGES_PER_JUMP)
    move = ~is_first & ~jump & (draw < share)

    places = 2 * MAX_OFFSET + 1
    steps = np.where(move, 1 + below(random, places - 1, tuples), 0)
    offset = (_sums(steps, is_first) + MAX_OFFSET) % places - MAX_OFFSET
    away = _sums(jump, is_first) % 2 == 1
    last = np.maximum.accumulate(np.where(jump, np.arange(tuples), 0))
    distance = 1 + below(random, len(requests) - 1, tuples)
    chosen = (home[order] + np.where(away, distance[last], 0)) % len(requests)

    result = np.empty(tuples, np.int64)
    result[order] = requests[chosen] * 10 ** (DECIMALS - 3) + offset
    return result


def _sums(numbers, is_first):
    """Returns running sums of numbers; a sum starts anew at the first number of a job."""
    sums = np.cumsum(numbers)
    sum_before = np.where(is_first, sums - numbers, 0)
    return sums - np.maximum.accumulate(sum_before)
