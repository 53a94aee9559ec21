"""Predicts rate and delay of the engine for a stream that is known tuple by tuple."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from query.window import Range
from rtl.engine.streamzip.schedule.empty_schedules import EmptySchedules
from rtl.engine.streamzip.schedule.key_stream import EMPTY
from rtl.engine.streamzip.schedule.row_tuples import row_steps
from rtl.engine.streamzip.schedule.time_tuples import time_steps

#: A stream of at most so many passing tuples (tuples that pass WHERE) is computed as a whole.
WHOLE_STREAM = 24_000
#: Number of parts that are computed of a longer stream, which is quicker.
PARTS = 8
#: Passing tuples of a part; and the first step of the next tuple belongs to the part.
PART = 3_000
#: A part ends earlier if it has about so many steps.
PART_STEPS = 12_000
#: If ``measured_from`` of a stream is not 0, all measured tuples are computed. The computation
#: begins this number of passing tuples earlier, so that the queues are filled.
WARM_UP = 3_000


@dataclass(frozen=True, kw_only=True)
class StreamRate:
    """Holds the predicted rate and delay of a stream.

    Attributes
    ----------
    tuples_per_cycle : float
    delay : float or None
        Median delay of the windows: cycles by which a window is later than a window that meets no
        other window and reads nothing. None if the computed parts close no window.
    """

    tuples_per_cycle: float
    delay: float | None


def stream_rate(options, keys, kernels, dram, stream, gaps=(1, 1), numbers=None):
    """Returns the :class:`StreamRate` of a :class:`KeyStream`, from its first measured tuple on.

    Parameters
    ----------
    options : Options
        Resolved.
    keys : KeyedPlan
    kernels : KernelPlan
    dram : Dram or Ideal
        Memory behind the ports.
    stream : KeyStream
    gaps : (float, float)
        Cycles from a tuple to the next at the bus of the input, and from a row to the next at the
        output. A gap below 1 means several tuples or rows in a beat; but the engine takes at most
        one tuple per cycle, counting tuples that WHERE leaves out, and sends at most one row.
    numbers : dict of str to int, or None
        ``size``, ``range`` and ``slide`` where they differ from the query's.
    """
    window = options.query.window
    has_time_windows = isinstance(window, Range)
    in_gap, out_gap = (max(1.0, gap) for gap in gaps)
    numbers = numbers or {}
    size = numbers.get("range" if has_time_windows else "size") or window.size
    slide = numbers.get("slide") or window.slide
    schedule = EmptySchedules(options, keys, kernels, dram, stream, size, slide, in_gap, out_gap)
    make_steps = time_steps if has_time_windows else row_steps
    steps = make_steps(options, keys, stream, size, slide)
    if stream.measured_from:
        return _measured(schedule(), steps, stream, in_gap)
    return rate_of(schedule, parts_of(steps, stream), stream, in_gap)


def _measured(schedule, steps, stream, in_gap):
    """Returns the StreamRate of the tuples from ``measured_from`` on.

    The schedule, whose queues are empty at first, begins :data:`WARM_UP` passing tuples earlier.
    """
    measured = stream.measured_from
    warm_up_at = stream.at[max(0, measured - WARM_UP)]
    measured_at = stream.at[measured]
    part = [step for step in steps if step.at >= warm_up_at]
    times = schedule.times(part)
    first = next(k for k, step in enumerate(part) if step.at >= measured_at)
    tuples = part[-1].at - part[first].at
    cycles = times.inputs[-1] - times.inputs[first]
    rate = tuples / cycles if cycles else 1 / in_gap
    return StreamRate(tuples_per_cycle=rate, delay=_median([times.delays(first)]))


def _median(delays):
    """Returns the median of all numbers of a list of arrays; None if there are none."""
    all_delays = np.concatenate([[], *delays])
    return float(np.median(all_delays)) if len(all_delays) else None


def parts_of(steps, stream):
    """Returns the parts of a stream to compute, as lists of steps: one part for a short stream.

    A long stream is cut into eighths, and the middle of each eighth stands for the eighth: of
    40,000 passing tuples the tuples 1,000 to 3,999, 6,000 to 8,999, and so on. One part would not
    represent the stream: with many keys, windows are not yet full in the first eighths.

    A part ends with the first step of a tuple. The cycle in which this tuple enters shows how long
    all steps before it took, also those of a tuple that closes thousands of windows.
    """
    count = len(stream.at)
    if count <= WHOLE_STREAM:
        return [list(steps)]
    firsts = [(2 * k + 1) * count // (2 * PARTS) - PART // 2 for k in range(PARTS)]
    start_times = [int(stream.at[max(0, first)]) for first in firsts]
    parts = [[] for _ in start_times]
    number = -1
    is_open = False
    tuples = 0
    for step in steps:
        while number + 1 < PARTS and step.at >= start_times[number + 1]:
            if is_open:
                parts[number].append(step)
            number = number + 1
            is_open = True
            tuples = 0
        if is_open:
            part = parts[number]
            if not part or step.at > part[-1].at:
                is_open = tuples < PART and len(part) < PART_STEPS
                tuples += step.entry != EMPTY
            part.append(step)
    return parts


def rate_of(schedule, parts, stream, in_gap):
    """Returns the :class:`StreamRate` of a :class:`KeyStream`, estimated from its parts.

    A tuple takes ``in_gap`` cycles, and waits if the engine is busy. The mean wait of the passing
    tuples of a part stands for all passing tuples of its eighth; tuples that WHERE leaves out have
    no wait of their own. For instance in a part 100 passing tuples take 150 cycles more than their
    gaps. Then 1,000 passing tuples of the eighth wait 1,500 cycles. The first tenth of a part does
    not count, because the part begins with empty queues.

    Parameters
    ----------
    schedule : callable
        Returns a :class:`KeySchedule` with empty queues.
    parts : list of list of Step
    stream : KeyStream
    in_gap : float
        Least number of cycles from one tuple to the next at the input.
    """
    count = stream.count - 1
    if len(parts) == 1:
        if not parts[0]:
            return StreamRate(tuples_per_cycle=1 / in_gap, delay=None)
        first = parts[0][0]
        last = parts[0][-1]
        times = schedule().times(parts[0])
        # Tuples that WHERE leaves out after the last step only take the gap of the input.
        outside = count - (last.at - first.at)
        cycles = times.inputs[-1] - times.inputs[0] + outside * in_gap
        return StreamRate(tuples_per_cycle=count / cycles, delay=_median([times.delays()]))
    waits = 0.0
    delays = []
    for part, passing in zip(parts, _passing_counts(stream), strict=True):
        if len(part) > 1:
            times = schedule().times(part)
            skipped = _skipped(part)
            begin = part[skipped].at
            last = part[-1].at
            between = times.inputs[-1] - times.inputs[skipped]
            first, end = np.searchsorted(stream.at, (begin, last))
            waits += max(0, between - in_gap * (last - begin)) * passing / max(1, end - first)
            delays.append(times.delays(skipped))
    cycles = in_gap * count + waits
    return StreamRate(tuples_per_cycle=count / cycles, delay=_median(delays))


def _passing_counts(stream):
    """Returns the number of passing tuples of each eighth.

    If the stream is cut, the last number includes an estimate of the tuples that are not listed.
    """
    length = len(stream.at)
    bounds = [k * length // PARTS for k in range(PARTS + 1)]
    counts = [end - begin for begin, end in pairwise(bounds)]
    if stream.is_cut:
        begin, end = (int(stream.at[index]) for index in (bounds[-2], -1))
        counts[-1] *= (stream.count - begin) / (end - begin + 1)
    return counts


def _skipped(part):
    """Returns the number of steps of the first tenth of a part's tuples, which do not count."""
    first_steps = [k for k, step in enumerate(part) if not k or step.at > part[k - 1].at]
    return first_steps[len(first_steps) // 10]
