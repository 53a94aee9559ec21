"""Rate, stalls and latency of the engines with windows of time, most on the shipped Verilog."""

import numpy as np
import pytest

from rtl.bus.top import SKID_LATENCY
from tb.bench.unit import run_streams
from tb.rtl.engine.time_bench import Stream, answer, point, run
from tb.rtl.engine.time_designs import MODULES, NUMBERS, PLAIN, PUNCTUATED
from tb.rtl.engine.time_streams import ENGINES

pytestmark = pytest.mark.hdl

LATENCY = {"window-id": 4, "sequential": 7, "two-stacks": 6}


def tuple_(time):
    return {"x": time % 50, "t": time}


def checked_outcome(design, stream):
    """Returns the outcome of a checked run of one stream."""
    rows, _ = answer(design, stream)
    result = run(design, [stream], len(rows))
    assert result.rows == rows
    assert result.errors == set()
    return result.outcome


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("name", PLAIN)
def test_the_latency_is_as_predicted(name):
    """The latency counts from the tuple that makes the punctuation.

    The tuple at 20 closes the first window, [0, 20), and so on. A slide has 10 tuples, so the other
    panes have been read by then.
    """
    design = PLAIN[name]
    stream = Stream(range=20, slide=10, events=[tuple_(t) for t in range(200)])
    result = checked_outcome(design, stream)
    assert design.prediction.cycles == LATENCY[name]
    rows = result.beat_cycles[: 200 // 10 - 2]
    # All stalls are before the first tuple; the other tuples enter one per cycle.
    closed_by = result.last_input - 199 + np.arange(20, 200, 10)
    assert (rows - closed_by).tolist() == [LATENCY[name] + SKID_LATENCY] * len(rows)


@pytest.mark.in_turn
@pytest.mark.parametrize("name", PUNCTUATED)
def test_the_latency_from_a_punctuation_in_the_stream(name):
    design, events, closing = PUNCTUATED[name], [], []
    for t in range(120):
        if t % 10 == 0 and t >= 20:
            closing.append(len(events))
            events.append(t)
        events.append(tuple_(t))
    result = checked_outcome(design, Stream(range=20, slide=10, events=events))
    assert design.prediction.cycles == LATENCY[name]
    closed_by = result.last_input - len(events) + 1 + np.array(closing)
    rows = result.beat_cycles[: len(closing)]
    assert (rows - closed_by).tolist() == [LATENCY[name] + SKID_LATENCY] * len(closing)


def setup(name, range_, slide):
    """Returns the cycles that the first tuple of the first stream waits, as in the docstrings."""
    if name == "window-id":
        return MODULES + 2
    return MODULES + 4 + range_ // slide


@pytest.mark.parametrize("name", ["window-id", "two-stacks"])
def test_only_further_closed_windows_stall_the_input(name):
    """A jump over k slides closes k windows, and stalls the input for k - 1 cycles."""
    jumps = [10, 10, 20, 10, 50, 10, 10, 30, 10, 10, 10, 70, 10, 10]
    times, time = list(range(0, 40)), 30
    for jump in jumps:
        time += jump
        times += range(time, time + 10)
    stream = Stream(range=20, slide=10, events=[tuple_(t) for t in times])
    result = checked_outcome(PLAIN[name], stream)
    stalls = sum(jump // 10 - 1 for jump in jumps)
    # An empty skid buffer hides one cycle of the first wait.
    assert result.input_stalled - stalls in (setup(name, 20, 10) - 1, setup(name, 20, 10))
    assert result.last_input - result.first_input == len(times) - 1 + result.input_stalled


@pytest.mark.parametrize("name", ["window-id", "two-stacks"])
def test_the_rate_with_disorder_is_one_tuple_a_cycle(name):
    rng = np.random.default_rng(5)
    times = np.arange(4000) // 3 - rng.integers(0, 11, 4000)
    events = [tuple_(max(0, int(t))) for t in times]
    result = checked_outcome(PLAIN[name], Stream(range=30, slide=10, slack=10, events=events))
    assert result.input_stalled <= setup(name, 30, 10)


WIDE = {
    level: point("pane", "int(32)", "int(16)", NUMBERS, modules=2, panes=4096, window_level=level)
    for level in ("two-stacks", "sequential")
}


@pytest.mark.in_turn
def test_a_window_of_4096_panes_is_closed_in_every_cycle():
    """100,000 rows leave, one in every cycle, and neither side stalls."""
    design, size, count = WIDE["two-stacks"], 4096, 100_000 + 4095
    rng = np.random.default_rng(1)
    xs = rng.integers(-(1 << 15), 1 << 15, count)
    events = [{"x": int(x), "t": t} for t, x in enumerate(xs)]
    stream = Stream(range=size, slide=1, events=events)
    checked = run(design, [stream], count)
    outcome = checked.outcome
    assert checked.errors == set()
    assert outcome.input_stalled <= 2 + 4 + size + 1  # the set-up before the first tuple
    # A tuple closes each of these windows; the end of the stream closes the others.
    closed = outcome.beat_cycles[: count - size]
    assert (np.diff(closed) == 1).all()
    assert (
        closed[0]
        == outcome.last_input - (count - 1) + size + design.prediction.cycles + SKID_LATENCY
    )
    rows = np.array(checked.rows)
    assert (rows[:, 0] == np.arange(size, size + count)).all()
    sums = np.concatenate([[0], np.cumsum(xs)])
    ends = np.minimum(np.arange(count) + size, count)
    assert (rows[:, 3] == sums[ends] - sums[:count]).all()
    assert (rows[:, 4] == ends - np.arange(count)).all()
    assert (rows[:, 1] == sliding(np.minimum, xs, size)).all()
    assert (rows[:, 2] == sliding(np.maximum, xs, size)).all()


def sliding(choose, xs, size):
    """Returns the least or greatest of ``size`` (a power of two) values from k on, for each k."""
    limits = np.iinfo(np.int64)
    neutral = limits.max if choose is np.minimum else limits.min
    extremes = np.concatenate([xs, np.full(size, neutral)])
    step = 1
    while step < size:
        extremes[:-step] = choose(extremes[:-step], extremes[step:])
        step *= 2
    return extremes[: len(xs)]


@pytest.mark.in_turn
@pytest.mark.parametrize("name", ENGINES)
def test_a_hole_of_thousands_of_slides(name):
    """Every empty window has its row, in order, one per cycle except with sequential reading."""
    design = ENGINES[name]
    type_ = design.query.window.attribute.type
    far = min(type_.raw_max - 5, 3000)
    events = [{"x": 1, "y": 1, "t": 0}, {"x": 2, "y": 1, "t": far}, {"x": 3, "y": 1, "t": far - 1}]
    if design.input.punctuations:
        events.insert(1, far - 2)
    constants = {"where0": 9} if design.options.constants == "run-time" else None
    stream = Stream(range=4, slide=2, slack=2, events=events, constants=constants)
    rows, _ = answer(design, stream)
    assert len(rows) == far // 2 + 1
    checked = run(design, [stream], len(rows))
    assert checked.rows == rows
    assert (checked.counters["overrun"], checked.counters["late"], checked.errors) == (0, 0, set())
    if "sequential" not in name:
        outcome = checked.outcome
        assert outcome.last_output - outcome.first_output <= len(rows) + 10


@pytest.mark.parametrize("name", PLAIN)
def test_a_swallowed_stream_does_not_stall_the_input(name):
    """The stream has too many slides for the build; its gap of 100,000 slides costs no cycle."""
    design = PLAIN[name]
    gap = [tuple_(t) for t in (0, 1, 100_000, 100_001, 400_000)]
    bad = Stream(range=100_000, slide=1, events=gap)
    good = Stream(range=20, slide=10, events=[tuple_(t) for t in range(100)])
    rows, _ = answer(design, good)
    result = run(design, [bad, good, bad, bad, good], 2 * len(rows))
    assert result.rows == rows * 2
    assert result.counters["overrun"] + result.counters["late"] == 15
    assert result.errors == {"bad_setting"}
    assert result.outcome.cycles < 2_000


def core_beats(design, times, **lengths):
    """Returns a beat for each tuple of a stream, for a core; the last beat ends the stream."""
    context = sum(lengths.get(name, 0) << field.offset for name, field in design.settings.layout)
    common = {"valid": 1, "context": context}
    beats = [{"tuples": [{"x": 1, "t": time}], "last": 0, **common} for time in times]
    beats[-1]["last"] = 1
    return beats


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("modules", "range_", "slack", "later"),
    [(10, 40, 90, 99), (10, 100, 90, 99), (10, 40, 90, 90), (16, 160, 0, 9), (16, 40, 90, 99)],
)
def test_the_end_of_a_stream_stalls_pane_as_long_as_documented(modules, range_, slack, later):
    """The last tuple is ``later`` than the last punctuation; panes have 10 units of time."""
    design = point("pane", modules=modules, panes=64, window_level="two-stacks")
    lengths = {"range": range_, "slide": 10, "slack": slack}
    punctuation = 400
    times = [*range(0, punctuation + slack, 5), punctuation + slack, punctuation + later]
    first = core_beats(design, times, **lengths)
    second = core_beats(design, range(100), **lengths)
    cycles = 4 * len(first + second)
    run = run_streams(design.create(), {"i": first + second}, {"o": None}, max_cycles=cycles)
    cycles_in = run["i"].cycles
    begin, end = len(first) - 1, len(first) + 5
    stall = cycles_in[end] - cycles_in[begin] - (end - begin)
    bound = max(modules, range_ // 10 + later // 10) + 4
    assert bound - 3 <= stall <= bound
