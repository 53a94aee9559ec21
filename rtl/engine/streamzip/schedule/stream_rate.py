"""How many tuples per cycle the engine takes of a stream that is known tuple by tuple."""

from functools import cache

from query.window import Range
from rtl.engine.streamzip.areas import areas_of
from rtl.engine.streamzip.schedule.key_schedule import KeySchedule
from rtl.engine.streamzip.schedule.row_tuples import row_steps
from rtl.engine.streamzip.schedule.time_tuples import time_steps

#: Steps of a stream that are all computed; and the parts of a longer one, and steps of each.
WHOLE, PARTS, PART = 24_000, 8, 3_000


def stream_rate(options, keys, kernels, dram, stream, gaps=(1, 1), numbers=None):
    """Tuples per cycle from the first tuple of a :class:`KeyStream` to its last one.

    Parameters
    ----------
    options : Options
        Resolved.
    keys : KeyedPlan
    kernels : KernelPlan
    dram : Dram or Ideal
        What is behind the ports.
    stream : KeyStream
    gaps : (float, float)
        Cycles from a tuple to the next at the input, and from a row to the next at the output.
    numbers : dict of str to int, or None
        ``size``, ``range`` and ``slide``, where they are others than the query's.
    """
    window, lines_given = options.query.window, keys.given

    @cache
    def interval(values, lines):
        values = min(values, kernels.window_max)
        return kernels.interval_of(values, max(1, round(lines_given.lines_of(values, lines))))

    full = stream.steps or {}
    usual = sum(full.values()) / len(full) if full else 1

    def steps(life, block, growing):
        known = full.get((life.key, life.first_block + block))
        if growing is None:
            return usual if known is None else known
        begins = life.begins
        if known is None or block + 1 >= len(begins):
            return growing  # never full: a step for each value
        return max(1, known * growing / (begins[block + 1] - begins[block]))

    ring = options.coding.ring
    areas = areas_of(options)
    bases = [areas[str(port)].base for port in range(options.ports)]

    def schedule():
        return KeySchedule(
            keys.lines,
            dram.schedule(keys.lines, bases),
            alone=keys.memory == "dram-only",
            interval=interval,
            decoders=ring.fold.decoders if stream.steps is not None else 0,
            steps=steps,
            in_gap=gaps[0],
            out_gap=gaps[1],
        )

    made, length = (time_steps, "range") if isinstance(window, Range) else (row_steps, "size")
    given = numbers or {}
    size, slide = given.get(length) or window.size, given.get("slide") or window.slide
    parts = parts_of(made(options, keys, stream, size, slide), stream)
    return rate_of(schedule, parts, stream, gaps[0])


def parts_of(steps, stream):
    """The parts of a stream that are computed, as lists of steps: all of a short stream.

    Of a long stream the middle of each eighth stands for that eighth. For instance windows of many
    keys are not full in the first eighths, and full in the last ones.
    """
    count = len(stream.at)
    if count <= WHOLE:
        return [list(steps)]
    begins = [(2 * k + 1) * count // (2 * PARTS) - PART // 2 for k in range(PARTS)]
    begins = [int(stream.at[max(0, begin)]) for begin in begins]
    parts, number = [[] for _ in begins], -1
    for step in steps:
        while number + 1 < PARTS and step.at >= begins[number + 1]:
            number += 1
        if number >= 0 and len(parts[number]) < PART:
            parts[number].append(step)
    return parts


def rate_of(schedule, parts, stream, in_gap):
    """Tuples per cycle of a :class:`KeyStream` of which these parts are known.

    A part of several begins with empty queues, so its first tenth does not count. Tuples behind the
    last one that was looked at go like the last part.

    Parameters
    ----------
    schedule : callable
        Makes a :class:`KeySchedule`.
    parts : list of list of Step
    stream : KeyStream
    in_gap : float
        Cycles from one tuple to the next at the input, at least.
    """
    count = stream.count - 1
    if len(parts) == 1:
        if not parts[0]:
            return 1 / in_gap
        first, last = parts[0][0], parts[0][-1]
        taken = schedule().taken(parts[0])
        # What WHERE leaves out before and behind passes as fast as it comes.
        around = count - (last.at - first.at)
        return count / (taken[-1] - taken[0] + around * in_gap)
    ends = [int(stream.at[(k + 1) * len(stream.at) // PARTS - 1]) for k in range(PARTS)]
    begins, cycles = [0, *ends[:-1]], 0.0
    for part, begin, end in zip(parts, begins, [*ends[:-1], count], strict=True):
        each = in_gap
        if len(part) > 1:
            taken, skipped = schedule().taken(part), len(part) // 10
            passed = part[-1].at - part[skipped].at
            each = (taken[-1] - taken[skipped]) / passed if passed else in_gap
        cycles += max(in_gap, each) * (end - begin)
    return count / cycles
