"""Checks lowering without divisions, with divisions, and with divisions of mixed latency."""

import random

import pytest
from amaranth.hdl import signed, unsigned

from rtl.aggregate.avg import Avg
from rtl.aggregate.lower import Lower
from rtl.aggregate.max import Max
from rtl.aggregate.operator import Product
from rtl.aggregate.select import Select
from rtl.aggregate.sum import Sum
from tb.aggregates import truncated
from tb.bench.unit import run_stream, run_streams, simulate

LANES, COUNT = 3, 5


def mean(width, column="x"):
    return Avg(column, signed(width), COUNT)


NARROW, WIDE = Max("x", signed(4)), Max("x", unsigned(7))
#: Least and greatest value of each maximum.
MAXIMA = {NARROW: (-8, 7), WIDE: (0, 127)}
#: Parts of the state by name, and the latency.
CASES = {
    "none": ({"s": Sum("x", signed(4), COUNT), "m": NARROW}, 0),
    "one": ({"s": Sum("x", signed(4), COUNT), "a": mean(4)}, 2 + 2),
    "three": ({"a": mean(4), "m": WIDE, "b": mean(9), "c": mean(1)}, 2 + 5),
}


def draw(rng, part):
    """Returns a state of up to 31 tuples, with any sum or value that these can have."""
    if isinstance(part, Avg):
        (_, _, shape), n = part.quotients[0], rng.randrange(1, 32)
        half = 1 << (shape.width - 1)
        return {"value": rng.randint(-half * n, (half - 1) * n), "count": n}
    if isinstance(part, Sum):  # of int(4): -8 to 7
        return {"value": rng.randint(-8 * 31, 7 * 31)}
    least, greatest = MAXIMA[part]
    return {"value": rng.randint(least, greatest)}


def model(part, state):
    return truncated(state["value"], state["count"]) if isinstance(part, Avg) else state["value"]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize(("stall_in", "stall_out"), [(0.0, 0.0), (0.4, 0.2), (0.1, 0.5)])
def test_lowers_every_lane(case, stall_in, stall_out):
    parts, latency = CASES[case]
    rng = random.Random(7)
    beats = [
        {
            "lanes": [
                {name: draw(rng, part) for name, part in parts.items()} for _ in range(LANES)
            ],
            "context": 0,
            "passenger": rng.randrange(64),
        }
        for _ in range(60)
    ]
    expected = [
        beat
        | {
            "lanes": [
                {name: model(part, state[name]) for name, part in parts.items()}
                for state in beat["lanes"]
            ]
        }
        for beat in beats
    ]
    dut = Lower(Product(**parts), LANES, tuples=31, passenger=6)
    assert dut.latency == latency
    run = run_streams(dut, {"i": beats}, {"o": 60}, stall_in=stall_in, stall_out=stall_out, seed=8)
    assert run["o"].payloads == expected
    if not stall_in and not stall_out:
        assert run["i"].cycles == [k * dut.initiation_interval for k in range(60)]
        assert run["o"].cycles == [k + latency for k in range(60)]


def test_by_hand():
    dut = Lower(mean(5), 2, tuples=31)
    lanes = [{"value": 12, "count": 2}, {"value": -7, "count": 2}]
    beat = {"lanes": lanes, "context": 0, "passenger": 0}
    assert run_stream(dut, [beat], expected=1).payloads[0]["lanes"] == [6, -3]


def test_busy_while_a_beat_is_inside():
    """A division of 4 bits takes 4 cycles, and busy is high in these cycles alone."""
    dut, seen = Lower(mean(4), 1, tuples=31), []

    async def bench(ctx):
        ctx.set(dut.o.ready, 1)
        lanes = [{"value": 6, "count": 2}]
        ctx.set(dut.i.p, {"lanes": lanes, "context": 0, "passenger": 0})
        ctx.set(dut.i.valid, 1)
        seen.append(ctx.get(dut.busy))
        await ctx.tick()
        ctx.set(dut.i.valid, 0)
        for _ in range(6):
            seen.append(ctx.get(dut.busy))
            await ctx.tick()

    simulate(dut, bench)
    assert seen == [0, 1, 1, 1, 1, 0, 0]


@pytest.mark.parametrize("stall_out", [0.0, 0.4])
def test_each_beat_has_a_function_of_its_own(stall_out):
    """Beats select a sum or an average at random; the selection is delayed like the division."""
    rng = random.Random(11)
    part, beats, expected = mean(4), [], []
    for _ in range(40):
        state, function = draw(rng, part), rng.randrange(2)
        beats.append({"lanes": [state], "context": function, "passenger": 0})
        expected.append(model(part, state) if function else state["value"])
    dut = Lower(Select([Sum("x", signed(4), COUNT), part]), 1, tuples=31)
    lowered = run_stream(dut, beats, expected=40, stall_out=stall_out, seed=12).payloads
    assert [beat["lanes"][0] for beat in lowered] == expected
