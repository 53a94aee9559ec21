"""The engines with windows of time, as shipped Verilog: refused settings, and no settings yet."""

import random
from dataclasses import replace

import pytest

from query.parser import parse
from rtl.engine import ENGINES as NAMES
from tb.rtl.engine.bench import HALF, joined, shipped
from tb.rtl.engine.time_bench import Stream, answer, punctuate
from tb.rtl.engine.time_bench import run as bench_run
from tb.rtl.engine.time_streams import ENGINES

pytestmark = pytest.mark.hdl

# All designs have 6 modules and 16 panes; GOOD needs 5 window modules, or 2 pane modules, 4 panes.
GOOD = {"range": 40, "slide": 10, "slack": 10, "start": 8}
NEVER = [
    *({"range": 0}, {"slide": 0}, {"range": 0, "slide": 0}, {"slide": 41}, {"range": 9}),
    *({"slack": 60}, {"range": 170}, {"range": 255, "slack": 255}, {"slide": 1, "range": 17}),
]
TOO_MUCH = {  # refused by a single engine
    "window-id": [{"range": 51}, {"slack": 21}, {"slide": 9}, {"range": 30, "slack": 31}],
    "pane": [{"slack": 51}, {"range": 170}, {"range": 41}, {"slide": 7}, {"slide": 39}],
}
LIMITS = {  # the greatest lengths that fit
    "window-id": [{"range": 50}, {"slack": 20}, {"range": 60, "slack": 0}, {"slide": 40}],
    "pane": [{"slack": 50}, {"range": 160}, {"slide": 40, "slack": 20}, {"range": 35, "slide": 5}],
}


def unfit(design):
    """Returns settings beyond their width, by 1 or by much more."""
    type_ = design.query.window.attribute.type
    half = 1 << (type_.width - type_.signed)
    cases = [
        {name: value}
        for name in ("range", "slide", "slack")
        for value in (1 << type_.width, (1 << type_.width) + 40, 0xFFFFFFFF)
    ]
    cases += [{"start": value} for value in (half, -half - 1, half + 8, 1 << 30, -(1 << 31))]
    if design.options.constants == "run-time":
        cases += [{"where0": value} for value in (16, 25, 1 << 31)]
    return cases


def settings_not_allowed():
    return [
        pytest.param(name, bad, id=f"{name} {bad}")
        for name, design in ENGINES.items()
        for bad in [*NEVER, *TOO_MUCH[design.engine], *unfit(design)]
    ]


def tuples_of(rng, count, slack=10):
    """Returns tuples in disorder from 8 on; a few are late, and some are before the start."""
    time, tuples = 8, [{"x": 1, "y": 0, "t": 3}] if count else []
    for _ in range(count - 1):
        time += rng.choice([0, 1, 3, 10])
        t = time - rng.choice([0, 0, 0, 5, slack, 2 * slack])
        t = rng.choice([3, 7]) if rng.random() < 0.1 else max(0, t)
        tuples.append({"x": rng.randrange(-64, 64), "y": rng.randrange(16), "t": t})
    return tuples


def stream_of(design, rng, count, **settings):
    """Returns a stream with good settings but for ``settings``; punctuations fit the good ones."""
    values = GOOD | settings
    constants = (
        {"where0": values.pop("where0", 9)} if design.options.constants == "run-time" else None
    )
    good = Stream(**GOOD, events=tuples_of(rng, count))
    events = punctuate(good).events if design.input.punctuations else good.events
    return Stream(**values, events=events, constants=constants)


def passes_of(stream):
    limit = (stream.constants or {"where0": 9})["where0"]
    return lambda tuple_: tuple_["y"] < limit


def run(design, streams, bad, **options):
    """Checks the rows; returns the counters minus those of the good streams, and the errors."""
    expected, tally = joined(
        answer(design, stream, passes_of(stream))
        for stream, is_bad in zip(streams, bad, strict=True)
        if not is_bad
    )
    result = bench_run(design, streams, len(expected), **options)
    assert result.rows == expected
    return {name: n - tally[name] for name, n in result.tally.items()}, result.errors


def late(design, stream):
    """Returns the least and the greatest count of late tuples in a stream that the windows swallow.

    Only tuples that pass WHERE count. A tuple before the start is late. A tuple behind a
    punctuation may be late, because the punctuation may not be made. With slide 0 no punctuation is
    made.
    """
    generate = not design.input.punctuations
    passes, p, greatest, minimum, maximum = passes_of(stream), stream.start, stream.start, 0, 0
    for event in stream.events:
        if isinstance(event, int):
            p = p if generate else max(p, event)
        elif passes(event):
            greatest = max(greatest, event["t"])
            if generate and stream.slide:
                ahead = (greatest - stream.slack - stream.start) // stream.slide
                p = max(p, stream.start + ahead * stream.slide)
            minimum += event["t"] < stream.start
            maximum += event["t"] < p
    return minimum, maximum


