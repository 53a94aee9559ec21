"""Checks doubled numbers of half precision, all but NaNs, against NumPy."""

import numpy as np
import pytest
from amaranth.hdl import Module, Signal

from rtl.float.doubling import doubled
from rtl.float.format import HALF
from tb.bench.unit import simulate


@pytest.mark.in_turn(5)
def test_every_half():
    m, value, result = Module(), Signal(16), Signal(16)
    m.d.comb += result.eq(doubled(HALF, value))
    halves = [bits for bits in range(1 << 16) if bits & 0x7FFF <= HALF.infinity]
    received = []

    async def bench(ctx):
        for bits in halves:
            ctx.set(value, bits)
            received.append(ctx.get(result))
            await ctx.delay(1e-9)

    simulate(m, bench)
    with np.errstate(over="ignore"):
        expected = (np.array(halves, np.uint16).view(np.float16) * np.float16(2)).view(np.uint16)
    assert received == expected.tolist()
