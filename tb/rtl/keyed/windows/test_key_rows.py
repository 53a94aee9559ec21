"""Checks windows of a key by rows, step by step, against slices of a list."""

import random

import pytest
from amaranth.hdl import Module, Signal
from amaranth.sim import Simulator

from rtl.keyed.windows.key_rows import KeyRows


def steps(plan, size, slide, count):
    """Returns (closes, place, window) of each tuple of one key, as the hardware computes them."""
    m = Module()
    state, closes = Signal(plan.state), Signal()
    size_, slide_ = Signal(range(plan.window_max + 1)), Signal(range(plan.window_max + 1))
    filled, following = plan.step(state, size_, slide_)
    m.d.comb += closes.eq(filled)
    m.d.sync += [state[name].eq(value) for name, value in following.items()]
    result = []

    async def bench(ctx):
        ctx.set(size_, size)
        ctx.set(slide_, slide)
        for _ in range(count):
            _, _, place, window, closed = await ctx.tick().sample(state.place, state.window, closes)
            result.append((closed, place, window))

    simulator = Simulator(m)
    simulator.add_clock(1e-6)
    simulator.add_testbench(bench)
    simulator.run()
    return result


@pytest.mark.parametrize(("window_max", "places"), [(1, 32), (5, 32), (16, 32), (16, 16), (8, 8)])
def test_windows_are_those_of_a_list(window_max, places):
    """The longest window may fill the ring."""
    plan = KeyRows(window_max=window_max, places=places, number_bits=5)
    rng = random.Random(window_max)
    for size in {1, window_max, rng.randint(1, window_max), rng.randint(1, window_max)}:
        for slide in {1, size, rng.randint(1, size)}:
            result = steps(plan, size, slide, 150)
            ends = [k for k, (closed, _, _) in enumerate(result) if closed]
            assert ends == list(range(size - 1, 150, slide))
            assert [result[k][2] for k in ends] == [j % 32 for j in range(len(ends))]
            assert [place for _, place, _ in result] == [k % places for k in range(150)]


@pytest.mark.parametrize("places", [8, 24])
def test_rings_that_cannot_be(places):
    text = f"places must be a power of two of at least 9, not {places}"
    with pytest.raises(ValueError, match=text):
        KeyRows(window_max=9, places=places)
