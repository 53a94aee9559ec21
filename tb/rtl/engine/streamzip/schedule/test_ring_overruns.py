"""Compares the predicted number of overruns with the plain model that the engine is checked by."""

import random

import numpy as np
import pytest

from rtl.engine.streamzip.schedule.key_stream import KeyStream
from rtl.engine.streamzip.schedule.ring_overruns import overruns
from tb.rtl.engine.key_bench import unsigned
from tb.rtl.engine.key_time_bench import Answers, point, random_streams

SMALL = {"select": "max(x)", "ports": 1, "window_max": 16}
CODED = SMALL | {"line_values": None}
POINTS = {
    "lines": point(**SMALL),
    "lines of 2, one mark": point(**SMALL | {"line_values": 2, "marks": 1}),
    "few entries": point(**SMALL | {"entries": 8}),
    "base-delta": point(**CODED, codec="base-delta"),
    "xor, one mark": point(**CODED, codec="xor", decoders=2, marks=1),
}


def predicted(design, stream):
    """Returns the predicted number of overruns of a stream of :mod:`tb.rtl.engine.key_time_bench`.

    The slide numbers of these designs suffice for all times.
    """
    events = stream.events
    key = design.query.key.type
    keys = np.array([unsigned(key, event["k"]) for event in events], np.uint64)
    times = np.array([event["t"] - stream.start for event in events], np.int64)
    at = np.arange(len(events))
    tuples = KeyStream(count=len(events), at=at, keys=keys, times=times)
    return overruns(design.options.resolved, tuples, stream.range, stream.slide)


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("name", POINTS)
def test_overruns_are_those_of_the_plain_model(name):
    design, rng, total = POINTS[name], random.Random(f"overruns {name}"), 0
    streams = random_streams(rng, design, [400] * 40, keys=5, pace=9)
    for stream in streams:
        if not stream.allowed(design):
            continue
        answers = Answers(design, [stream], lambda stream, tuple_: True)
        assert predicted(design, stream) == answers.tally["overrun"]
        total += answers.tally["overrun"]
    assert total > 100


@pytest.mark.parametrize(("time", "count"), [((1 << 32) - 1, 0), (1 << 32, 1), (1 << 40, 1)])
def test_a_slide_that_cannot_be_numbered_is_an_overrun(time, count):
    """Slides have numbers of 32 bits at most: the tuple at 2^40 would be in slide 2^40."""
    design = point(time="uint(60)", select="max(x)")
    times = np.array([0, time, 1], np.int64)
    stream = KeyStream(count=3, at=np.arange(3), keys=np.zeros(3, np.uint64), times=times)
    assert design.options.resolved.kind.times.number_bits == 32
    assert overruns(design.options.resolved, stream, 1, 1) == count
