"""The engines over time, as shipped Verilog: settings that are not allowed, or not there yet."""

import random
from dataclasses import replace

import pytest

from query.parser import parse
from rtl.engine import ENGINES as NAMES
from tb.rtl.engine.bench import HALF, joined, shipped
from tb.rtl.engine.test_time import ENGINES
from tb.rtl.engine.time_bench import Stream, answer, punctuate
from tb.rtl.engine.time_bench import run as bench_run

pytestmark = pytest.mark.hdl

# All have 6 modules and 16 panes; here 5 window modules are needed, or 2 pane modules, 4 panes.
GOOD = {"range": 40, "slide": 10, "slack": 10, "start": 8}
NEVER = [
    *({"range": 0}, {"slide": 0}, {"range": 0, "slide": 0}, {"slide": 41}, {"range": 9}),
    *({"slack": 60}, {"range": 170}, {"range": 255, "slack": 255}, {"slide": 1, "range": 17}),
]
TOO_MUCH = {  # for one of the engines only
    "window-id": [{"range": 51}, {"slack": 21}, {"slide": 9}, {"range": 30, "slack": 31}],
    "pane": [{"slack": 51}, {"range": 170}, {"range": 41}, {"slide": 7}, {"slide": 39}],
}
LIMITS = {  # the most that fits
    "window-id": [{"range": 50}, {"slack": 20}, {"range": 60, "slack": 0}, {"slide": 40}],
    "pane": [{"slack": 50}, {"range": 160}, {"slide": 40, "slack": 20}, {"range": 35, "slide": 5}],
}


def unfit(design):
    """Values of more bits than there are: by one, or by many."""
    type_ = design.query.window.attribute.type
    half = 1 << (type_.width - type_.signed)
    found = [
        {name: value}
        for name in ("range", "slide", "slack")
        for value in (1 << type_.width, (1 << type_.width) + 40, 0xFFFFFFFF)
    ]
    found += [{"start": value} for value in (half, -half - 1, half + 8, 1 << 30, -(1 << 31))]
    if design.options.constants == "run-time":
        found += [{"where0": value} for value in (16, 25, 1 << 31)]
    return found


def settings_not_allowed():
    return [
        pytest.param(name, bad, id=f"{name} {bad}")
        for name, design in ENGINES.items()
        for bad in [*NEVER, *TOO_MUCH[design.engine], *unfit(design)]
    ]


def tuples_of(rng, count, slack=10):
    """Tuples in some disorder from 8 on; a few too late, the first and others before the start."""
    time, tuples = 8, [{"x": 1, "y": 0, "t": 3}] if count else []
    for _ in range(count - 1):
        time += rng.choice([0, 1, 3, 10])
        t = time - rng.choice([0, 0, 0, 5, slack, 2 * slack])
        t = rng.choice([3, 7]) if rng.random() < 0.1 else max(0, t)
        tuples.append({"x": rng.randrange(-64, 64), "y": rng.randrange(16), "t": t})
    return tuples


def stream_of(design, rng, count, **settings):
    """A stream of the good window but for ``settings``; punctuated as for the good one."""
    values = GOOD | settings
    more = {"where0": values.pop("where0", 9)} if design.options.constants == "run-time" else None
    good = Stream(**GOOD, events=tuples_of(rng, count))
    events = punctuate(good).events if design.input.punctuations else good.events
    return Stream(**values, events=events, more=more)


def passes_of(stream):
    limit = (stream.more or {"where0": 9})["where0"]
    return lambda tuple_: tuple_["y"] < limit


def run(design, streams, bad, **options):
    """Rows as the model's; what is left of the counters for the bad streams, and the errors."""
    wanted, tally = joined(
        answer(design, stream, passes_of(stream))
        for stream, is_bad in zip(streams, bad, strict=True)
        if not is_bad
    )
    done = bench_run(design, streams, len(wanted), **options)
    assert done.rows == wanted
    return {name: n - tally[name] for name, n in done.tally.items()}, done.errors


