"""Counts the zeros of every number of a few bits."""

import pytest
from amaranth.hdl import Module, Signal
from amaranth.sim import Simulator

from rtl.stream.zeros import leading_zeros, one_below, trailing_zeros, zeros_below


@pytest.mark.parametrize("width", [1, 2, 4, 8])
def test_every_number(width):
    m, value = Module(), Signal(width)
    places = Signal(range(width + 1))
    functions = trailing_zeros(value), leading_zeros(value), zeros_below(m, value)
    outputs = [Signal(8, name=f"o{k}") for k in range(len(functions))]
    m.d.comb += [output.eq(count) for output, count in zip(outputs, functions, strict=True)]
    below = Signal()
    m.d.comb += below.eq(one_below(value, places))

    async def check(ctx):
        for number in range(1 << width):
            ctx.set(value, number)
            text = f"{number:0{width}b}"
            trailing, leading, up_to_width = (ctx.get(output) for output in outputs)
            assert up_to_width == len(text) - len(text.rstrip("0"))
            if number:
                assert trailing == up_to_width
                assert leading == len(text) - len(text.lstrip("0"))
            for place in range(width + 1):
                ctx.set(places, place)
                assert ctx.get(below) == (number % (1 << place) != 0)

    simulator = Simulator(m)
    simulator.add_testbench(check)
    simulator.run()


@pytest.mark.parametrize("width", [3, 5, 6, 12])
def test_other_widths_are_refused(width):
    for count in (trailing_zeros, leading_zeros, lambda value: zeros_below(None, value)):
        with pytest.raises(ValueError, match="width must be a power of two"):
            count(Signal(width))
