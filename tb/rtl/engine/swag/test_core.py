"""The shipped Verilog of the sliding-window engine against its model: settings per stream."""

import random

import pytest

from tb.rtl.engine.bench import HALF, shipped
from tb.rtl.engine.model import without_nan
from tb.rtl.engine.swag_bench import SELECTED, query_of, run, streams_of

pytestmark = pytest.mark.hdl

NAN = 0x7FC00001
BAD = [
    *({"size": 0}, {"size": 9}, {"size": 68}, {"size": 1 << 20}, {"size": (1 << 16) + 8}),
    *({"slide": 0}, {"slide": 2}, {"slide": 1 << 31}, {"size": 8, "slide": 12}),
    *({"percentile1": 0}, {"percentile0": 65537}, {"percentile0": 0xFFFFFFFF}),
]


def passes(tuple_):
    return tuple_["y"] < 40


def allowed(rng):
    size = 4 * rng.randrange(1, 17)
    values = {"size": size, "slide": 4 * rng.randrange(1, size // 4 + 1)}
    values |= {f"percentile{k}": rng.randrange(65536) + 1 for k in range(2)}
    return values | {"function": rng.randrange(4)}


def some_streams(design, rng):
    streams = streams_of(design, rng, [40, 7, 100, 0, 64, 200, 3, 30, 90, 120])
    for tuple_ in (tuple_ for stream in streams for tuple_ in stream):
        tuple_["x"] = NAN if rng.random() < 0.05 else tuple_["x"]
    return streams


@pytest.mark.in_turn
@pytest.mark.parametrize("stalls", [{}, HALF])
@pytest.mark.parametrize("seed", range(8))
def test_each_stream_has_its_own_settings(seed, stalls):
    """Some settings are refused; the streams before and after are answered."""
    rng = random.Random(seed)
    streams = some_streams(SELECTED, rng)
    settings = [allowed(rng) | (rng.choice(BAD) if rng.random() < 0.4 else {}) for _ in streams]
    result, actual, expected = run(
        shipped(SELECTED), streams, settings, passes, seed=seed, **stalls
    )
    assert actual == expected
    valid_tuples = [without_nan(SELECTED.query, stream) for stream in streams]
    passed = [[t for t in stream if passes(t)] for stream in valid_tuples]
    refused = [query_of(SELECTED, set_) is None for set_ in settings]
    tally = result.tally
    sent_count, valid_count, passed_count = (
        sum(map(len, group)) for group in (streams, valid_tuples, passed)
    )
    assert tally["nan"] == sent_count - valid_count
    assert tally["filtered"] == valid_count - passed_count
    assert tally["overrun"] == sum(len(s) for s, bad in zip(passed, refused, strict=True) if bad)
    assert result.errors == ({"bad_setting"} if any(refused) else set())


def test_no_answer_before_the_registers_are_written():
    streams = some_streams(SELECTED, random.Random(1))[:1]
    result = shipped(SELECTED).run(streams, packets=0)
    assert result.packets == []
    assert result.errors == {"bad_setting"}


def test_more_streams_than_may_be_inside():
    """Streams too short for any window, and streams of one or two windows, without a gap."""
    rng = random.Random(4)
    streams = streams_of(SELECTED, rng, [0, 3, 8, 0, 1, 2, 8, 9, 0, 0, 0, 0, 0, 0, 8, 16] * 3)
    for tuple_ in (tuple_ for stream in streams for tuple_ in stream):
        tuple_["y"] = min(tuple_["y"], 39)  # passes, so that a stream of 8 tuples has a window
    settings = [{"size": 8, "slide": 8, "function": k % 4} for k in range(len(streams))]
    for seed in range(3):
        _, actual, expected = run(shipped(SELECTED), streams, settings, passes, seed=seed, **HALF)
        assert actual == expected
        assert [len(windows) for windows in actual] == [len(stream) // 8 for stream in streams]
