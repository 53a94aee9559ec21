"""Checks the software engines by hand and against `tb.golden.reference`, without Spark."""

import math
import random

import numpy as np
import pytest

from golden.cpu import wide, windows
from golden.cpu.engines import Algorithm, run
from golden.values.carry import invert_negatives
from query.parser import parse
from tb.golden import reference

pytestmark = pytest.mark.xdist_group("cpu")  # one worker compiles the kernels for all

SOE = Algorithm.SUBTRACT_ON_EVICT
TYPES = {"int32": "int", "int64": "int(64)", "float32": "float", "float64": "double"}
EVERY = pytest.mark.parametrize("algorithm", list(Algorithm))


def able(algorithm, *functions):
    """Returns the functions that the algorithm supports."""
    return [f for f in functions if algorithm != SOE or f not in ("min", "max")]


def ints(*values):
    return np.array(values, np.int32)


def bits(array):
    """Returns the bits of floats as integers; so -0 differs from +0, and a NaN equals itself."""
    return array.view(f"i{array.itemsize}") if array.dtype.kind == "f" else array


def test_the_windows_of_figure_5():
    """The figure has a window of 4 and slide 1 (seed 004)."""
    stream = ints(8, 2, 1, 5, 0, 7, 9, 3, 6)
    for algorithm in set(Algorithm) - {SOE}:
        assert run(algorithm, "min", stream, 4, 1).columns["min"].tolist() == [1, 0, 0, 0, 0, 3]


@EVERY
def test_slides_that_do_not_divide_the_size(algorithm):
    stream = ints(1, 2, 4, 8, 16, 32, 64, 128, 256)
    answer = run(algorithm, ["count", "sum"], stream, 5, 3)
    assert answer.columns["sum"].tolist() == [31, 248]
    assert answer.columns["count"].tolist() == [5, 5]
    assert answer.end is None
    assert run(algorithm, "sum", stream, 9, 4).columns["sum"].tolist() == [511]
    assert run(algorithm, "sum", stream, 10, 4).columns["sum"].tolist() == []
    answer = run(algorithm, ["count", "sum"], stream, 1 << 70, 1 << 70)
    assert [column.tolist() for column in answer.columns.values()] == [[], []]


@EVERY
def test_average_is_cut_towards_zero(algorithm):
    stream = ints(-7, -4, 10, -11)
    assert run(algorithm, "avg", stream, 2, 1).columns["avg"].tolist() == [-5, 3, 0]
    large = [(1 << 60) + 1, 1 << 60, -(1 << 60), 5]  # binary64 does not hold the totals
    average = run(algorithm, "avg", np.array(large), 2, 1).columns["avg"]
    assert average.tolist() == [1 << 60, 0, -(1 << 59) + 3]
    low_values = np.array([-(1 << 62), -(1 << 62), -(1 << 62) + 1, 2])  # the first total is -2^63
    average = run(algorithm, "avg", low_values, 2, 1).columns["avg"]
    assert average.tolist() == [-(1 << 62), -(1 << 62) + 1, -(1 << 61) + 2]


@pytest.mark.in_turn
@EVERY
def test_empty_time_windows(algorithm):
    """The tuples are at 4 and 9, the windows start at 4, as in `tb.golden.test_answer`."""
    functions = able(algorithm, "count", "sum", "avg", "min", "max")
    for kind in TYPES:
        answer = run(algorithm, functions, np.array([3, 5], kind), 2, 2, np.array([4, 9]))
        assert answer.end.tolist() == [6, 8, 10]
        assert answer.valid.tolist() == [True, False, True]
        assert answer.columns["count"].tolist() == [1, 0, 1]
        assert bits(answer.columns["sum"]).tolist() == bits(np.array([3, 0, 5], kind)).tolist()
        for name in functions[2:]:
            assert answer.masked(name).tolist() == [3, None, 5]
        assert answer.masked("sum").tolist() == [3, 0, 5]


@EVERY
def test_start_and_late_tuples(algorithm):
    times = np.array([-5, 1, 3, 7])
    values = ints(1, 2, 3, 4)
    answer = run(algorithm, "sum", values, 4, 3, times)
    assert answer.end.tolist() == [-2, 1, 4, 7, 10]  # -5 is rounded down to -6
    assert answer.columns["sum"].tolist() == [1, 0, 5, 3, 4]  # 3 is in [0, 4) and in [3, 7)
    answer = run(algorithm, "sum", values, 4, 3, times, start=2)
    assert (answer.columns["sum"].tolist(), answer.late) == ([3, 4], 2)
    answer = run(algorithm, "sum", values, 4, 3, times, start=8)
    assert (answer.columns["sum"].tolist(), answer.late) == ([], 4)
    for start in (None, -3):
        answer = run(algorithm, "sum", values[:0], 4, 3, times[:0], start=start)
        assert (answer.columns["sum"].tolist(), answer.late) == ([], 0)


