"""Checks the delay of a stream: order, cycles, and a reset."""

import pytest
from amaranth.hdl import ResetInserter, Signal

from rtl.ethernet.delay import Delay
from tb.bench.unit import run_streams, simulate


def test_delay():
    run = run_streams(Delay(8, 3), {"i": list(range(50))}, {"o": 50}, stall_in=0.5)
    assert run["o"].payloads == list(range(50))
    assert [o - i for o, i in zip(run["o"].cycles, run["i"].cycles, strict=True)] == [3] * 50


def test_a_reset_drops_what_is_inside():
    """With a reset in cycle 3 the items of cycles 1 to 3 are lost; item 0 leaves in cycle 3."""
    dut, reset, received = Delay(8, 3), Signal(), []

    async def bench(ctx):
        for cycle in range(12):
            ctx.set(reset, cycle == 3)
            ctx.set(dut.i.valid, cycle < 6)
            ctx.set(dut.i.p, cycle)
            _, _, valid, item = await ctx.tick().sample(dut.o.valid, dut.o.p)
            received.extend([(cycle, item)] if valid else [])

    simulate(ResetInserter(reset)(dut), bench)
    assert received == [(3, 0), (7, 4), (8, 5)]


def test_wrong_parameters_are_refused():
    with pytest.raises(ValueError, match=r"^cycles must be an integer of at least 1, not 0$"):
        Delay(8, 0)