@pytest.mark.in_turn(5)
@pytest.mark.parametrize(("name", "settings"), settings_not_allowed())
def test_settings_that_are_not_allowed(name, settings):
    """The streams have no rows, their tuples are counted, and the other streams are answered.

    A number that does not fit is refused on arrival, before the time is computed, so no tuple is
    late. Lengths that do not fit each other are refused by the component with the windows.
    """
    design, rng = ENGINES[name], random.Random(f"{name} {settings}")
    bad = [False, True, False, True, True, False]
    counts = [25, 30, 20, 0, 9, 25]
    streams = [
        stream_of(design, rng, count, **(settings if is_bad else {}))
        for count, is_bad in zip(counts, bad, strict=True)
    ]
    remaining, errors = run(design, streams, bad)
    assert errors == {"bad_setting"}
    assert remaining.pop("tuples") == 39
    assert remaining.pop("streams") == 3
    filtered, too_late, overrun = (remaining.pop(name) for name in ("filtered", "late", "overrun"))
    assert remaining == {"rows": 0, "nan": 0}
    assert filtered + too_late + overrun == 39
    swallowed = [stream for stream, is_bad in zip(streams, bad, strict=True) if is_bad]
    minimum, maximum = map(sum, zip(*(late(design, stream) for stream in swallowed), strict=True))
    if settings in unfit(design):
        minimum = maximum = 0
    else:
        assert minimum > 0
    assert minimum <= too_late <= maximum
    if "where0" not in settings:  # WHERE is undefined for a constant that does not fit
        passing = [
            t for s in swallowed for t in s.events if isinstance(t, dict) and passes_of(s)(t)
        ]
        assert filtered == 39 - len(passing)


@pytest.mark.parametrize(
    ("name", "settings"),
    [(name, limit) for name, design in ENGINES.items() for limit in LIMITS[design.engine]],
    ids=str,
)
def test_settings_that_are_just_allowed(name, settings):
    """The limits are allowed, so the refusals above start right after the limits."""
    design, rng = ENGINES[name], random.Random(f"{name} {settings}")
    good = stream_of(design, rng, 25)
    limit = stream_of(design, rng, 40, **settings)
    if design.input.punctuations:
        plain = [event for event in limit.events if isinstance(event, dict)]
        limit = punctuate(replace(limit, events=plain))
    remaining, errors = run(design, [limit, good, limit], [False] * 3, **HALF)
    assert errors == set()
    assert not any(remaining.values())


@pytest.mark.parametrize("name", ENGINES)
def test_streams_that_are_not_allowed_first_last_and_in_a_row(name):
    design, rng = ENGINES[name], random.Random(name)
    bads = [*NEVER, *TOO_MUCH[design.engine]]
    bad = [True, True, True, False, False, True, False, True, True]
    streams = [
        stream_of(design, rng, rng.choice([0, 1, 20]), **(rng.choice(bads) if is_bad else {}))
        for is_bad in bad
    ]
    for seed, stalls in enumerate([{}, HALF]):
        remaining, errors = run(design, streams, bad, seed=seed, **stalls)
        assert errors == {"bad_setting"}
        assert remaining["streams"] == bad.count(True)
        assert (
            remaining["filtered"] + remaining["late"] + remaining["overrun"] == remaining["tuples"]
        )


@pytest.mark.parametrize("name", ENGINES)
def test_no_answer_before_the_registers_are_written(name):
    """A stream right after the reset has settings 0, and no y passes a constant of 0."""
    design, rng = ENGINES[name], random.Random(name)
    early, good = stream_of(design, rng, 30), stream_of(design, rng, 25)
    early = replace(early, events=[event for event in early.events if isinstance(event, dict)])
    rows, noted = answer(design, good, passes_of(good))
    result = shipped(design).run(
        [early.events, good.events], [{}, good.settings()], packets=len(rows), drain=300
    )
    assert result.rows == rows
    assert result.errors == {"bad_setting"}
    run_time = design.options.constants == "run-time"
    passing = 0 if run_time else sum(map(passes_of(early), early.events))
    dropped = [result.counters[name] for name in ("filtered", "late", "overrun")]
    assert dropped == [30 - passing + noted["filtered"], noted["late"], passing + noted["overrun"]]


def test_a_time_of_one_bit():
    """1 is no time of an ``int(1)``, and the engine still answers."""
    text = "CREATE INPUT STREAM S (t int(1)); SELECT count(*) FROM S [RANGE 1 SLIDE 1 WATTR t];"
    design = NAMES["window-id"](query=parse(text))
    stream = Stream(range=1, slide=1, start=-1, events=[{"t": -1}, {"t": 0}])
    result = bench_run(design, [stream], 2)
    assert (result.rows, result.errors) == ([(0, 1), (1, 1)], set())
