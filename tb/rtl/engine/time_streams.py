"""Designs of the engines with windows of time, and random streams for them."""

from rtl.engine.window_id.options import open_window_count
from tb.rtl.engine.time_bench import Stream, point, punctuate

WHERE = "WHERE y < 9"
MODULES, PANES = 6, 16
ENGINES = {
    "window-id": point("window-id", where=WHERE, modules=MODULES, constants="run-time"),
    "sequential": point(
        "pane",
        where=WHERE,
        modules=MODULES,
        panes=PANES,
        window_level="sequential",
        constants="run-time",
    ),
    "two-stacks": point("pane", where=WHERE, modules=MODULES, panes=PANES, constants="run-time"),
    "stream": point("window-id", "uint(9)", where=WHERE, modules=MODULES, punctuations="stream"),
    "pane stream": point(
        "pane", "fixed(6,3)", where=WHERE, modules=MODULES, panes=PANES, punctuations="stream"
    ),
}


def settings_of(rng, low, high, punctuated):
    """Returns RANGE, SLIDE and SLACK that fit every build, and a start.

    The start may be at the ends of the time, and below the least time unless the stream contains
    punctuations.
    """
    while True:
        pane = rng.choice([1, 2, 3, 10, 60])
        slide = pane * rng.randint(1, 3)
        range_ = pane * rng.randint(slide // pane, PANES)
        slack = rng.choice([0, 1, slide, rng.randint(0, 2 * slide)])
        fits = open_window_count(range_, slide, slack) <= MODULES
        if fits and slide + slack <= MODULES * pane and range_ <= (high - low) // 4:
            below = 0 if low < 0 or punctuated else slack + slide
            starts = [low, low - below, high - rng.randint(0, range_)]
            starts += [rng.randint(low, (low + high) // 2)] * 3
            return range_, slide, slack, rng.choice(starts)


def tuples_of(rng, stream, count, high):
    """Returns tuples in disorder, with gaps, some late, some before the start."""
    time, tuples = stream.start, []
    for _ in range(count):
        time += rng.choice([0, 0, 1, stream.slide // 2, stream.slide])
        time += rng.choice([0, 0, 0, 0, 0, 0, 9 * stream.range]) if rng.random() < 0.2 else 0
        t = time - rng.randint(0, stream.slack + (rng.random() < 0.1) * 2 * stream.slide)
        t = min(high, t)
        tuples.append({"x": rng.randrange(-64, 64), "y": rng.randrange(16), "t": t})
    return tuples


def random_streams(rng, design, counts):
    type_ = design.query.window.attribute.type
    punctuated, streams = design.input.punctuations, []
    for count in counts:
        range_, slide, slack, start = settings_of(rng, type_.raw_min, type_.raw_max, punctuated)
        stream = Stream(range=range_, slide=slide, slack=slack, start=start, events=[])
        events = [
            t for t in tuples_of(rng, stream, count, type_.raw_max) if t["t"] >= type_.raw_min
        ]
        constants = (
            {"where0": rng.randrange(16)} if design.options.constants == "run-time" else None
        )
        stream = Stream(
            range=range_, slide=slide, slack=slack, start=start, events=events, constants=constants
        )
        streams.append(punctuate(stream) if punctuated else stream)
    return streams


def passes_of(stream):
    limit = (stream.constants or {"where0": 9})["where0"]
    return lambda tuple_: tuple_["y"] < limit
