"""Checks the divider: all pairs of small shapes, corners of larger shapes, stalls."""

import random

import pytest
from amaranth.hdl import signed, unsigned

from rtl.aggregate.division import Divider
from tb.aggregates import truncated
from tb.bench.elaborated import elaborated
from tb.bench.unit import simulate
from tb.rtl.aggregate.models import bounds


def divide(dut, pairs, stall=0.0, seed=0):
    """Returns the divider's quotients of ``pairs``, one per enabled cycle."""
    rng, quotients = random.Random(seed), []

    async def bench(ctx):
        enabled = 0
        while enabled < len(pairs) + dut.latency:
            enable = rng.random() >= stall
            ctx.set(dut.enable, enable)
            if enable:
                dividend, divisor = pairs[min(enabled, len(pairs) - 1)]
                ctx.set(dut.dividend, dividend)
                ctx.set(dut.divisor, divisor)
                if enabled >= dut.latency:
                    quotients.append(ctx.get(dut.quotient))
            else:
                ctx.set(dut.divisor, rng.getrandbits(len(dut.divisor)))
            enabled += enable
            await ctx.tick()

    simulate(dut, bench)
    return quotients


def fitting(pairs, quotient):
    """Returns the pairs whose quotient fits the shape ``quotient``."""
    low, high = bounds(quotient)
    return [(a, b) for a, b in pairs if b and low <= truncated(a, b) <= high]


@pytest.mark.parametrize("step", [1, 2, 3, 7])
@pytest.mark.parametrize(
    ("dividend", "divisor", "quotient"),
    [
        (signed(6), unsigned(3), signed(3)),
        (unsigned(5), unsigned(3), unsigned(2)),
        (unsigned(4), unsigned(4), unsigned(4)),
        (signed(5), unsigned(2), signed(5)),
        (unsigned(4), unsigned(3), unsigned(1)),
    ],
)
def test_every_pair(dividend, divisor, quotient, step):
    low, high = bounds(dividend)
    every = [(a, b) for a in range(low, high + 1) for b in range(1, 1 << divisor.width)]
    pairs = fitting(every, quotient)
    dut = Divider(dividend, divisor, quotient, step=step)
    assert divide(dut, pairs) == [truncated(a, b) for a, b in pairs]


@pytest.mark.parametrize("step", [1, 2, 3])
@pytest.mark.parametrize("stall", [0.0, 0.5])
def test_averages_of_corner_values(step, stall):
    rng, count = random.Random(step), 12
    x = signed(19)
    low, high = bounds(x)
    pairs = []
    for _ in range(120):
        n = rng.choice((1, 2, 3, (1 << count) - 1, rng.randrange(1, 1 << count)))
        pairs.append((rng.choice((low * n, high * n, rng.randint(low * n, high * n), -1, 0)), n))
    dut = Divider(signed(19 + count), unsigned(count), x, step=step)
    assert divide(dut, pairs, stall, seed=step) == [truncated(a, b) for a, b in pairs]


def test_by_hand():
    pairs = [(12, 2), (7, 2), (-7, 2), (-8, 1), (-1, 7), (7, 7), (-15, 7)]
    assert divide(Divider(signed(6), 3, signed(4)), pairs) == [6, 3, -3, -8, 0, 1, -2]


@pytest.mark.parametrize(
    ("width", "step", "latency"), [(32, 2, 18), (32, 1, 34), (33, 2, 19), (7, 3, 5), (1, 4, 3)]
)
def test_latency_formula(width, step, latency):
    dut = elaborated(Divider(width + 4, 4, width, step=step))
    assert dut.latency == Divider.latency_of(width, step) == latency


def test_nothing_moves_while_disabled():
    dut, quotients = Divider(6, 3, 3), []

    async def bench(ctx):
        ctx.set(dut.enable, 1)
        ctx.set(dut.dividend, 20)
        ctx.set(dut.divisor, 4)
        await ctx.tick().repeat(dut.latency)
        ctx.set(dut.enable, 0)
        ctx.set(dut.dividend, 7)
        for _ in range(2 * dut.latency):
            quotients.append(ctx.get(dut.quotient))
            await ctx.tick()

    simulate(dut, bench)
    assert set(quotients) == {5}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((signed(8), signed(4), signed(4)), r"^divisor must be unsigned, not signed\(4\)$"),
        (
            (signed(8), 4, 4),
            r"^dividend and quotient must have one signedness, not signed\(8\) and unsigned\(4\)$",
        ),
        ((4, 3, 8), r"^dividend must have at least the quotient's 8 bits, not 4$"),
    ],
)
def test_refuses_shapes(arguments, message):
    with pytest.raises(ValueError, match=message):
        Divider(*arguments)


@pytest.mark.parametrize("step", [0, -1, 1.5])
def test_refuses_step(step):
    with pytest.raises(ValueError, match=rf"^step must be an integer of at least 1, not {step}$"):
        Divider(8, 4, 4, step=step)
