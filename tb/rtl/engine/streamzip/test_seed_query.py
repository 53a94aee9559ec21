"""Checks rates, gains and passes of the seed's query, with medians by pivots, on a DRAM."""

from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest

from tb.figures.seed_query import DESIGNS, point_of
from tb.rtl.aggregate.pivots import percentile

pytestmark = [pytest.mark.hdl, pytest.mark.regress]

#: Bits of a value.
WIDTH = 64


@cache
def rate(name, ws):
    """Returns the measured rate with a window after every tuple, near its prediction."""
    point = point_of(name, ws, 1)
    measured = point.measured(windows=1500).rate
    assert abs(measured / point.predicted.tuples_per_cycle - 1) <= 0.1
    return measured


@pytest.mark.parametrize(("name", "ws"), [("base-delta", 256), ("xor", 256), ("sz", 4096)])
def test_gain_over_dram_only(name, ws, record_property):
    """The gain is at least the seed's; dram-only finds medians by pivots, too."""
    gain = rate(name, ws) / rate("dram-only", ws)
    record_property("gain", gain)
    assert gain >= DESIGNS[name].gain


def test_one_pass_suffices_after_the_first_window_of_each_key():
    """With a SLIDE of 1 and K = 1 all further passes are those of first windows.

    Their searches begin with the pivot 0, the contents of the memory of pivots at power-up.
    """
    point = replace(point_of("dram-only", 256, 1), options=(("neighbours", 1),))
    tuples, begin = point.drawn(cycles=20_000, windows=2000)
    measured = tuples.measured(point.design, point.dram, begin)
    first_passes = []
    for key in range(point.keys):
        window = tuples.value[tuples.key == key][: point.ws].tolist()
        ranks = [value + (1 << WIDTH - 1) for value in window]
        first_passes.append(percentile(ranks, Fraction(1, 2), 0, 1, WIDTH)[1])
    further = sum(first_passes) - point.keys
    assert further > 0
    assert measured.all_passes - measured.windows == further
