"""Checks the reduction of windows of lines against plain Python."""

import random
from functools import reduce

import pytest
from amaranth.hdl import Mux, signed, unsigned
from amaranth.lib import data

from gen.report.synthesis import synthesise
from gen.verilog.elaboration import to_rtlil
from rtl.aggregate.avg import Avg
from rtl.aggregate.count import Count
from rtl.aggregate.max import Max
from rtl.aggregate.min import Min
from rtl.aggregate.operator import Operator, Product
from rtl.aggregate.optional import Optional
from rtl.aggregate.select import Select
from rtl.aggregate.sum import Sum
from rtl.network.reduction import Reduction
from tb.bench.unit import run_streams
from tb.rtl.aggregate.models import bounds
from tb.rtl.lines import payloads, random_window, values, window

STALLS = [(0.0, 0.0), (0.3, 0.4)]


def row_of(shape):
    return data.StructLayout({"x": shape})


def drawer(rng, shape):
    """Returns a function that draws rows of a shape, often its least or greatest value."""
    low, high = bounds(shape)
    return lambda: {"x": rng.choice((low, high, rng.randint(low, high), rng.randint(low, high)))}


def run(dut, rng, windows, side, draw, stalls=(0.0, 0.0)):
    beats = payloads(windows, draw, side)
    stall_in, stall_out = stalls
    return run_streams(
        dut,
        {"i": beats},
        {"o": len(windows)},
        stall_in=stall_in,
        stall_out=stall_out,
        seed=rng.randrange(99),
    )


def last_cycles(lines):
    """Returns the cycles in which the last lines of windows are transferred."""
    return [cycle for cycle, line in zip(lines.cycles, lines.payloads, strict=True) if line["last"]]


def every(shape, tuples_max):
    bits = tuples_max.bit_length()
    return Product(
        least=Min("x", shape),
        total=Sum("x", shape, bits),
        number=Count(bits),
        mean=Avg("x", shape, bits),
        greatest=Max("x", shape),
        some=Optional(Max("x", shape)),
    )


def model(tuples):
    xs = [tuple_["x"] for tuple_ in tuples]
    return {
        "least": {"value": min(xs)},
        "total": {"value": sum(xs)},
        "number": {"value": len(xs)},
        "mean": {"value": sum(xs), "count": len(xs)},
        "greatest": {"value": max(xs)},
        "some": {"some": 1, "state": {"value": max(xs)}},
    }


