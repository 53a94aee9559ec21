"""A reset in the middle of a stream, in the engines that give a row for each window."""

import random
from dataclasses import replace

import pytest

from tb.harness.job import ResetInStream
from tb.rtl.engine import rows_bench, test_two_stacks, time_bench
from tb.rtl.engine.bench import HALF, joined, shipped
from tb.rtl.engine.test_time import ENGINES
from tb.rtl.engine.test_time import passes_of as passes_in_time
from tb.rtl.engine.test_time import random_streams as streams_in_time

pytestmark = pytest.mark.hdl

COUNTS = [120, 7, 200, 1, 60, 150]
ROWS = test_two_stacks.FILTERED
SIZE = {rows_bench.Stream: "size", time_bench.Stream: "range"}


def streams_of_rows(rng, counts):
    """Windows of all sizes, so that the memories hold what must not be seen again."""
    streams = []
    for count in counts:
        size = rng.randint(1, 16)
        events = [{"x": rng.randrange(-64, 64), "y": rng.randrange(16)} for _ in range(count)]
        more = {"where0": rng.randrange(8, 16), "where1": rng.randrange(-64, 64)}
        slide = rng.randint(1, size)
        streams.append(rows_bench.Stream(size=size, slide=slide, events=events, more=more))
    return streams


def answer_in_time(design, stream):
    return time_bench.answer(design, stream, passes_in_time(stream))


def answer_of_rows(design, stream):
    return rows_bench.answer(design, stream, test_two_stacks.passes_of(stream))


def check(design, streams, answer, rng, seed):
    """Whatever was inside, the streams fed after it are answered as if nothing had been.

    In every other run the first of them is one that is not allowed: so much is told, too.
    """
    dut = shipped(design)
    first = rng.randrange(1, len(streams))
    if seed % 2:
        streams.insert(
            first, replace(streams[0], slide=7, **{SIZE[type(streams[0])]: 6}, events=[])
        )
    rows, tally = joined(answer(design, stream) for stream in streams[first:])
    beats = dut.beats([stream.events for stream in streams])
    reset = ResetInStream(cycle=rng.randrange(20, len(beats)), beat=int(list(beats.starts)[first]))
    done = dut.run(
        beats,
        [stream.settings() for stream in streams],
        packets=len(rows),
        reset=reset,
        seed=seed,
        idle_timeout=50_000,
        drain=300,
        **HALF,
    )
    assert done.rows == rows
    assert done.tally == tally
    assert done.errors == ({"bad_setting"} if seed % 2 else set())
    return done.outcome.beats_before_reset


@pytest.mark.parametrize("name", ENGINES)
def test_windows_of_time(name):
    design, before = ENGINES[name], []
    for seed in range(6):
        rng = random.Random(f"{name} {seed}")
        streams = streams_in_time(rng, design, COUNTS)
        before.append(check(design, streams, answer_in_time, rng, seed))
    assert any(before)


def test_windows_of_rows():
    before = []
    for seed in range(6):
        rng = random.Random(seed)
        streams = streams_of_rows(rng, COUNTS)
        before.append(check(ROWS, streams, answer_of_rows, rng, seed))
    assert any(before)
