"""Checks the neighbours of a pivot, in the reduction of lines, against the plain model."""

import random
import struct

import pytest
from amaranth.hdl import signed, unsigned
from amaranth.lib import data

from rtl.aggregate.folded import Lifted, Repeated
from rtl.aggregate.neighbours import Neighbours
from rtl.aggregate.operator import TIMES
from rtl.network.reduction import Reduction
from tb.bench.unit import run_streams
from tb.rtl.aggregate.models import bounds
from tb.rtl.aggregate.pivots import known, state_of
from tb.rtl.lines import payloads, random_window, values

TUPLES = 64


def key_of(value, shape, floating=False):
    """Returns the unsigned key of a raw value."""
    if floating:
        sign = value >> shape.width - 1
        return value ^ ((1 << shape.width) - 1 if sign else 1 << shape.width - 1)
    return value + (1 << shape.width - 1) if shape.signed else value


def run(dut, windows, rubbish, stalls=(0.0, 0.0), seed=0):
    beats = payloads(windows, rubbish)
    stall_in, stall_out = stalls
    runs = run_streams(
        dut, {"i": beats}, {"o": len(windows)}, stall_in=stall_in, stall_out=stall_out, seed=seed
    )
    return [result["state"] for result in runs["o"].payloads]


def with_pivots(rng, lanes, draw, pivot, count=24):
    """Returns random windows of rows with the same pivot in all rows of a window, and pivots."""
    windows, pivots = [], []
    for _ in range(count):
        pivots.append(one := pivot())
        shape = random_window(rng, lanes, rng.choice((1, 1, 2, 5)), draw)
        windows.append(
            [[None if v is None else {"x": v, "pivot": one} for v in line] for line in shape]
        )
    return windows, pivots


@pytest.mark.parametrize("shape", [unsigned(3), signed(8)], ids=str)
@pytest.mark.parametrize(("lanes", "neighbours"), [(1, 1), (4, 1), (4, 2), (8, 4), (2, 4)])
def test_lists_and_counts(lanes, neighbours, shape):
    rng = random.Random(f"{lanes} {neighbours} {shape}")
    low, high = bounds(shape)

    def draw():
        return rng.choice((low, high, rng.randint(low, high), rng.randint(low, high)))

    windows, pivots = with_pivots(rng, lanes, draw, lambda: rng.getrandbits(shape.width))
    row = data.StructLayout({"x": shape, "pivot": shape.width})
    operator = Neighbours("x", shape, tuples=TUPLES, neighbours=neighbours)
    dut = Reduction(operator, row, lanes, tuples=TUPLES)
    rubbish = {"x": high, "pivot": 1}
    results = run(dut, windows, lambda: rubbish, (0.3, 0.4))
    for state, window, pivot in zip(results, windows, pivots, strict=True):
        keys = [key_of(row["x"], shape) for row in values(window)]
        assert known(state, shape.width) == state_of(keys, pivot, neighbours, shape.width)


@pytest.mark.parametrize("used", [1, 3, 5])
def test_lists_of_lanes_that_are_not_all_used(used):
    rng = random.Random(used)
    windows, pivots = with_pivots(rng, used, lambda: rng.getrandbits(4), lambda: rng.getrandbits(4))
    windows = [[[*line, *[None] * (8 - used)] for line in window] for window in windows]
    row = data.StructLayout({"x": 4, "pivot": 4})
    operator = Neighbours("x", unsigned(4), tuples=TUPLES, neighbours=4)
    dut = Reduction(operator, row, 8, tuples=TUPLES, used=used)
    results = run(dut, windows, lambda: {"x": 15, "pivot": 1})
    for state, window, pivot in zip(results, windows, pivots, strict=True):
        keys = [row["x"] for row in values(window)]
        assert known(state, 4) == state_of(keys, pivot, 4, 4)


def test_floats_are_in_total_order():
    floats = [-1.5, -0.0, 0.0, 1e-40, 2.5, float("inf"), float("-inf"), 3.0]
    bits = [struct.unpack("<I", struct.pack("<f", x))[0] for x in floats]
    shape = unsigned(32)
    keys = [key_of(x, shape, floating=True) for x in bits]
    assert sorted(keys) == [keys[k] for k in (6, 0, 1, 2, 3, 4, 7, 5)]
    windows = [[[{"x": x, "pivot": keys[2]} for x in bits]]]
    row = data.StructLayout({"x": shape, "pivot": 32})
    operator = Neighbours("x", shape, tuples=8, neighbours=2, floating=True)
    (state,) = run(Reduction(operator, row, 8, tuples=8), windows, dict)
    assert known(state, 32) == state_of(keys, keys[2], 2, 32)
    assert (state["less"], state["upto"]) == (3, 4)


def test_repeated_and_lifted_as_in_a_serial_decoder():
    """Runs of equal values become states of blocks, and the states one state of the window."""
    rng = random.Random(5)
    shape, neighbours, max_times = unsigned(4), 2, 5
    operator = Neighbours("x", shape, tuples=TUPLES, neighbours=neighbours)
    runs = Repeated(operator, each=max_times, tuples=TUPLES)
    row = data.StructLayout({"x": 4, TIMES: 3, "pivot": 4})
    windows, pivots = with_pivots(rng, 1, lambda: rng.getrandbits(4), lambda: rng.getrandbits(4))
    for window in windows:
        for slot in values(window):
            slot[TIMES] = rng.randint(1, max_times)
    states = run(Reduction(runs, row, 1, tuples=TUPLES), windows, lambda: {TIMES: 1})
    expanded = [
        [slot["x"] for slot in values(window) for _ in range(slot[TIMES])] for window in windows
    ]
    for state, keys, pivot in zip(states, expanded, pivots, strict=True):
        assert known(state, 4) == state_of(keys, pivot, neighbours, 4)
    # Two blocks of the same pivot are one window.
    blocks = [[3, 3, 9, 1], [2, 15, 3, 8]]
    windows = [[[{"r0": state_of(block, 3, neighbours, 4)}] for block in blocks]]
    lifted = Lifted(operator, "r0", each=8, tuples=TUPLES)
    row = data.StructLayout({"r0": operator.state(8)})
    (state,) = run(Reduction(lifted, row, 1, tuples=TUPLES), windows, dict)
    assert known(state, 4) == state_of(blocks[0] + blocks[1], 3, neighbours, 4)


@pytest.mark.parametrize("neighbours", [3, 0, -2])
def test_refuses(neighbours):
    message = rf"^neighbours must be a power of two, not {neighbours}$"
    with pytest.raises(ValueError, match=message):
        Neighbours("x", 8, tuples=8, neighbours=neighbours)
