"""Predicted rates against measured rates: every engine, and data of many shapes.

The tests measure the shipped Verilog, from the last window that the first closing tuple closes to
the last window that any tuple closes. A plain loop computes which tuple closes which window.
"""

import random
from dataclasses import replace
from itertools import pairwise

import pytest

from rtl.contract.shape import Shape
from tb.rtl.engine import swag_bench
from tb.rtl.engine.bench import shipped
from tb.rtl.engine.rows_bench import FILTERED, passes_of
from tb.rtl.engine.rows_bench import Stream as Rows
from tb.rtl.engine.rows_bench import answer as row_answer
from tb.rtl.engine.swag_bench import SELECTED
from tb.rtl.engine.time_bench import Stream, answer, run
from tb.rtl.engine.time_designs import PLAIN, PUNCTUATED
from tb.rtl.engine.time_streams import ENGINES

pytestmark = pytest.mark.hdl

TIMED = {
    **PLAIN,
    **{f"{name}, stream": design for name, design in PUNCTUATED.items()},
    **{f"{name}, where": ENGINES[name] for name in ("window-id", "sequential", "two-stacks")},
}


def near(actual, expected):
    return actual == pytest.approx(expected, rel=0.03)


def ends_of(stream, passes=lambda tuple_: True):
    """Returns (tuples so far, slides so far, closed windows) for each tuple that closes any."""
    return [end for end in moves_of(stream, passes) if end[2] > 0]


def moves_of(stream, passes):
    ends, greatest, step = [], 0, 0
    for place, tuple_ in enumerate(stream.events, 1):
        if passes(tuple_):
            greatest = max(greatest, tuple_["t"] - stream.start)
            slides = max(0, greatest - stream.slack) // stream.slide
            if slides > step:
                step = slides
                windows = (step * stream.slide - stream.range) // stream.slide + 1
                ends.append((place, step, windows))
    return ends


def punctuated(stream):
    """Returns the stream with a punctuation before each tuple that advances the time by a slide."""
    steps = {place: step for place, step, _ in moves_of(stream, lambda tuple_: True)}
    events = []
    for place, tuple_ in enumerate(stream.events, 1):
        events += [steps[place] * stream.slide] if place in steps else []
        events.append(tuple_)
    return replace(stream, events=events)


def measured(name, stream, passes=lambda tuple_: True):
    """Returns the tuples per cycle of a checked run, and the shape of its data."""
    design, ends = TIMED[name], ends_of(stream, passes)
    sent = punctuated(stream) if design.input.punctuations else stream
    rows, _ = answer(design, sent, passes)
    result = run(design, [sent], len(rows))
    assert result.rows == rows
    (first, _, first_windows), (last, _, last_windows) = ends[0], ends[-1]
    cycles = (
        result.outcome.beat_cycles[last_windows - 1] - result.outcome.beat_cycles[first_windows - 1]
    )
    seen = tuple((b[0] - a[0], b[1] - a[1]) for a, b in pairwise(ends))
    return (last - first) / int(cycles), Shape(window_ends=seen)


def even(name, range_, slide, per_time, keep=1, count=1200):
    """Returns a stream of evenly spaced tuples; WHERE passes one tuple in ``keep``."""
    events = [
        {"x": k % 50, "y": 0 if k % keep == 0 else 9, "t": int(k / per_time)} for k in range(count)
    ]
    constants = {"where0": 1} if TIMED[name].options.constants == "run-time" else None
    return Stream(range=range_, slide=slide, events=events, constants=constants)


def is_selected(tuple_):
    return tuple_["y"] < 1


