"""Measures rates of one key with a window after every tuple, with a cache of windows and
without.
"""

from functools import cache

import numpy as np

from gen.prediction.expected_rate import of_values
from golden.codecs.registry import CODECS
from sim.memory import Memory
from tb.rtl.engine.bench import shipped
from tb.rtl.engine.key_bench import point
from tb.rtl.engine.key_values import windows_of

SIZE = {"entries": 64, "window_max": 1024, "ports": 4, "port_bits": 128}


@cache
def design_of(codec, **options):
    """Returns a design for windows of up to 1,024 values of 64 bits."""
    select = "sum(x), max(x)"
    return point(1024, 1, "int(64)", select, "uint(32)", codec=codec, **SIZE, **options)


def walk(ws):
    """Returns values with small differences between neighbours."""
    return np.cumsum(np.random.default_rng(1).integers(-3, 4, 2 * ws + 1500))


@cache
def predicted(codec, ws, dram, **options):
    """Returns the predicted rate, in tuples per cycle."""
    design, value = design_of(codec, **options), walk(ws)
    ratios = (
        {} if options else of_values(codec, CODECS[codec](64), np.zeros(len(value), int), value)
    )
    return design.predict(size=ws, slide=1, keys=1, dram=dram, **ratios).tuples_per_cycle


@cache
def measured(codec, ws, dram, **options):
    """Returns the measured rate once all windows are cache hits, in tuples per cycle.

    Checks the rows and the number of cache hits.
    """
    design, value = design_of(codec, **options), walk(ws)
    count, begin = len(value), 2 * ws + 200
    events = [{"k": 7, "x": int(x), "y": 0} for x in value]
    settings = design.settings.values | {"size": ws, "slide": 1}
    run = shipped(design).run(
        [events], [settings], memory=Memory(backend=dram), idle_timeout=50_000, drain=5_000
    )
    _, rows = windows_of(np.zeros(count, int), value, ws, 1)
    expected = [(number, total, most) for number, _, _, most, _, total in rows]
    assert [(number, *values) for number, _, *values in run.packets[0]] == expected
    if options:
        assert run.counters["cached_windows"] == len(rows) - (ws - 1)
    (into,) = run.outcome.inputs.values()
    return (count - 1 - begin) / (into.beat_cycles[-1] - into.beat_cycles[begin])
