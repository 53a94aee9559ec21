"""Checks the plain models of a key's windows of time, and what KeyTimes computes from its numbers.

`walk` compares the model with marks and a ring with the definition of windows, for every order of a
few small times. Tests of the hardware take their expectation from this model.
"""

from itertools import product

import pytest
from amaranth.hdl import Module, Signal, signed, unsigned
from amaranth.sim import Simulator

from rtl.keyed.windows.key_times import KeyTimes
from tb.rtl.keyed.windows.key_times import KeyModel, RingModel

LENGTHS = [(1, 1), (2, 1), (3, 2), (4, 2), (5, 2), (4, 1), (7, 3)]


def slide_and_first(model, time):
    """Returns the slide and the first window of a time, from the definition of windows."""
    windows = [j for j in range(40) if model.covers(j, time)]
    return max(windows), min(windows)


def walk(range_, slide, times, marks=4):
    """Checks slides, windows and marks for the tuples of a key; returns the number of windows."""
    model = RingModel(0, range_, slide, ring_lines=100, most_marks=marks)
    overlap = 1 << (range_ // slide).bit_length()  # more windows than overlap
    newest, next_ = -1, 0
    rows = 0
    for value, time in enumerate(times):
        slides, head = list(model.slides), model.head
        q, f = slide_and_first(model, time)
        heads = {j: head(j) for j in range(next_, f)}
        windows = model.enter(time, value)
        assert (windows == "late") == (f < next_)
        if windows == "late":
            continue
        # Windows close in order, with the values of their slides.
        assert [j for j, _ in windows] == list(range(next_, min(f - 1, newest) + 1))
        for j, values in windows:
            places = [k for k, s in enumerate(slides) if s >= j]
            all_values = [v for _, v in model.accepted]
            assert [all_values[k] for k in places] == values
            # The places read include all values, no misleading stamp, and few other values.
            assert heads[j] <= places[0]
            read = slides[heads[j] :]
            assert all(0 <= s - j < overlap or -3 * overlap <= s - j < 0 for s in read)
            tops = {max(slides[heads[j] : k + 1]) for k in range(heads[j], places[0])}
            assert len(tops) <= range_ // slide // marks
        next_, newest = f, max(newest, q)
        assert next_ <= newest <= next_ + range_ // slide
        assert sum(number > next_ for _, number in model.marks) <= marks
        rows += len(windows)
    return rows


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("marks", [1, 2, 4])
@pytest.mark.parametrize("lengths", LENGTHS)
def test_every_order_of_four_times(lengths, marks):
    range_, slide = lengths
    rows = [walk(range_, slide, times, marks) for times in product(range(8), repeat=4)]
    assert sum(rows) > 100


@pytest.mark.regress
@pytest.mark.parametrize("marks", [1, 2, 4])
@pytest.mark.parametrize("lengths", [*LENGTHS, (9, 2), (8, 1)])
def test_every_order_of_five_times(lengths, marks):
    for times in product(range(0, 18, 2), repeat=5):
        walk(*lengths, times, marks)


def test_by_hand():
    """Checks the table in the docstring of KeyTimes."""
    model = RingModel(0, 10, 4)
    closed = [model.enter(time, time) for time in (1, 5, 3, 9, 13, 18, 29)]
    none = []
    assert closed == [none] * 4 + [
        [(0, [1, 5, 3, 9])],
        [(1, [5, 9, 13]), (2, [9, 13])],
        [(3, [13, 18]), (4, [18])],
    ]
    assert model.slides == [0, 1, 0, 2, 3, 4, 7]
    assert model.marks == [(0, 0), (0, 0), (1, 1), (3, 2), (4, 3), (5, 4), (6, 5)]
    assert [model.head(j) for j in range(5)] == [0, 1, 3, 4, 5]
    assert model.enter(21, 0) == "late"
    assert model.enter(26, 0) == []


def test_a_gap_of_a_million_windows():
    model = KeyModel(3, 10, 4)
    assert model.arrive(3, "a") == []
    assert model.arrive(3 + 4_000_000, "b") == [(0, ["a"])]
    assert model.closed == 999_998  # the end of window 999,997 is 3 + 3,999,998
    assert model.late(3 + 3_999_997)
    assert not model.late(3 + 3_999_998)


TIMES = {"time": unsigned(8), "overlap": 4, "places": 32, "items": 8, "number_bits": 6}


def test_what_follows_from_a_plan():
    times = KeyTimes(**TIMES)
    assert times.moment == signed(9)
    assert KeyTimes(**TIMES | {"time": signed(8)}).moment == signed(8)
    assert times.stamped(5).members == {"item": 5, "stamp": 4}


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        ({"overlap": 3}, "overlap must be a power of two of at least 2, not 3"),
        ({"items": 3}, "items must be a power of two of at least 1, not 3"),
        ({"places": 8}, "places must be a power of two of at least 16, not 8"),
        ({"marks": 0}, "marks must be a power of two of at least 1, not 0"),
        ({"number_bits": 3}, "number_bits must be from 4 to 9, not 3"),
        ({"number_bits": 10}, "number_bits must be from 4 to 9, not 10"),
    ],
)
def test_plans_that_cannot_be(changed, text):
    with pytest.raises(ValueError, match=f"^{text}$"):
        KeyTimes(**TIMES | changed)


@pytest.mark.parametrize(
    ("range_", "slide", "refused"),
    [
        (4, 4, 0),
        (3, 4, 1),
        (0, 0, 1),
        (5, 0, 1),
        (15, 4, 0),
        (16, 4, 1),
        (511, 128, 0),
        (511, 127, 1),
    ],
)
def test_lengths_that_go_together(range_, slide, refused):
    """RANGE is at least one SLIDE, and less than four."""
    times = KeyTimes(**TIMES)
    m, settings, verdict = Module(), Signal(times.settings), Signal()
    m.d.comb += verdict.eq(times.refused(settings))

    async def bench(ctx):
        ctx.set(settings.range, range_)
        ctx.set(settings.slide, slide)
        assert ctx.get(verdict) == refused

    simulator = Simulator(m)
    simulator.add_testbench(bench)
    simulator.run()
