"""A reset in the middle of a stream, in the engines that give a row for each window."""

import random
from dataclasses import replace

import pytest

from tb.harness.compiled import ResetInStream
from tb.rtl.engine import rows_bench, test_two_stacks, time_bench
from tb.rtl.engine.bench import HALF
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


def answer_in_time(parameters, stream):
    return time_bench.answer(parameters, stream, passes_in_time(stream))


def answer_of_rows(parameters, stream):
    return rows_bench.answer(parameters, stream, test_two_stacks.passes_of(stream))


def check(parameters, streams, answer, rng, seed):
    """Whatever was inside, the streams fed after it are answered as if nothing had been.

    In every other run the first of them is one that is not allowed: so much is told, too.
    """
    dut = time_bench.design(parameters)
    first = rng.randrange(1, len(streams))
    if seed % 2:
        streams.insert(
            first, replace(streams[0], slide=7, **{SIZE[type(streams[0])]: 6}, events=[])
        )
    answers = [answer(parameters, stream) for stream in streams]
    beats = dut.beats([stream.events for stream in streams])
    rows = [row for rows, _ in answers[first:] for row in rows]
    names = [*(f"{name}_low" for name in time_bench.COUNTERS), "status"]
    result = dut.model.run(
        beats,
        writes={
            k: time_bench.writes(dut.top, stream.settings()) for k, stream in enumerate(streams)
        },
        reads=[dut.top.registers[name].address for name in names],
        packets=len(rows),
        reset=ResetInStream(
            cycle=rng.randrange(20, len(beats)), beat=int(list(beats.starts)[first])
        ),
        seed=seed,
        idle_timeout=50_000,
        drain=300,
        **HALF,
    ).checked()
    assert dut.rows(result.beats[result.beats_before_reset :]) == rows
    *counters, status = result.reads
    assert dict(zip(time_bench.COUNTERS, counters, strict=True)) == {
        name: sum(noted[name] for _, noted in answers[first:]) for name in time_bench.COUNTERS
    }
    assert status == (8 if seed % 2 else 0)
    return result.beats_before_reset


@pytest.mark.parametrize("name", ENGINES)
def test_windows_of_time(name):
    parameters, before = ENGINES[name], []
    for seed in range(6):
        rng = random.Random(f"{name} {seed}")
        streams = streams_in_time(rng, parameters, COUNTS)
        before.append(check(parameters, streams, answer_in_time, rng, seed))
    assert any(before)


def test_windows_of_rows():
    before = []
    for seed in range(6):
        rng = random.Random(seed)
        streams = streams_of_rows(rng, COUNTS)
        before.append(check(ROWS, streams, answer_of_rows, rng, seed))
    assert any(before)