def compare_even(name, range_, slide, per_time, keep=1):
    stream = even(name, range_, slide, per_time, keep)
    passes = is_selected if keep > 1 else lambda tuple_: True
    rate, seen = measured(name, stream, passes)
    lengths = {"range": range_, "slide": slide, "slack": stream.slack}
    shape = Shape(counted_share=1 / keep, tuples_per_time=per_time)
    assert near(rate, TIMED[name].predict(**lengths, shape=shape).tuples_per_cycle)
    assert near(rate, TIMED[name].predict(**lengths, shape=seen).tuples_per_cycle)
    return rate


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("name", "range_", "slide", "per_time", "by_hand"),
    [
        ("two-stacks", 8, 3, 1, 3 / 5),  # 2 tuples, and a third with the last of 3 panes
        ("two-stacks, stream", 8, 3, 1, 3 / 6),  # the punctuation has a cycle of its own
        ("two-stacks", 8, 4, 1, 1),
        ("sequential", 8, 1, 1, 1 / 8),  # 8 panes are read for each tuple
        ("sequential", 8, 3, 1, 3 / 8),
        ("sequential", 8, 2, 4, 1),  # 8 tuples while 4 panes are read
        ("window-id", 8, 3, 1, 1),
        ("window-id", 8, 4, 1 / 12, 1 / 3),  # every tuple ends 3 windows
        ("window-id, stream", 8, 4, 1, 4 / 5),
    ],
)
def test_evenly_spaced_tuples(name, range_, slide, per_time, by_hand):
    assert near(compare_even(name, range_, slide, per_time), by_hand)


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("name", "by_hand"),
    [("two-stacks, where", 6 / 8), ("sequential, where", 6 / 8), ("window-id, where", 1)],
)
def test_rejected_tuples_also_take_cycles(name, by_hand):
    """A slide of 3 panes has 6 tuples, of which 2 pass."""
    assert near(compare_even(name, 8, 3, 2, keep=3), by_hand)


