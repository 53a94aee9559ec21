"""Checks percentiles of windows of lines against Python's sorted."""

import random
from fractions import Fraction
from math import ceil

import pytest
from amaranth.hdl import signed, unsigned
from amaranth.lib import data

from gen.report.synthesis import synthesise
from gen.verilog.elaboration import to_rtlil
from rtl.sort.ranked import Ranked
from tb.bench.unit import run_streams
from tb.rtl.aggregate.models import bounds
from tb.rtl.lines import payloads, random_window, values, window

SIZES = {"lanes": 4, "capacity": 8, "window_max": 64}
LONG = pytest.mark.regress
PASSES = ("shared", "pipelined")
MEDIAN = (Fraction(1, 2),)
PERCENTILES = (Fraction(1, 2), Fraction(9, 10), Fraction(1), Fraction(1, 1000))


def percentile(members, p, key=None):
    return sorted(members, key=key)[ceil(p * len(members)) - 1]


def in_total_order(bits, width=32):
    """Returns a number whose order is totalOrder of the float with these bits."""
    magnitude = bits & ((1 << (width - 1)) - 1)
    return -1 - magnitude if bits >> (width - 1) else magnitude


def random_windows(rng, draw, lines, kind=None):
    """Draws a window for each number of lines in ``lines``."""
    return [random_window(rng, 4, n, draw, kind) for n in lines]


def run(dut, rng, windows, *, stalls=(0.0, 0.0), side=(), bound=len):
    """Runs windows with bounds by ``bound``, and passengers and contexts from ``side``."""
    low, high = bounds(dut.i.p.tuples[0].shape())
    side = side or [{}] * len(windows)
    side = [b | {"bound": bound(values(w))} for b, w in zip(side, windows, strict=True)]
    beats = payloads(windows, lambda: rng.randint(low, high), side)
    return run_streams(
        dut,
        {"i": beats},
        {"o": len(windows)},
        stall_in=stalls[0],
        stall_out=stalls[1],
        seed=rng.randrange(99),
    )


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("passes", "stalls"),
    [
        ("shared", (0.3, 0.4)),
        ("pipelined", (0.0, 0.0)),
        pytest.param("shared", (0.0, 0.0), marks=LONG),
        pytest.param("pipelined", (0.3, 0.4), marks=LONG),
    ],
)
def test_windows_of_changing_sizes(passes, stalls):
    """Windows have one value to the maximum, in any lanes; many small windows in a row."""
    rng = random.Random(f"{passes} {stalls}")
    lines = [1] * 8 + [rng.choice((1, 1, 2, 3, 5)) for _ in range(6)] + [16, 1, 2]
    windows = random_windows(rng, lambda: rng.randrange(-128, 128), lines)
    windows += [window([rng.randrange(9)] * 64, 4), window([5], 4, first=2), [[None] * 4, [3] * 4]]
    side = [{"passenger": k % 64} for k, _ in enumerate(windows)]
    dut = Ranked(signed(8), targets=PERCENTILES, passes=passes, passenger=6, **SIZES)
    results = run(dut, rng, windows, stalls=stalls, side=side)["o"].payloads
    assert results == [
        {"values": [percentile(values(w), p) for p in PERCENTILES]} | b
        for w, b in zip(windows, side, strict=True)
    ]


