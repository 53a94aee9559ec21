"""Rate, latency and every row of the sliding-window engine at the seed's design point.

P = 4, k = 128, windows of up to 16,384 tuples, 32-bit group and value, all operators. The rates are
those of figure 10 in seed 003. They are measured over 20 windows, from the last row of the first
window to the last row of window 21. The rows of each point are compared with the model.
"""

import random

import numpy as np
import pytest

from tb.rtl.engine.bench import shipped
from tb.rtl.engine.swag_bench import AGGREGATES, patterned_tuples, point, run

#: The design takes as long to build as a dozen small designs, which run every day.
pytestmark = [pytest.mark.hdl, pytest.mark.regress, pytest.mark.long("passes")]

PASSES = ("shared", "pipelined")
LANES, CAPACITY = 4, 128
WINDOWS = 21


def design_of(passes):
    return point("uint(32)", "int(32)", AGGREGATES, results="select", passes=passes)


def spread():
    """Returns pairs (ws, wa): powers of two over the whole range, and random multiples of P."""
    fixed = [(4, 4), (16, 4), (32, 32), (64, 16), (128, 128), (128, 4), (132, 132), (132, 4)]
    fixed += [(256, 256), (256, 32), (512, 512), (1024, 64), (2048, 2048), (4096, 512)]
    fixed += [(8192, 1024), (16384, 4096), (16384, 4)]
    rng = random.Random(3)
    while len(fixed) < 20:
        max_ws = rng.choice([128, 512, 4096])
        ws = rng.randrange(4, max_ws + 1, 4)
        fixed.append((ws, rng.randrange(4, ws + 1, 4)))
    return fixed


KINDS = ("random", "one group", "all distinct", "all equal", "sorted", "reversed", "sawtooth")


def ideal(passes, ws, wa):
    """Returns the input tuples per cycle of the seed's engine without any gap."""
    halves = 2 if passes == "shared" and ws > CAPACITY else 1
    return LANES * wa / ws / halves


def measure(passes, ws, wa, windows=WINDOWS, kind="random", **options):
    """Returns the input tuples per cycle and the latency of a checked run."""
    design = design_of(passes)
    function = random.Random(ws * wa).randrange(len(design.settings.functions))
    stream = patterned_tuples(kind, ws + (windows - 1) * wa, seed=ws + wa)
    settings = {"size": ws, "slide": wa, "function": function}
    result, actual, expected = run(shipped(design), [stream], [settings], **options)
    assert actual == expected
    assert len(actual[0]) == windows
    outcome = result.outcome
    ends = outcome.beat_cycles[np.flatnonzero(outcome.beats.last)]
    rate = (windows - 1) * wa / (ends[-1] - ends[0])
    return rate, outcome.first_output - outcome.first_input


@pytest.mark.parametrize("passes", PASSES)
@pytest.mark.parametrize(("ws", "wa"), spread())
def test_rate(passes, ws, wa, record_property):
    rate, _ = measure(passes, ws, wa)
    record_property("of_ideal", float(rate / ideal(passes, ws, wa)))
    assert rate >= 0.97 * ideal(passes, ws, wa)


@pytest.mark.parametrize("passes", PASSES)
@pytest.mark.parametrize("kind", KINDS)
def test_rows_of_every_kind_of_data_under_stalls(passes, kind):
    for ws, wa, windows in ((64, 20, 9), (128, 128, 5), (300, 100, 7), (1500, 700, 4)):
        options = {"stall_input": 0.3, "stall_output": 0.3, "seed": ws}
        measure(passes, ws, wa, windows, kind, **options)


@pytest.mark.parametrize("passes", PASSES)
def test_latency_is_that_of_figure_11(passes):
    """The latency is constant up to k, linear in ws above, and independent of the slide."""
    design, latencies = design_of(passes), {}
    for ws in (4, 64, 128, 256, 1024, 4096, 12288):
        slides = {4, ws}
        latencies[ws] = [measure(passes, ws, wa, 2, "all distinct")[1] for wa in sorted(slides)]
        expected = design.predict(size=ws, slide=4).cycles
        assert all(abs(cycles - expected) <= 0.15 * expected for cycles in latencies[ws])
    small = [cycles for ws in latencies if ws <= CAPACITY for cycles in latencies[ws]]
    assert max(small) <= 1.15 * min(small)
    slope = (latencies[12288][0] - latencies[4096][0]) / (12288 - 4096)
    assert slope == pytest.approx(1 / LANES, rel=0.05)


@pytest.mark.parametrize("passes", PASSES)
@pytest.mark.parametrize("kind", KINDS)
def test_rate_for_every_kind_of_data(passes, kind):
    for ws, wa in ((128, 64), (1024, 512)):
        rate, _ = measure(passes, ws, wa, kind=kind)
        assert rate >= 0.97 * ideal(passes, ws, wa)


def grid():
    sizes = [1 << bits for bits in range(2, 15)]
    return [(ws, wa) for ws in sizes for wa in sizes if wa <= ws]


@pytest.mark.regress
@pytest.mark.parametrize("passes", PASSES)
@pytest.mark.parametrize(("ws", "wa"), grid())
def test_rate_over_the_whole_grid(passes, ws, wa, record_property):
    rate, _ = measure(passes, ws, wa)
    record_property("of_ideal", float(rate / ideal(passes, ws, wa)))
    assert rate >= 0.97 * ideal(passes, ws, wa)