def bursts(name, seed):
    """Returns a stream with dense and sparse phases and holes, disordered by up to the slack."""
    rng, time, events = random.Random(seed), 0, []
    for _ in range(12):
        step, max_count = rng.choice([(0.05, 300), (0.5, 200), (3, 60), (25, 12)])
        for _ in range(rng.randint(max_count // 4, max_count)):
            time += step
            events.append({"x": 1, "y": 0, "t": max(0, int(time) - rng.randint(0, 3))})
    constants = {"where0": 1} if TIMED[name].options.constants == "run-time" else None
    return Stream(range=8, slide=rng.choice([2, 3, 4]), slack=3, events=events, constants=constants)


def compare_bursts(name, seed):
    stream = bursts(name, seed)
    if not stream.allowed(TIMED[name]):  # the build has too few modules
        stream = replace(stream, slide=4)
    rate, seen = measured(name, stream)
    lengths = {"range": stream.range, "slide": stream.slide, "slack": stream.slack}
    assert near(rate, TIMED[name].predict(**lengths, shape=seen).tuples_per_cycle)


@pytest.mark.in_turn
@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize("seed", [1, 2])
def test_bursts(name, seed):
    compare_bursts(name, seed)


def some_pass(count, limit, seed):
    """Returns tuples of which ``y < limit`` passes none, few or all, in phases."""
    rng, tuples = random.Random(seed), []

    def y(share):
        return 0 if rng.random() * 10 < share else limit

    while len(tuples) < count:
        share = rng.choice([0, 2, 10, 10])
        tuples += [
            {
                "g": rng.randrange(9),
                "x": rng.randrange(40),
                "y": 0 if rng.random() * 10 < share else limit,
            }
            for _ in range(rng.randint(20, 900))
        ]
    # The last tuple of a window may wait for the next selected tuple: the stream ends with some.
    return tuples[:count] + every(1, 12)


def ends_of_rows(stream, size, slide, passes):
    """Returns the number of tuples up to the last tuple of each window."""
    places = [place for place, tuple_ in enumerate(stream, 1) if passes(tuple_)]
    return places[size - 1 :: slide]


def compare_rows(design, window_cycles, ends, size, slide):
    """Compares the rate between windows; ``ends`` are the tuples up to the end of each window."""
    rate = (ends[-1] - ends[0]) / int(window_cycles[-1] - window_cycles[0])
    seen = Shape(window_ends=tuple((b - a, 1) for a, b in pairwise(ends)))
    predicted = design.predict(size=size, slide=slide, shape=seen).tuples_per_cycle
    assert near(rate, predicted)
    return rate


def in_range(tuple_):
    return tuple_["y"] < 40


def every(keep, count):
    """Returns tuples; one tuple in ``keep`` passes any WHERE."""
    return [{"g": k % 5, "x": k % 40, "y": 0 if k % keep == 0 else 63} for k in range(count)]


@pytest.mark.parametrize(
    ("size", "slide", "keep", "by_hand"),
    [
        pytest.param(8, 4, 1, 4 * 4 / 8, marks=pytest.mark.regress),
        (8, 4, 5, 4),  # 20 tuples enter in 5 cycles, while windows need 2
        (8, 8, 1, 4),
    ],
)
def test_sliding_windows_with_where(size, slide, keep, by_hand):
    rate = compare_sorted(size, slide, every(keep, keep * (size + 150 * slide)))
    assert near(rate, by_hand)
    predicted = SELECTED.predict(size=size, slide=slide, shape=Shape(counted_share=1 / keep))
    assert near(rate, predicted.tuples_per_cycle)


def test_sliding_windows_of_data_that_pass_in_phases():
    for size, slide in ((8, 4), (4, 4)):
        compare_sorted(size, slide, some_pass(6000, 63, seed=size))


@pytest.mark.regress
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(("size", "slide"), [(4, 4), (8, 4), (8, 8)])
def test_more_sliding_windows_in_phases(size, slide, seed):
    compare_sorted(size, slide, some_pass(9000, 63, seed))


@pytest.mark.parametrize(("size", "slide", "keep"), [(5, 1, 1), (5, 1, 5), (16, 3, 7)])
def test_two_stacks_accept_a_tuple_in_every_cycle(size, slide, keep):
    constants = {"where0": 9, "where1": 63}
    stream = Rows(size=size, slide=slide, events=every(keep, 900), constants=constants)
    rows, _ = row_answer(FILTERED, stream, passes_of(stream))
    result = run(FILTERED, [stream], len(rows))
    assert result.rows == rows
    ends = ends_of_rows(stream.events, size, slide, passes_of(stream))
    assert compare_rows(FILTERED, result.outcome.beat_cycles, ends, size, slide) == 1
    assert FILTERED.predict(shape=Shape(counted_share=1 / keep)).tuples_per_cycle == 1


def compare_sorted(size, slide, events):
    """Compares rates of the sliding-window engine with 4 tuples per cycle, k = 8, WHERE y < 40."""
    settings = SELECTED.settings.values | {"size": size, "slide": slide, "function": 3}
    result, actual, expected = swag_bench.run(shipped(SELECTED), [events], [settings], in_range)
    assert actual == expected
    ends = ends_of_rows(events, size, slide, in_range)
    assert len(ends) == len(actual[0])
    outcome = result.outcome
    window_cycles = outcome.beat_cycles[outcome.beats.last]
    return compare_rows(SELECTED, window_cycles, ends, size, slide)


@pytest.mark.regress
@pytest.mark.parametrize("name", TIMED)
@pytest.mark.parametrize("seed", range(10, 30))
def test_more_bursts(name, seed):
    compare_bursts(name, seed)


@pytest.mark.regress
@pytest.mark.parametrize("name", TIMED)
@pytest.mark.parametrize("per_time", [1 / 20, 1 / 7, 0.4, 1, 2.5, 6])
@pytest.mark.parametrize(("range_", "slide"), [(8, 1), (8, 2), (8, 3), (8, 8), (7, 2), (16, 4)])
def test_more_evenly_spaced_tuples(name, range_, slide, per_time):
    if Stream(range=range_, slide=slide, events=[]).allowed(TIMED[name]):
        compare_even(name, range_, slide, per_time)
        if "where" in name:
            compare_even(name, range_, slide, per_time, keep=4)