def late(design, stream):
    """Least and most tuples that pass and are late, in a stream that is swallowed by the windows.

    Those before the start are. Behind a punctuation they may be, as it may be left unmade. Without
    a slide none is made at all.
    """
    made = not design.input.punctuations
    passes, p, greatest, least, most = passes_of(stream), stream.start, stream.start, 0, 0
    for event in stream.events:
        if isinstance(event, int):
            p = p if made else max(p, event)
        elif passes(event):
            greatest = max(greatest, event["t"])
            if made and stream.slide:
                ahead = (greatest - stream.slack - stream.start) // stream.slide
                p = max(p, stream.start + ahead * stream.slide)
            least += event["t"] < stream.start
            most += event["t"] < p
    return least, most


@pytest.mark.parametrize(("name", "settings"), settings_not_allowed())
def test_settings_that_are_not_allowed(name, settings):
    """Nothing comes of the streams, their tuples are counted, and those around are answered.

    A number that does not fit is seen on arrival: the stream has no time then, and no tuple of it
    is late. What windows of time make no sense is seen where the windows are.
    """
    design, rng = ENGINES[name], random.Random(f"{name} {settings}")
    bad = [False, True, False, True, True, False]
    counts = [25, 30, 20, 0, 9, 25]
    streams = [
        stream_of(design, rng, count, **(settings if is_bad else {}))
        for count, is_bad in zip(counts, bad, strict=True)
    ]
    rest, errors = run(design, streams, bad)
    assert errors == {"bad_setting"}
    assert rest.pop("tuples") == 39
    assert rest.pop("streams") == 3
    filtered, too_late, overrun = (rest.pop(name) for name in ("filtered", "late", "overrun"))
    assert rest == {"rows": 0, "nan": 0}
    assert filtered + too_late + overrun == 39
    swallowed = [stream for stream, is_bad in zip(streams, bad, strict=True) if is_bad]
    least, most = map(sum, zip(*(late(design, stream) for stream in swallowed), strict=True))
    if settings in unfit(design):
        least = most = 0
    else:
        assert least > 0
    assert least <= too_late <= most
    if "where0" not in settings:  # which tuples pass is not said when that does not fit
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
    """So what is refused above is refused for what it is more than this."""
    design, rng = ENGINES[name], random.Random(f"{name} {settings}")
    good = stream_of(design, rng, 25)
    limit = stream_of(design, rng, 40, **settings)
    if design.input.punctuations:
        plain = [event for event in limit.events if isinstance(event, dict)]
        limit = punctuate(replace(limit, events=plain))
    rest, errors = run(design, [limit, good, limit], [False] * 3, **HALF)
    assert errors == set()
    assert not any(rest.values())


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
        rest, errors = run(design, streams, bad, seed=seed, **stalls)
        assert errors == {"bad_setting"}
        assert rest["streams"] == bad.count(True)
        assert rest["filtered"] + rest["late"] + rest["overrun"] == rest["tuples"]


@pytest.mark.parametrize("name", ENGINES)
def test_no_answer_before_the_registers_are_written(name):
    """A stream straight after the reset: all is 0 then, and a constant of 0 lets no y pass."""
    design, rng = ENGINES[name], random.Random(name)
    early, good = stream_of(design, rng, 30), stream_of(design, rng, 25)
    early = replace(early, events=[event for event in early.events if isinstance(event, dict)])
    rows, noted = answer(design, good, passes_of(good))
    done = shipped(design).run(
        [early.events, good.events], [{}, good.settings()], packets=len(rows), drain=300
    )
    assert done.rows == rows
    assert done.errors == {"bad_setting"}
    run_time = design.options.constants == "run-time"
    passing = 0 if run_time else sum(map(passes_of(early), early.events))
    told = [done.counters[name] for name in ("filtered", "late", "overrun")]
    assert told == [30 - passing + noted["filtered"], noted["late"], passing + noted["overrun"]]


def test_a_time_of_one_bit():
    """1 is no time of an ``int(1)``: what stands in for settings yet to be written is none, too."""
    text = "CREATE INPUT STREAM S (t int(1)); SELECT count(*) FROM S [RANGE 1 SLIDE 1 WATTR t];"
    design = NAMES["window-id"](query=parse(text))
    stream = Stream(range=1, slide=1, start=-1, events=[{"t": -1}, {"t": 0}])
    done = bench_run(design, [stream], 2)
    assert (done.rows, done.errors) == ([(0, 1), (1, 1)], set())
