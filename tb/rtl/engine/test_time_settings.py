"""The engines over time, as shipped Verilog: settings that are not allowed, or not there yet."""

import random
from dataclasses import replace

import pytest

from query.parser import parse
from rtl.engine.window_id import WindowIdParameters
from tb.rtl.engine.bench import HALF
from tb.rtl.engine.test_time import ENGINES
from tb.rtl.engine.time_bench import Stream, answer, design, punctuate, writes

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


def unfit(parameters):
    """Values of more bits than there are: by one, or by many."""
    type_ = parameters.query.window.attribute.type
    half = 1 << (type_.width - type_.signed)
    found = [
        {name: value}
        for name in ("range", "slide", "slack")
        for value in (1 << type_.width, (1 << type_.width) + 40, 0xFFFFFFFF)
    ]
    found += [{"start": value} for value in (half, -half - 1, half + 8, 1 << 30, -(1 << 31))]
    if parameters.constants == "run-time":
        found += [{"where0": value} for value in (16, 25, 1 << 31)]
    return found


def settings_not_allowed():
    return [
        pytest.param(name, bad, id=f"{name} {bad}")
        for name, parameters in ENGINES.items()
        for bad in [*NEVER, *TOO_MUCH[parameters.engine], *unfit(parameters)]
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


def stream_of(parameters, rng, count, **settings):
    """A stream of the good window but for ``settings``; punctuated as for the good one."""
    values = GOOD | settings
    more = {"where0": values.pop("where0", 9)} if parameters.constants == "run-time" else None
    good = Stream(**GOOD, events=tuples_of(rng, count))
    events = punctuate(good).events if parameters.punctuated else good.events
    return Stream(**values, events=events, more=more)


def passes_of(stream):
    limit = (stream.more or {"where0": 9})["where0"]
    return lambda tuple_: tuple_["y"] < limit


def run(parameters, streams, bad, **options):
    """Rows as the model's; what is left of the counters for the bad streams, and the status."""
    answers = [
        answer(parameters, stream, passes_of(stream))
        for stream, is_bad in zip(streams, bad, strict=True)
        if not is_bad
    ]
    wanted = [row for rows, _ in answers for row in rows]
    _, rows, counters, status = design(parameters).run(streams, len(wanted), **options)
    assert rows == wanted
    noted = [counts for _, counts in answers]
    return {name: n - sum(counts[name] for counts in noted) for name, n in counters.items()}, status


def late(parameters, stream):
    """Least and most tuples that pass and are late, in a stream that is swallowed.

    Those before the start are. Behind a punctuation they may be, as it may be left unmade. Where a
    number does not fit there is no slide, and so none is made at all.
    """
    made = not parameters.punctuated
    width = parameters.query.window.attribute.type.width
    lengths = (stream.range, stream.slide, stream.slack)
    stands = not stream.slide or any(length >> width for length in lengths)
    passes, p, greatest, least, most = passes_of(stream), stream.start, stream.start, 0, 0
    for event in stream.events:
        if isinstance(event, int):
            p = p if made else max(p, event)
        elif passes(event):
            greatest = max(greatest, event["t"])
            if made and not stands:
                ahead = (greatest - stream.slack - stream.start) // stream.slide
                p = max(p, stream.start + ahead * stream.slide)
            least += event["t"] < stream.start
            most += event["t"] < p
    return least, most


@pytest.mark.parametrize(("name", "settings"), settings_not_allowed())
def test_settings_that_are_not_allowed(name, settings):
    """Nothing comes of the streams, their tuples are counted, and those around are answered."""
    parameters, rng = ENGINES[name], random.Random(f"{name} {settings}")
    bad = [False, True, False, True, True, False]
    counts = [25, 30, 20, 0, 9, 25]
    streams = [
        stream_of(parameters, rng, count, **(settings if is_bad else {}))
        for count, is_bad in zip(counts, bad, strict=True)
    ]
    rest, status = run(parameters, streams, bad)
    assert status == 8
    assert rest.pop("tuples") == 39
    assert rest.pop("streams") == 3
    noted = [rest.pop(counter) for counter in ("filtered", "late", "overrun")]
    assert rest == {"rows": 0, "nan": 0}
    assert sum(noted) == 39
    # Which tuples pass, or come before the start, is not said when that does not fit.
    swallowed = [stream for stream, is_bad in zip(streams, bad, strict=True) if is_bad]
    passing = [t for s in swallowed for t in s.events if isinstance(t, dict) and passes_of(s)(t)]
    if "where0" not in settings:
        assert noted[0] == 39 - len(passing)
        if "start" not in settings:
            least, most = map(sum, zip(*(late(parameters, s) for s in swallowed), strict=True))
            assert 0 < least <= noted[1] <= most


@pytest.mark.parametrize(
    ("name", "settings"),
    [(name, limit) for name, parameters in ENGINES.items() for limit in LIMITS[parameters.engine]],
    ids=str,
)
def test_settings_that_are_just_allowed(name, settings):
    """So what is refused above is refused for what it is more than this."""
    parameters, rng = ENGINES[name], random.Random(f"{name} {settings}")
    good = stream_of(parameters, rng, 25)
    limit = stream_of(parameters, rng, 40, **settings)
    if parameters.punctuated:
        plain = [event for event in limit.events if isinstance(event, dict)]
        limit = punctuate(replace(limit, events=plain))
    rest, status = run(parameters, [limit, good, limit], [False] * 3, **HALF)
    assert status == 0
    assert not any(rest.values())


@pytest.mark.parametrize("name", ENGINES)
def test_streams_that_are_not_allowed_first_last_and_in_a_row(name):
    parameters, rng = ENGINES[name], random.Random(name)
    bads = [*NEVER, *TOO_MUCH[parameters.engine]]
    bad = [True, True, True, False, False, True, False, True, True]
    streams = [
        stream_of(parameters, rng, rng.choice([0, 1, 20]), **(rng.choice(bads) if is_bad else {}))
        for is_bad in bad
    ]
    for seed, stalls in enumerate([{}, HALF]):
        rest, status = run(parameters, streams, bad, seed=seed, **stalls)
        assert status == 8
        assert rest["streams"] == bad.count(True)
        assert rest["filtered"] + rest["late"] + rest["overrun"] == rest["tuples"]


@pytest.mark.parametrize("name", ENGINES)
def test_no_answer_before_the_registers_are_written(name):
    """A stream straight after the reset: all is 0 then, and a constant of 0 lets no y pass."""
    parameters, rng = ENGINES[name], random.Random(name)
    dut = design(parameters)
    early, good = stream_of(parameters, rng, 30), stream_of(parameters, rng, 25)
    early = replace(early, events=[event for event in early.events if isinstance(event, dict)])
    counters = ("filtered", "late", "overrun")
    reads = [dut.top.registers[n].address for n in ("status", *(f"{c}_low" for c in counters))]
    rows, noted = answer(parameters, good, passes_of(good))
    result = dut.model.run(
        dut.beats([early.events, good.events]),
        writes={1: writes(dut.top, good.settings())},
        reads=reads,
        packets=len(rows),
        drain=300,
    ).checked()
    assert dut.rows(result.beats) == rows
    passing = 0 if parameters.constants == "run-time" else sum(map(passes_of(early), early.events))
    filtered = 30 - passing + noted["filtered"]
    assert result.reads == (8, filtered, noted["late"], passing + noted["overrun"])


def test_a_time_of_one_bit():
    """1 is no time of an ``int(1)``: what stands in for settings yet to be written is none, too."""
    text = "CREATE INPUT STREAM S (t int(1)); SELECT count(*) FROM S [RANGE 1 SLIDE 1 WATTR t];"
    parameters = WindowIdParameters(query=parse(text))
    stream = Stream(range=1, slide=1, start=-1, events=[{"t": -1}, {"t": 0}])
    _, rows, _, status = design(parameters).run([stream], 2)
    assert (rows, status) == ([(0, 1), (1, 1)], 0)