@pytest.mark.parametrize("stalls", STALLS)
@pytest.mark.parametrize("shape", [signed(64), unsigned(32)], ids=str)
@pytest.mark.parametrize("lanes", [1, 4])
def test_every_aggregate(lanes, shape, stalls):
    rng = random.Random(f"{lanes} {shape} {stalls}")
    draw = drawer(rng, shape)
    lines = [1, 1, 1, 64 // lanes, 2, 1, 3, 5, 1, 1]
    windows = [random_window(rng, lanes, n, draw) for n in lines]
    # A full window of the value farthest from 0 requires the full width of the state.
    windows.append(window([{"x": max(bounds(shape), key=abs)}] * 64, lanes))
    side = [{"passenger": rng.randrange(32)} for _ in windows]
    dut = Reduction(every(shape, 64), row_of(shape), lanes, tuples=64, passenger=5)
    results = run(dut, rng, windows, side, draw, stalls)["o"].payloads
    assert [g["state"] for g in results] == [model(values(w)) for w in windows]
    assert [g["passenger"] for g in results] == [b["passenger"] for b in side]


@pytest.mark.parametrize("stalls", STALLS)
def test_contexts_of_windows_back_to_back(stalls):
    """Each window may have a different function."""
    rng = random.Random(4)
    shape = signed(6)
    draw = drawer(rng, shape)
    operator = Select([Min("x", shape), Sum("x", shape, 7), Max("x", shape), Count(7)])
    models = [min, sum, max, len]
    windows = [random_window(rng, 4, rng.choice((1, 1, 2, 7)), draw) for _ in range(40)]
    side = [{"context": rng.randrange(4), "passenger": rng.randrange(8)} for _ in windows]
    dut = Reduction(operator, row_of(shape), 4, tuples=64, passenger=3)
    results = run(dut, rng, windows, side, draw, stalls)["o"].payloads
    for g, w, b in zip(results, windows, side, strict=True):
        xs = [tuple_["x"] for tuple_ in values(w)]
        assert g["state"]["value"] == models[b["context"]](xs)
        assert (g["context"], g["passenger"]) == (b["context"], b["passenger"])


class Affine(Operator):
    """The map x -> a*x + b modulo 64: not commutative, and zeros are not neutral."""

    context = 1

    def state(self, tuples):
        return data.StructLayout({"a": 6, "b": 6})

    def lift(self, tuple_, context):
        return {"a": tuple_.row["a"], "b": tuple_.row["b"]}

    def combine(self, left, right, context):
        forth, back = (
            one["b"] * other["a"] + other["b"] for one, other in ((left, right), (right, left))
        )
        return {"a": (left["a"] * right["a"])[:6], "b": Mux(context, back, forth)[:6]}

    @property
    def result(self):
        return self.state(1)

    def lower(self, state, quotients, context):
        return state


def compose(left, right):
    return {"a": left["a"] * right["a"] % 64, "b": (left["b"] * right["a"] + right["b"]) % 64}


@pytest.mark.parametrize("lanes", [1, 2, 8])
def test_what_came_first_is_on_the_left(lanes):
    rng = random.Random(lanes)

    def draw():
        return {"a": rng.randrange(64) | 1, "b": rng.randrange(64)}

    windows = [random_window(rng, lanes, rng.choice((1, 2, 5)), draw) for _ in range(40)]
    side = [{"context": rng.randrange(2)} for _ in windows]
    row = data.StructLayout({"a": 6, "b": 6})
    dut = Reduction(Affine(), row, lanes, tuples=64)
    results = run(dut, rng, windows, side, draw, (0.2, 0.3))["o"].payloads
    for g, w, b in zip(results, windows, side, strict=True):
        maps = values(w)[::-1] if b["context"] else values(w)
        assert g["state"] == reduce(compose, maps)


def test_by_hand():
    """A window of ``. . 6 7`` and ``8 9 . .``, then a window of ``. 5 . .``."""
    windows = [[[None, None, 6, 7], [8, 9, None, None]], [[None, 5, None, None]]]
    windows = [[[n if n is None else {"x": n} for n in line] for line in w] for w in windows]
    operator = Product(least=Min("x", 4), total=Sum("x", 4, 3))
    dut = Reduction(operator, row_of(unsigned(4)), 4, tuples=8)
    results = run(dut, random.Random(0), windows, (), lambda: {"x": 1})["o"]
    assert [g["state"] for g in results.payloads] == [
        {"least": {"value": 6}, "total": {"value": 30}},
        {"least": {"value": 5}, "total": {"value": 5}},
    ]
    assert results.cycles == [1 + 3, 2 + 3]


@pytest.mark.parametrize("used", [1, 3, 5, 7])
def test_lanes_that_are_never_valid(used):
    """The tuples of lanes above are not read; the state, order and latency are the same."""
    rng = random.Random(used)
    shape = signed(5)
    draw = drawer(rng, shape)
    windows = [random_window(rng, used, rng.choice((1, 1, 2, 5)), draw) for _ in range(30)]
    windows = [[[*line, *[None] * (8 - used)] for line in window] for window in windows]
    dut = Reduction(every(shape, 64), row_of(shape), 8, tuples=64, used=used)
    runs = run(dut, rng, windows, (), draw)
    assert [g["state"] for g in runs["o"].payloads] == [model(values(w)) for w in windows]
    assert runs["o"].cycles == [cycle + 4 for cycle in last_cycles(runs["i"])]


@pytest.mark.parametrize(("lanes", "latency"), [(1, 1), (2, 2), (4, 3), (8, 4)])
def test_latency_and_rate(lanes, latency):
    """The rate is a line, and a window, per cycle."""
    rng = random.Random(lanes)
    draw = drawer(rng, unsigned(4))
    windows = [random_window(rng, lanes, n, draw) for n in (1, 1, 1, 3, 1, 8, 1, 1)]
    dut = Reduction(every(unsigned(4), 64), row_of(unsigned(4)), lanes, tuples=64)
    runs = run(dut, rng, windows, (), draw)
    assert runs["i"].cycles == list(range(sum(map(len, windows))))
    assert dut.latency == Reduction.latency_of(lanes) == latency
    assert runs["o"].cycles == [cycle + latency for cycle in last_cycles(runs["i"])]


def test_refuses():
    with pytest.raises(ValueError, match=r"^lanes must be a power of two, not 6$"):
        Reduction(Count(4), row_of(4), 6, tuples=9)


@pytest.mark.regress
def test_eight_lanes_of_64_bits_on_an_fpga():
    shape = signed(64)
    operator = Product(
        least=Min("x", shape), greatest=Max("x", shape), total=Sum("x", shape, 13), number=Count(13)
    )
    dut = Reduction(operator, row_of(shape), 8, tuples=4096, passenger=64)
    report = synthesise(to_rtlil(dut), "xcup", ".cache")
    assert report.depth <= 8
    assert report.bram36 == report.dsp == 0
