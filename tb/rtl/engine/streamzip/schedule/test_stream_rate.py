"""The prediction for a long stream simulates parts of it: the rate is close to the full rate."""

from dataclasses import replace

import numpy as np
import pytest

from gen.prediction.key_streams import CodecSplitting
from golden.codecs.registry import CODECS
from rtl.engine.streamzip.schedule import stream_rate
from rtl.engine.streamzip.schedule.key_stream import KeyStream, Step
from rtl.engine.streamzip.schedule.stream_rate import parts_of
from tb.rtl.engine.key_rates import RatePoint, design_of


def stream_of(count, keys, codec=None):
    """Returns tuples with random keys; WHERE rejects every second tuple."""
    rng = np.random.default_rng(1)
    key = rng.integers(0, keys, count)
    splitting = None
    if codec is not None:
        values = np.cumsum(rng.integers(-3, 4, count))
        splitting = CodecSplitting(codec, CODECS[codec](64), values)
    return KeyStream(count=2 * count, at=2 * np.arange(count), keys=key, splitting=splitting)


@pytest.mark.parametrize(("codec", "keys"), [(None, 60), ("base-delta", 60), ("base-delta", 5)])
def test_parts_stand_for_the_whole(codec, keys, monkeypatch):
    """Windows of 64 tuples of 60 keys are full after a quarter of the stream.

    Each of 5 keys has 40 blocks or more when the later parts begin, and its windows read two.
    """
    design = design_of("small", codec=codec or "none")
    stream = stream_of(12_000, keys, codec)
    arguments = {"size": 64, "slide": 1, "stream": stream}
    full_rate = design.predict(**arguments).tuples_per_cycle
    monkeypatch.setattr(stream_rate, "WHOLE_STREAM", 1000)
    monkeypatch.setattr(stream_rate, "PART", 500)
    assert design.predict(**arguments).tuples_per_cycle == pytest.approx(full_rate, rel=0.05)
    assert full_rate < 0.9  # so the rate of the first part alone would differ


def test_only_the_measured_tuples_count():
    """Few windows of 64 of 60 keys close in the first 3,000 tuples; later ones bound the rate."""
    design = design_of("small")
    stream = stream_of(12_000, 60)
    whole = design.predict(size=64, slide=1, stream=stream)
    part = design.predict(size=64, slide=1, stream=replace(stream, measured_from=6_000))
    assert part.tuples_per_cycle < 0.78 * whole.tuples_per_cycle
    assert part.latencies[1].cycles > 10 * part.cycles


def test_a_window_that_meets_no_other_has_the_latency_of_one():
    """One tuple in 100 passes WHERE, and each fourth of them closes a window of one line."""
    stream = KeyStream(count=4000, at=100 * np.arange(40), keys=np.zeros(40, int))
    prediction = design_of("small").predict(size=4, slide=4, stream=stream)
    assert prediction.latencies[1].cycles == prediction.cycles


def test_tuples_in_an_encoder_wait_longer():
    """The simulation of this point had 0.2416 tuples per cycle, and a latency of 259 cycles.

    The levels of base-delta hold 15 tuples, those of a design without a codec 2. With 13 tuples
    less the latency would be 50 cycles less.
    """
    point = RatePoint(
        memory="mlq", dram="ideal", ws=64, wa=1, keys=8, codec="base-delta", size="small"
    )
    predicted = point.stream_prediction()
    assert predicted.rate == pytest.approx(0.2416, rel=0.02)
    assert predicted.latency == pytest.approx(259, rel=0.02)


def test_a_stream_without_windows_has_the_latency_of_averages():
    stream = KeyStream(count=3, at=np.arange(3), keys=np.zeros(3, int))
    design = design_of("small")
    known, mean = (design.predict(size=4, slide=4, **one) for one in ({"stream": stream}, {}))
    assert known.latencies == mean.latencies


def test_parts_are_the_middles_of_eighths(monkeypatch):
    monkeypatch.setattr(stream_rate, "WHOLE_STREAM", 100)
    monkeypatch.setattr(stream_rate, "PART", 10)
    stream = stream_of(800, 5)
    steps = [Step(int(at), 0) for at in stream.at]
    parts = parts_of(steps, stream)
    assert [part[0].at for part in parts] == [200 * k + 100 - 10 for k in range(8)]
    assert {len(part) for part in parts} == {10}
