"""How many tuples per cycle the engine takes of a stream that is known tuple by tuple."""

from functools import cache

from query.window import Range
from rtl.engine.streamzip.areas import areas_of
from rtl.engine.streamzip.key_schedule import KeySchedule
from rtl.engine.streamzip.row_tuples import row_steps
from rtl.engine.streamzip.time_tuples import time_steps


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

    def steps(life, block):
        known = (stream.steps or {}).get((life.key, life.first_block + block))
        return usual if known is None else known

    ring = options.coding.ring
    full = [*(stream.steps or {}).values()]
    usual = (sum(full) / len(full) + 1) / 2 if full else 1
    areas = areas_of(options)
    bases = [areas[str(port)].base for port in range(options.ports)]
    schedule = KeySchedule(
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
    return schedule.rate(made(options, keys, stream, size, slide), stream.count)
