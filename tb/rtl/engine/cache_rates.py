"""Measures rates of one key with a window after every tuple, with a cache of windows and
without.
"""

from functools import cache

import numpy as np

from gen.prediction.expected_rate import of_values
from golden.codecs.blocks import restored_values
from golden.codecs.registry import CODECS
from sim.memory import Memory
from tb.rtl.engine import key_time_bench
from tb.rtl.engine.bench import shipped
from tb.rtl.engine.key_bench import point
from tb.rtl.engine.key_values import windows_of

SIZE = {"entries": 64, "window_max": 1024, "ports": 4, "port_bits": 128}
SELECT = "sum(x), max(x)"
#: With the median: a cache then keeps its values in order.
RANKED = "sum(x), max(x), median(x)"


@cache
def design_of(codec, select=SELECT, **options):
    """Returns a design for windows of up to 1,024 values of 64 bits."""
    if codec == "none":
        options = {"line_values": 8} | options
    return point(1024, 1, "int(64)", select, "uint(32)", codec=codec, **SIZE, **options)


@cache
def time_design_of(codec, select=SELECT, **options):
    """Returns a design for windows of time in which a key has up to 256 values of 64 bits."""
    sizes = SIZE | {"window_max": 256, "overlap": 256, "marks": 16}
    sizes |= {"line_values": 4} if codec == "none" else {}
    values = {"time": "uint(32)", "value": "int(64)", "select": select, "key": "uint(32)"}
    return key_time_bench.point(**values, codec=codec, **sizes, **options)


def walk(ws):
    """Returns values with small differences between neighbours."""
    return np.cumsum(np.random.default_rng(1).integers(-3, 4, 2 * ws + 1500))


def kept(codec, design, value, stamped=False):
    """Returns the values that the codec keeps."""
    if codec != "sz":
        return value
    settings = {name: design.settings.values[name] for name in ("relative", "absolute")}
    model, width = CODECS[codec](64, **settings), 1 << 64
    restored = restored_values(model, [int(x) % width for x in value], stamped)
    return np.array([x - (x >> 63) * width for x in restored])


@cache
def predicted(codec, ws, dram, **options):
    """Returns the predicted rate, in tuples per cycle."""
    design, value = design_of(codec, **options), walk(ws)
    ratios = (
        {}
        if options or codec == "none"
        else of_values(codec, CODECS[codec](64), np.zeros(len(value), int), value)
    )
    return design.predict(size=ws, slide=1, keys=1, dram=dram, **ratios).tuples_per_cycle


def answers_of(value, ws, select):
    """Returns the number, sum, maximum and perhaps median of each window of one key."""
    _, rows = windows_of(np.zeros(len(value), int), value, ws, 1)
    answers = [[number, total, most] for number, _, _, most, _, total in rows]
    if select == RANKED:
        for n, answer in enumerate(answers):
            answer.append(int(np.sort(value[n : n + ws])[(ws - 1) // 2]))
    return [tuple(answer) for answer in answers]


@cache
def measured(codec, ws, dram, select=SELECT, **options):
    """Returns the measured rate once all windows are cache hits, in tuples per cycle.

    Checks the rows and the number of cache hits.
    """
    design, value = design_of(codec, select, **options), walk(ws)
    events = [{"k": 7, "x": int(x), "y": 0} for x in value]
    settings = design.settings.values | {"size": ws, "slide": 1}
    run = shipped(design).run(
        [events], [settings], memory=Memory(backend=dram), idle_timeout=50_000, drain=5_000
    )
    expected = answers_of(kept(codec, design, value), ws, select)
    assert [(number, *values) for number, _, *values in run.packets[0]] == expected
    if "cached_keys" in options:
        assert run.counters["cached_windows"] == len(expected) - (ws - 1)
    return _rate(run, 2 * ws + 200)


@cache
def measured_in_time(codec, ws, dram, select=SELECT, **options):
    """Returns the measured rate of windows of time, in tuples per cycle.

    Tuple n comes at time n, so with RANGE ``ws`` and SLIDE 1 each tuple closes the window of the
    ``ws`` tuples before it. Checks the rows of full windows.
    """
    design, value = time_design_of(codec, select, **options), walk(ws)
    events = [{"k": 7, "x": int(x), "y": 0, "t": n} for n, x in enumerate(value)]
    settings = design.settings.values | {"range": ws, "slide": 1, "start": 0}
    run = shipped(design).run(
        [events], [settings], memory=Memory(backend=dram), idle_timeout=50_000, drain=5_000
    )
    expected = answers_of(kept(codec, design, value, True), ws, select)[:-1]
    assert [(number, *values) for number, _, _, *values in run.packets[0]] == expected
    if "cached_keys" in options:
        assert run.counters["cached_windows"] > len(expected) + 1 - 2 * ws
    return _rate(run, 2 * ws + 200)


def _rate(run, begin):
    """Returns the tuples per cycle from tuple ``begin`` on."""
    (into,) = run.outcome.inputs.values()
    cycles = into.beat_cycles
    return (len(cycles) - 1 - begin) / (cycles[-1] - cycles[begin])
