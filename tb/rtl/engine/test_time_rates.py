"""Rate, stalls and latency of the engines over time, on the shipped Verilog."""

import numpy as np
import pytest

from rtl.bus.top import SKID_LATENCY
from tb.rtl.engine.test_time import ENGINES
from tb.rtl.engine.time_bench import Stream, answer, point, run

pytestmark = pytest.mark.hdl

NUMBERS = "min(x), max(x), sum(x), count(*)"  # without the division
LATENCY = {"window-id": 4, "sequential": 7, "two-stacks": 6}
MODULES, PANES = 5, 8
PLAIN = {
    "window-id": point("window-id", select=NUMBERS, modules=MODULES),
    "sequential": point(
        "pane", select=NUMBERS, modules=MODULES, panes=PANES, window_level="sequential"
    ),
    "two-stacks": point("pane", select=NUMBERS, modules=MODULES, panes=PANES),
}
PUNCTUATED = {
    "window-id": point("window-id", select=NUMBERS, modules=MODULES, punctuations="stream"),
    "sequential": point(
        "pane",
        select=NUMBERS,
        modules=MODULES,
        panes=PANES,
        window_level="sequential",
        punctuations="stream",
    ),
    "two-stacks": point(
        "pane", select=NUMBERS, modules=MODULES, panes=PANES, punctuations="stream"
    ),
}


def tuple_(time):
    return {"x": time % 50, "t": time}


def right(design, stream):
    """The outcome of a run of one stream, whose every row is right."""
    rows, _ = answer(design, stream)
    done = run(design, [stream], len(rows))
    assert done.rows == rows
    assert done.errors == set()
    return done.outcome


