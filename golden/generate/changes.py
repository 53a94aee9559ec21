"""Requests that change within a job: so often that compression is as good as the seed says.

A block of 64 bytes has room for 512 bits less its head and seed (:mod:`golden.codecs`). For seed
000's ratios it has 42.4 values as bases and deltas, so 1.4 new bases; 48 values for XOR, so 7 that
differ from the one before; and 184 values for SZ, so one that is an outlier. That asks for
three kinds of change, of which each codec feels its own:

- one tuple in 7 asks for a little more or less than the one before: XOR;
- one such in 5 is beyond a delta of 8 bits from the base, in units of 2^-24: bases and deltas;
- one change in 29 goes to another request altogether, or back: SZ.
"""

import numpy as np

from golden.generate import below

#: Requests are in ten-millionths of a machine here.
DECIMALS = 7
#: A little more or less: so many ten-millionths at most, 119 units of 2^-24, 0.09 % of the
#: least request.
AROUND = 71
CHANGES_PER_JUMP = 29


def changing(random, job, home, requests, share):
    """The request of each tuple, in ten-millionths.

    A tuple *changes* with the probability ``share``, unless it is its job's first. One change in
    :data:`CHANGES_PER_JUMP` is a *jump*: from the job's own request, its home, to another one, all
    equally likely, and the next jump is back home. Any other moves the *offset*, which is 0 at
    first, to another of the whole numbers from -71 to 71, all equally likely. The tuple asks for
    the request and the offset.

    For instance a job at home at 25 thousandths, with an offset of 0, -30, a jump to 63, 12::

        250000  250000  249970  249970  629970  629970  630012

    Parameters
    ----------
    random : np.random.Generator
    job : array
        Of each tuple.
    home : array
        Of each tuple, the same within a job: the index of the job's own request.
    requests : array
        All there are, in thousandths, no two alike.
    share : float
        From 0 to 1.
    """
    tuples = len(job)
    order = np.argsort(job, kind="stable")
    begins = np.diff(job[order], prepend=-1) != 0
    drawn = random.random(tuples)
    jump = ~begins & (drawn < share / CHANGES_PER_JUMP)
    move = ~begins & ~jump & (drawn < share)

    places = 2 * AROUND + 1
    steps = np.where(move, 1 + below(random, places - 1, tuples), 0)
    offset = (_sums(steps, begins) + AROUND) % places - AROUND
    away = _sums(jump, begins) % 2 == 1
    last = np.maximum.accumulate(np.where(jump, np.arange(tuples), 0))
    beside = 1 + below(random, len(requests) - 1, tuples)
    chosen = (home[order] + np.where(away, beside[last], 0)) % len(requests)

    asked = np.empty(tuples, np.int64)
    asked[order] = requests[chosen] * 10 ** (DECIMALS - 3) + offset
    return asked


def _sums(numbers, begins):
    """Of each number the sum of those up to it, anew where a job begins."""
    sums = np.cumsum(numbers)
    before = np.where(begins, sums - numbers, 0)
    return sums - np.maximum.accumulate(before)
