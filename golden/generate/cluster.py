"""Generates a trace shaped like the task events of Google's 2011 cluster (seeds 000 and 004).

The shape follows round figures of the excerpt, which has a job for every 70 events. The generated
trace has a job for every 64 events, with sizes skewed by Zipf's law. All tasks of a job request the
same processor share. There are few different requests, and more than half of the tuples have the
commonest request. Jobs submit, schedule and end their tasks in bursts.
"""

import numpy as np
import pyarrow as pa

from golden.generate import below, pick
from golden.generate.changes import DECIMALS, changing

#: Limit of the jobs, which are generated in memory.
MAX_JOBS = 1_000_000
_TUPLES_PER_JOB = 64
_REQUESTS = 33
_LONGEST_BURST = 64
_EVENTS = ((0, 46), (1, 44), (4, 6), (5, 2), (2, 1), (3, 1))  # submit, schedule, finish, kill, ...
_PRIORITIES = ((2, 60), (0, 30), (9, 5), (8, 3), (1, 2))


def cluster(
    tuples: int, seed: int, jobs: int | None = None, changes: float | None = None
) -> pa.Table:
    """Returns ``tuples`` task events in order of time.

    Parameters
    ----------
    tuples : int
        At least 0.
    seed : int
    jobs : int or None
        1 to :data:`MAX_JOBS`; None selects one for each 64 tuples, and one more, within the limit.
    changes : float or None
        Share of the tuples that request another value than the previous tuple of the job, 0 to 1
        (:mod:`golden.generate.changes`). The other columns do not depend on ``changes``.

    Returns
    -------
    pa.Table
        ``time`` in seconds from 0, ``job`` (scattered 32-bit ids), ``event`` (0 submit,
        1 schedule, 2 evict, 3 fail, 4 finish, 5 kill), ``priority`` (0 to 9), and ``cpu``, the
        request as a share of a machine with three decimals, or with seven if ``changes`` is set.
    """
    if tuples < 0:
        raise ValueError(f"tuples must be at least 0, not {tuples}")
    if jobs is not None and not 1 <= jobs <= MAX_JOBS:
        raise ValueError(f"jobs must be from 1 to {MAX_JOBS:,}, not {jobs}")
    if changes is not None and not 0 <= changes <= 1:
        raise ValueError(f"changes must be from 0 to 1, not {changes}")
    random = np.random.Generator(np.random.PCG64(seed))
    jobs = min(tuples // _TUPLES_PER_JOB + 1, MAX_JOBS) if jobs is None else jobs
    ids = np.cumsum(1 + below(random, (1 << 32) // (jobs + 1), jobs))
    by_rank = np.argsort(random.random(jobs), kind="stable")
    values, weights = requests()
    request = pick(random, weights, jobs)
    request[by_rank[0]] = 0  # the largest job has the commonest request
    priority = _choices(random, _PRIORITIES, jobs)

    lengths = 1 + pick(random, 1 / np.arange(1, _LONGEST_BURST + 1), tuples)
    bursts = min(int(np.searchsorted(np.cumsum(lengths), tuples)) + 1, tuples)
    burst = np.repeat(np.arange(bursts), lengths[:bursts])[:tuples]
    job = by_rank[pick(random, 1 / np.arange(1, jobs + 1), bursts)][burst]
    event = _choices(random, _EVENTS, bursts)[burst]
    pauses = pick(random, 1 / np.arange(1, 17), bursts)  # 0 to 15 seconds, most often 0
    if changes is None:
        cpu, decimals = values[request[job]], 3
    else:
        cpu, decimals = changing(random, job, request[job], values, changes), DECIMALS
    return pa.table(
        {
            "time": np.cumsum(pauses)[burst],
            "job": ids[job],
            "event": event,
            "priority": priority[job],
            "cpu": _fractions(cpu, decimals),
        }
    )


def requests() -> tuple[np.ndarray, np.ndarray]:
    """Returns the requests in thousandths, and their weights: the first one is the commonest."""
    steps = np.arange(_REQUESTS)
    values = np.concatenate([[25, 16, 13, 9, 63], 6 + 8 * steps[: _REQUESTS - 5] + steps[5:] % 3])
    return values, np.concatenate([[120, 24, 16, 12, 6], 20 / steps[5:]])


def _fractions(numbers, decimals):
    """Returns whole numbers over a power of ten as text: 25 with three decimals is 0.025."""
    one = 10**decimals
    texts = [f"{v // one}.{v % one:0{decimals}}" for v in numbers.tolist()]
    return pa.array(texts, pa.string())


def _choices(random, weighted, count):
    values, weights = (np.array(column) for column in zip(*weighted, strict=True))
    return values[pick(random, weights, count)]