@EVERY
def test_windows_that_reach_far_beyond_the_data(algorithm):
    """The cost does not depend on the window's size: else the test would not end."""
    times = np.array([0, 1, 3], np.uint64)
    answer = run(algorithm, "sum", ints(1, 2, 4), 10**12 + 1, 2, times)
    assert answer.columns["sum"].tolist() == [7, 4]
    assert answer.end.tolist() == [10**12 + 1, 10**12 + 3]


@EVERY
def test_windows_up_to_the_limits_of_63_bits(algorithm):
    """A window may end at 2^63 - 1, and begin at -2^63."""
    least, greatest = -(1 << 63), (1 << 63) - 1
    times = np.array([greatest - 14, greatest - 10])
    answer = run(algorithm, "sum", ints(1, 2), 10, 5, times, greatest - 15)
    assert (answer.end.tolist(), answer.columns["sum"].tolist()) == (
        [greatest - 5, greatest],
        [3, 2],
    )
    times = np.array([least, least // 2 - 1])
    answer = run(algorithm, "sum", ints(1, 2), 1 << 62, 1 << 62, times, least)
    assert (answer.end.tolist(), answer.columns["sum"].tolist()) == ([least // 2], [3])


@EVERY
def test_nans_are_dropped_and_counted(algorithm):
    for kind in (np.float32, np.float64):
        values = np.array([math.nan, 1, math.nan, 2, 4], kind)
        answer = run(algorithm, ["sum", "count"], values, 2, 1)
        assert (answer.columns["sum"].tolist(), answer.nan) == ([3, 6], 2)
        answer = run(algorithm, "sum", values, 5, 5, np.array([0, 1, 6, 7, 9]))
        assert (answer.columns["sum"].tolist(), answer.nan) == ([1, 6], 2)
        assert run(algorithm, "count", values, 2, 1).columns["count"].tolist() == [2] * 4
        assert run(algorithm, "sum", np.full(3, math.nan, kind), 1, 1).valid.tolist() == []


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_floats_compare_in_total_order(kind):
    rising = np.array([-math.inf, -3e38, -1.5, -1e-45, -0.0, 0.0, 1e-45, 1.5, math.inf], kind)
    places = invert_negatives(bits(rising))
    assert places.tolist() == sorted(set(places.tolist()))
    assert invert_negatives(places).tolist() == bits(rising).tolist()
    for algorithm in set(Algorithm) - {SOE}:
        answer = run(algorithm, ["min", "max"], np.array([0.0, -0.0, 0.0, 0.0], kind), 2, 1)
        assert np.signbit(answer.columns["min"]).tolist() == [True, True, False]
        assert np.signbit(answer.columns["max"]).tolist() == [False, False, False]


def test_zeros_keep_their_sign_in_sums():
    for algorithm in set(Algorithm) - {SOE}:
        sums = run(algorithm, "sum", np.array([-0.0, -0.0, 0.0]), 2, 1).columns["sum"]
        assert np.signbit(sums).tolist() == [True, False]


def test_non_incremental_adds_floats_in_order_of_arrival():
    values = np.array([1e16, 1.0, -1e16, 1.0])
    answer = run(Algorithm.NON_INCREMENTAL, ["sum", "avg"], values, 4, 4)
    assert (answer.columns["sum"], answer.columns["avg"]) == ([1.0], [0.25])
    answer = run(Algorithm.NON_INCREMENTAL, "sum", values.astype(np.float32), 4, 4)
    assert answer.columns["sum"] == [1.0]


def test_bulk_adds_floats_in_eight_partial_sums():
    rng = np.random.Generator(np.random.PCG64(1))
    for size in (8, 9, 21, 64, 100):
        piece = rng.normal(size=size) * 10.0 ** rng.integers(-8, 9, size)
        lanes = [-0.0] * 8
        complete = size // 8 * 8
        for i in range(complete):
            lanes[i % 8] += piece[i]
        a, b, c, d, e, f, g, h = lanes
        expected = ((a + b) + (c + d)) + ((e + f) + (g + h))
        for x in piece[complete:]:
            expected += x
        actual = run(Algorithm.BULK_TWO_STACKS, "sum", piece, size, size).columns["sum"]
        assert actual.tolist() == [expected]


@EVERY
def test_sums_of_more_than_64_bits(algorithm):
    low, high = -(1 << 63), (1 << 63) - 1
    values = np.array([low, low, low, high, high, high, 0, 1])
    answer = run(algorithm, ["sum", "avg"], values, 3, 1)
    sums = [sum(values[j : j + 3].tolist()) for j in range(6)]
    assert answer.columns["sum"].tolist() == sums
    assert answer.columns["avg"].tolist() == [abs(s) // 3 * (-1 if s < 0 else 1) for s in sums]
    timed = run(algorithm, ["sum", "avg"], values, 3, 3, np.array([0, 0, 0, 0, 0, 9, 9, 9]))
    assert timed.columns["sum"].tolist() == [3 * low + 2 * high, 0, 0, high + 1]
    assert timed.masked("avg").tolist() == [
        (low - 2) // 5,
        None,
        None,
        (high + 1) // 3,
    ]  # all even divisions but the last
    smallest = np.full(5, np.iinfo(np.int32).min, np.int32)
    answer = run(algorithm, ["sum", "avg"], smallest, 4, 1)
    assert answer.columns["sum"].tolist() == [-(1 << 33)] * 2
    assert answer.columns["avg"].tolist() == [-(1 << 31)] * 2


def test_wide_sums_begin_where_they_must():
    three = windows.rows(9, 3, 1)
    assert wide.fits(np.array([(1 << 63) // 3] * 9), three)
    assert not wide.fits(np.array([(1 << 63) // 3 + 1] * 9), three)
    assert not wide.fits(np.array([-(1 << 63)]), windows.rows(1, 1, 1))
    assert wide.fits(np.array([], np.int64), three)


def test_subtraction_starts_anew_when_the_window_is_empty():
    values = np.array([1e300, 1.0, 0.1, 0.2])
    sums = run(SOE, "sum", values, 1, 1).columns["sum"]
    assert sums.tolist() == values.tolist()
    sums = run(SOE, "sum", values, 2, 2, np.array([0, 1, 5, 7])).columns["sum"]
    assert sums.tolist() == [1e300, 0.0, 0.1, 0.2]


def random_stream(rng, kind, tuples, seed):
    """Returns values whose sums are exact in any order, or the whole range of an integer type."""
    random_ = np.random.Generator(np.random.PCG64(seed))
    if kind.startswith("float"):
        return random_.choice(np.array([0.0, -0.0, 1, 2, -3, 4096], kind), tuples)
    if rng.random() < 0.5:
        return random_.integers(-9, 9, tuples).astype(kind)
    edges = np.iinfo(kind)
    return random_.integers(edges.min, edges.max, tuples, kind, endpoint=True)


def check(seed):
    """Compares every algorithm with the reference on one random stream and window."""
    rng = random.Random(seed)
    kind, tuples = rng.choice(list(TYPES)), rng.choice([0, 1, 2, 5, 30, 200])
    size = rng.randrange(1, 41)
    slide = rng.choice([1, size, rng.randrange(1, size + 1), rng.randrange(1, size + 1)])
    values, times, start = random_stream(rng, kind, tuples, seed), None, None
    if rng.random() < 0.5:
        steps = [rng.choice([0, 0, 1, 2, 3, 50]) for _ in range(tuples)]
        times = np.cumsum([rng.randrange(-60, 60), *steps])[1:]
        start = rng.choice([None, None, -40, 10, 500])
    form = f"ROWS {size} SLIDE {slide}" if times is None else f"RANGE {size} SLIDE {slide} WATTR t"
    query = parse(
        f"CREATE INPUT STREAM S (t int(64), x {TYPES[kind]});"
        f"SELECT count(*) AS count, sum(x) AS sum, avg(x) AS avg, min(x) AS min, max(x) AS max "
        f"FROM S [{form}];"
    )
    clock = [0] * tuples if times is None else times.tolist()
    stream = [{"t": t, "x": x} for t, x in zip(clock, values.tolist(), strict=True)]
    rows, late = reference.run(query, stream, start)
    for algorithm in Algorithm:
        functions = able(algorithm, "count", "sum", "avg", "min", "max")
        answer = run(algorithm, functions, values, size, slide, times, start)
        place = f"seed {seed}: {algorithm}, {kind}, [{form}], start {start}"
        assert answer.late == late, place
        for name in functions:
            actual, expected = answer.masked(name).tolist(), [row[name] for row in rows]
            assert actual == expected, f"{place}: {name}"
            if name in ("min", "max"):
                signs = [
                    [math.copysign(1, x) for x in xs if x is not None] for xs in (actual, expected)
                ]
                assert signs[0] == signs[1], f"{place}: {name}"
        if times is not None:
            assert answer.end.tolist() == [row["window_end"] for row in rows], place


@pytest.mark.in_turn
def test_random_windows():
    for seed in range(60):
        check(seed)


@pytest.mark.regress
def test_many_random_windows():
    for seed in range(60, 2000):
        check(seed)


ONE, TWO = ints(1), Algorithm.TWO_STACKS
BEYOND = np.array([1 << 63], np.uint64)
BAD_CALLS = [
    (ValueError, "algorithm must be one of non-.*, not 'fast'", ("fast", "sum", ONE, 1, 1)),
    (ValueError, "aggregate must be one of count, .*, not 'median'", (TWO, "median", ONE, 1, 1)),
    (ValueError, "aggregates must be one or more, each once, not \\[\\]", (TWO, [], ONE, 1, 1)),
    (ValueError, "each once, not \\['sum', 'sum'\\]", (TWO, ["sum", "sum"], ONE, 1, 1)),
    (ValueError, "not min, which cannot be subtracted", (SOE, "min", ONE, 1, 1)),
    (ValueError, "not max, which cannot be subtracted", (SOE, ["sum", "max"], ONE, 1, 1)),
    (TypeError, "values must be an array of int32, .*, not list", (TWO, "sum", [1], 1, 1)),
    (TypeError, "values must be .*, not one of int16", (TWO, "sum", ONE.astype("i2"), 1, 1)),
    (ValueError, "values must have one dimension, not 2", (TWO, "sum", ints([1]), 1, 1)),
    (TypeError, "size must be an integer, not float", (TWO, "sum", ONE, 1.0, 1)),
    (TypeError, "slide must be an integer, not bool", (TWO, "sum", ONE, 1, True)),
    (ValueError, "slide must be at least 1, not 0", (TWO, "sum", ONE, 1, 0)),
    (ValueError, "slide must be at most the size, not 3 with size 2", (TWO, "sum", ONE, 2, 3)),
    (ValueError, "start must be None without times, not 0", (TWO, "sum", ONE, 1, 1, None, 0)),
    (TypeError, "start must be an integer, not str", (TWO, "sum", ONE, 1, 1, ONE, "0")),
    (TypeError, "times must be .*, not one of float64", (TWO, "sum", ONE, 1, 1, ONE / 2)),
    (ValueError, "times must be as many as the 1 values", (TWO, "sum", ONE, 1, 1, ints(1, 2))),
    (ValueError, "times must be less than 2\\*\\*63", (TWO, "sum", ONE, 1, 1, BEYOND)),
    (
        ValueError,
        "times must not descend, not 6 at tuple 2 after 7",
        (TWO, "sum", ints(1, 1, 1, 1), 1, 1, ints(1, 7, 6, 5)),
    ),
    (
        ValueError,
        "must keep within 63 bits.*start -10, not 9223372036854775807",
        (TWO, "sum", ONE, 10, 10, np.array([(1 << 63) - 1]), -10),
    ),
    (
        ValueError,
        "must keep within 63 bits.*start 9223372036854775790, not 9223372036854775798 .* size 10",
        (TWO, "sum", ONE, 10, 10, np.array([(1 << 63) - 10])),
    ),
    (
        ValueError,
        "must keep within 63 bits.*start -9223372036854775809, not",
        (TWO, "sum", ONE, 10, 10, np.array([-(1 << 63)]), -(1 << 63) - 1),
    ),
    (
        ValueError,
        "values must be finite to be subtracted again, not -inf at tuple 2",
        (SOE, "avg", np.array([1, math.nan, -math.inf]), 1, 1),
    ),
    (
        ValueError,
        "sums must keep within binary64 under subtract-on-evict, not run over it in window 1",
        (SOE, "sum", np.array([0, 1e308, 0, 1e308]), 3, 1),
    ),
]


@pytest.mark.parametrize(
    ("error", "message", "arguments"), BAD_CALLS, ids=[m for _, m, _ in BAD_CALLS]
)
def test_bad_calls_are_refused(error, message, arguments):
    with pytest.raises(error, match=message):
        run(*arguments)