@pytest.mark.parametrize(
    ("lanes", "capacity", "window_max"),
    [(1, 4, 16), *(pytest.param(*sizes, marks=LONG) for sizes in [(2, 8, 8), (8, 16, 64)])],
)
def test_other_sizes_of_the_sorter(lanes, capacity, window_max):
    rng = random.Random(lanes)
    lines = [1, 1, window_max // lanes, 1, window_max // lanes, 2, 1, 1]
    windows = [random_window(rng, lanes, n, lambda: rng.randrange(256)) for n in lines]
    dut = Ranked(8, lanes, targets=MEDIAN, capacity=capacity, window_max=window_max)
    results = run(dut, rng, windows, stalls=(0.2, 0.2))["o"].payloads
    assert [g["values"] for g in results] == [[percentile(values(w), MEDIAN[0])] for w in windows]


@LONG
@pytest.mark.parametrize("shape", [signed(64), unsigned(64), signed(32), unsigned(32)], ids=str)
def test_types(shape):
    rng = random.Random(str(shape))
    low, high = bounds(shape)
    windows = random_windows(
        rng, lambda: rng.choice((low, high, 0, rng.randint(low, high))), [1, 2, 16, 3, 1]
    )
    dut = Ranked(shape, targets=PERCENTILES[:2], **SIZES)
    results = run(dut, rng, windows)["o"].payloads
    assert [g["values"] for g in results] == [
        [percentile(values(w), p) for p in PERCENTILES[:2]] for w in windows
    ]


@LONG
def test_floats_in_total_order():
    """Values are zeros of both signs, infinities and any numbers; a window has only infinities."""
    rng = random.Random(7)
    special = (0, 1 << 31, 0x7F800000, 0xFF800000, 1, 0x3F800000, 0xBF800000)

    def draws():
        return rng.choice((*special, rng.randrange(0x7F800000)))

    windows = [*random_windows(rng, draws, [1, 1, 4, 16, 2]), window([0x7F800000] * 5, 4)]
    dut = Ranked(32, targets=PERCENTILES, floating=True, **SIZES)
    results = run(dut, rng, windows)["o"].payloads
    assert [g["values"] for g in results] == [
        [percentile(values(w), p, in_total_order) for p in PERCENTILES] for w in windows
    ]


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("passes", [PASSES[0], pytest.param(PASSES[1], marks=LONG)])
def test_bounds_that_are_not_exact(passes):
    rng = random.Random(11)
    windows = random_windows(rng, lambda: rng.randrange(100), [1, 1, 2, 3, 1, 16, 1])
    bounds_ = (rng.choice((64, len(values(w)) + 1)) for w in windows)
    dut = Ranked(7, targets=MEDIAN, passes=passes, **SIZES)
    results = run(dut, rng, windows, bound=lambda members: min(64, next(bounds_)))["o"].payloads
    assert [g["values"] for g in results] == [[percentile(values(w), MEDIAN[0])] for w in windows]


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("stalls", [(0.3, 0.3), pytest.param((0.0, 0.0), marks=LONG)])
def test_percentiles_set_at_run_time(stalls):
    """Each window has its own fractions; other columns of the context are ignored."""
    rng = random.Random(13)
    layout = data.StructLayout({"function": 3, "p0": 17, "p1": 17})
    windows = random_windows(rng, lambda: rng.randrange(256), [1, 1, 1, 2, 16, 9, 1, 3, 1, 1])
    fractions = [[rng.choice((1, 65536, rng.randint(1, 65536))) for _ in "pp"] for _ in windows]
    side = [
        {"context": rng.randrange(8) | p0 << layout["p0"].offset | p1 << layout["p1"].offset}
        for p0, p1 in fractions
    ]
    dut = Ranked(8, targets=("p0", "p1"), context=layout, **SIZES)
    results = run(dut, rng, windows, stalls=stalls, side=side)["o"].payloads
    assert [g["values"] for g in results] == [
        [percentile(values(w), Fraction(p, 65536)) for p in window_fractions]
        for w, window_fractions in zip(windows, fractions, strict=True)
    ]


def test_a_median_by_hand():
    """Lines ``. 9 2 .`` and ``7 . . 4`` are 2 4 7 9, and the second value is the median."""
    dut = Ranked(4, targets=MEDIAN, **SIZES)
    windows = [[[None, 9, 2, None], [7, None, None, 4]], [[None, None, None, 3]]]
    results = run(dut, random.Random(0), windows)["o"].payloads
    assert [g["values"] for g in results] == [[4], [3]]


@pytest.mark.parametrize(
    ("size", "passes"),
    [
        (4, "shared"),
        *(pytest.param(n, p, marks=LONG) for n in (1, 5, 8, 9, 24, 64) for p in PASSES),
    ],
)
def test_latency_and_interval(size, passes):
    """The latency of dense windows is exact for one beat, and up to 5 P longer for others."""
    rng = random.Random(size)
    windows = [window([rng.randrange(99) for _ in range(size)], 4) for _ in range(12)]
    dut = Ranked(7, targets=MEDIAN, passes=passes, **SIZES)
    out = run(dut, rng, windows)["o"].cycles
    delay = out[0] - Ranked.latency_of(size, **SIZES)
    assert 0 <= delay <= (0 if size <= 4 else 20)
    predicted = Ranked.interval_of(size, passes=passes, **SIZES)
    members = (out[9] - out[3]) / 6
    assert abs(members - predicted) <= (0 if size <= 8 else max(3, 0.03 * members))


def test_a_window_in_every_cycle():
    """Windows of one line pass at full rate for longer than the sorter's depth."""
    rng = random.Random(3)
    windows = random_windows(rng, lambda: rng.randrange(99), [1] * 60)
    runs = run(Ranked(7, targets=MEDIAN, **SIZES), rng, windows)
    assert runs["i"].cycles == list(range(60))
    assert runs["o"].cycles == list(range(runs["o"].cycles[0], runs["o"].cycles[0] + 60))


@pytest.mark.in_turn
def test_a_long_stall_of_the_results():
    """No window is lost while the greatest number of windows, of one line each, is inside."""
    rng = random.Random(17)
    windows = random_windows(rng, lambda: rng.randrange(99), [1] * 120)
    side = [{"passenger": k % 64} for k, _ in enumerate(windows)]
    dut = Ranked(7, targets=MEDIAN, passenger=6, **SIZES)
    results = run(dut, rng, windows, stalls=(0.0, 0.97), side=side)["o"].payloads
    assert results == [
        {"values": [percentile(values(w), MEDIAN[0])]} | b
        for w, b in zip(windows, side, strict=True)
    ]


@LONG
@pytest.mark.parametrize("kind", ["edges", "any"])
def test_lines_with_gaps_are_no_later_than_told(kind):
    rng = random.Random(kind)
    for lines in (1, 2, 3, 9):
        windows = random_windows(rng, lambda: rng.randrange(99), [lines], kind)
        size = len(values(windows[0]))
        out = run(Ranked(7, targets=MEDIAN, **SIZES), rng, windows)["o"].cycles
        delay = out[0] - Ranked.latency_of(size, lines=lines, **SIZES)
        assert delay <= (0 if size <= 4 else 20)


def test_refuses():
    with pytest.raises(ValueError, match=r"^targets must be all of one kind, not \('p', "):
        Ranked(7, targets=("p", Fraction(1, 2)), **SIZES)
    with pytest.raises(ValueError, match=r"^passes must be one of shared, pipelined, not 'x'$"):
        Ranked(7, targets=MEDIAN, passes="x", **SIZES)


@LONG
def test_eight_lanes_of_64_bits_on_an_fpga():
    dut = Ranked(
        signed(64), 8, targets=MEDIAN, capacity=64, window_max=4096, passes="shared", passenger=64
    )
    report = synthesise(to_rtlil(dut), "xcup", ".cache")
    assert report.depth <= 8
    assert report.bram36 <= 9