@pytest.mark.parametrize("name", PLAIN)
def test_the_latency_is_told_and_kept(name):
    """From the tuple that makes the punctuation; a slide has 10 tuples, so panes are read by then.

    The first window, [0, 20), is closed by the tuple at 20, and so on.
    """
    design = PLAIN[name]
    stream = Stream(range=20, slide=10, events=[tuple_(t) for t in range(200)])
    result = right(design, stream)
    assert design.prediction.cycles == LATENCY[name]
    rows = result.beat_cycles[: 200 // 10 - 2]
    # All stalls are before the first tuple, so its successors follow one by one.
    closed_by = result.last_input - 199 + np.arange(20, 200, 10)
    assert (rows - closed_by).tolist() == [LATENCY[name] + SKID_LATENCY] * len(rows)


@pytest.mark.parametrize("name", PUNCTUATED)
def test_the_latency_from_a_punctuation_in_the_stream(name):
    design, events, closing = PUNCTUATED[name], [], []
    for t in range(120):
        if t % 10 == 0 and t >= 20:
            closing.append(len(events))
            events.append(t)
        events.append(tuple_(t))
    result = right(design, Stream(range=20, slide=10, events=events))
    assert design.prediction.cycles == LATENCY[name]
    closed_by = result.last_input - len(events) + 1 + np.array(closing)
    rows = result.beat_cycles[: len(closing)]
    assert (rows - closed_by).tolist() == [LATENCY[name] + SKID_LATENCY] * len(closing)


def setup(name, range_, slide):
    """Cycles that the first stream's first tuple waits, as the docstrings tell."""
    if name == "window-id":
        return MODULES + 2
    return MODULES + 4 + range_ // slide


@pytest.mark.parametrize("name", ["window-id", "two-stacks"])
def test_no_stall_but_for_what_is_closed_beyond_one(name):
    """Jumps over k slides, which close k windows, hold the input for k - 1 cycles each."""
    jumps = [10, 10, 20, 10, 50, 10, 10, 30, 10, 10, 10, 70, 10, 10]
    times, now = list(range(0, 40)), 30
    for jump in jumps:
        now += jump
        times += range(now, now + 10)
    stream = Stream(range=20, slide=10, events=[tuple_(t) for t in times])
    result = right(PLAIN[name], stream)
    stalls = sum(jump // 10 - 1 for jump in jumps)
    # A skid buffer hides one cycle of the first wait, when there is nothing in it yet.
    assert result.input_stalled - stalls in (setup(name, 20, 10) - 1, setup(name, 20, 10))
    assert result.last_input - result.first_input == len(times) - 1 + result.input_stalled


@pytest.mark.parametrize("name", ["window-id", "two-stacks"])
def test_the_rate_with_disorder_is_one_tuple_a_cycle(name):
    rng = np.random.default_rng(5)
    times = np.arange(4000) // 3 - rng.integers(0, 11, 4000)
    events = [tuple_(max(0, int(t))) for t in times]
    result = right(PLAIN[name], Stream(range=30, slide=10, slack=10, events=events))
    assert result.input_stalled <= setup(name, 30, 10)


WIDE = {
    level: point("pane", "int(32)", "int(16)", NUMBERS, modules=2, panes=4096, window_level=level)
    for level in ("two-stacks", "sequential")
}


def test_a_window_of_4096_panes_is_closed_in_every_cycle():
    """100,000 rows, one in every cycle, with no stall of either side."""
    design, size, count = WIDE["two-stacks"], 4096, 100_000 + 4095
    rng = np.random.default_rng(1)
    xs = rng.integers(-(1 << 15), 1 << 15, count)
    events = [{"x": int(x), "t": t} for t, x in enumerate(xs)]
    stream = Stream(range=size, slide=1, events=events)
    done = run(design, [stream], count)
    result = done.outcome
    assert done.errors == set()
    assert result.input_stalled <= 2 + 4 + size + 1  # the set-up, before the first tuple
    closed = result.beat_cycles[: count - size]  # by a tuple; the others by the end of the stream
    assert (np.diff(closed) == 1).all()
    assert (
        closed[0]
        == result.last_input - (count - 1) + size + design.prediction.cycles + SKID_LATENCY
    )
    rows = np.array(done.rows)
    assert (rows[:, 0] == np.arange(size, size + count)).all()
    sums = np.concatenate([[0], np.cumsum(xs)])
    ends = np.minimum(np.arange(count) + size, count)
    assert (rows[:, 3] == sums[ends] - sums[:count]).all()
    assert (rows[:, 4] == ends - np.arange(count)).all()
    assert (rows[:, 1] == sliding(np.minimum, xs, size)).all()
    assert (rows[:, 2] == sliding(np.maximum, xs, size)).all()


def sliding(choose, xs, size):
    """The least or greatest of each ``size`` (a power of two) values from k on, cut at the end."""
    padding = np.full(size, choose.reduce([np.iinfo(np.int64).max, np.iinfo(np.int64).min]))
    padding[:] = np.iinfo(np.int64).max if choose is np.minimum else np.iinfo(np.int64).min
    found = np.concatenate([xs, padding])
    step = 1
    while step < size:
        found[:-step] = choose(found[:-step], found[step:])
        step *= 2
    return found[: len(xs)]


@pytest.mark.parametrize("name", ENGINES)
def test_a_hole_of_thousands_of_slides(name):
    """Every empty window has its row, in order, in one cycle each but for sequential reading."""
    design = ENGINES[name]
    type_ = design.query.window.attribute.type
    far = min(type_.raw_max - 5, 3000)
    events = [{"x": 1, "y": 1, "t": 0}, {"x": 2, "y": 1, "t": far}, {"x": 3, "y": 1, "t": far - 1}]
    if design.input.punctuations:
        events.insert(1, far - 2)
    more = {"where0": 9} if design.options.constants == "run-time" else None
    stream = Stream(range=4, slide=2, slack=2, events=events, more=more)
    rows, _ = answer(design, stream)
    assert len(rows) == far // 2 + 1
    done = run(design, [stream], len(rows))
    assert done.rows == rows
    assert (done.counters["overrun"], done.counters["late"], done.errors) == (0, 0, set())
    if "sequential" not in name:
        result = done.outcome
        assert result.last_output - result.first_output <= len(rows) + 10


@pytest.mark.parametrize("name", PLAIN)
def test_a_stream_that_is_swallowed_does_not_hold_the_input(name):
    """Its slides are too many for the build: a gap of 100,000 of them takes no cycle more."""
    design = PLAIN[name]
    gap = [tuple_(t) for t in (0, 1, 100_000, 100_001, 400_000)]
    bad = Stream(range=100_000, slide=1, events=gap)
    good = Stream(range=20, slide=10, events=[tuple_(t) for t in range(100)])
    rows, _ = answer(design, good)
    done = run(design, [bad, good, bad, bad, good], 2 * len(rows))
    assert done.rows == rows * 2
    assert done.counters["overrun"] + done.counters["late"] == 15
    assert done.errors == {"bad_setting"}
    assert done.outcome.cycles < 2_000
