"""Checks rates that are predicted from parts of a long stream against rates of all tuples."""

from dataclasses import replace

import numpy as np
import pytest

from gen.prediction.key_streams import CodecSplitting, key_stream
from golden.codecs.registry import CODECS
from query.parser import parse
from rtl.engine import ENGINES
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
    rate_of_parts = design.predict(**arguments).tuples_per_cycle
    assert rate_of_parts == pytest.approx(full_rate, rel=0.05)
    assert rate_of_parts != full_rate  # only parts were computed
    assert full_rate < 0.9  # in the first part few windows are full, so its rate is 1


def test_only_the_measured_tuples_count():
    """Few windows of 64 of 60 keys close in the first 3,000 tuples; later ones bound the rate."""
    design = design_of("small")
    stream = stream_of(12_000, 60)
    full_prediction = design.predict(size=64, slide=1, stream=stream)
    part = design.predict(size=64, slide=1, stream=replace(stream, measured_from=6_000))
    assert part.tuples_per_cycle < 0.78 * full_prediction.tuples_per_cycle
    assert part.latencies[1].cycles > 10 * part.cycles


def test_a_window_that_meets_no_other_has_the_latency_of_one():
    """One tuple in 100 passes WHERE, and every fourth passing tuple closes a window of a line."""
    stream = KeyStream(count=4000, at=100 * np.arange(40), keys=np.zeros(40, int))
    prediction = design_of("small").predict(size=4, slide=4, stream=stream)
    assert prediction.latencies[1].cycles == prediction.cycles


def test_tuples_in_an_encoder_wait_longer():
    """The simulation of this point had 0.2416 tuples per cycle, and a latency of 259 cycles.

    The pipeline of base-delta holds 15 tuples, and the pipeline without a codec holds 2. With 2
    tuples the predicted latency would be 50 cycles lower.
    """
    point = RatePoint(
        memory="mlq", dram="ideal", ws=64, wa=1, keys=8, codec="base-delta", size="small"
    )
    predicted = point.stream_prediction()
    assert predicted.rate == pytest.approx(0.2416, rel=0.02)
    assert predicted.latency == pytest.approx(259, rel=0.03)


def test_a_stream_without_windows_has_the_latency_of_averages():
    stream = KeyStream(count=3, at=np.arange(3), keys=np.zeros(3, int))
    design = design_of("small")
    of_stream = design.predict(size=4, slide=4, stream=stream)
    of_averages = design.predict(size=4, slide=4)
    assert of_stream.latencies == of_averages.latencies


@pytest.mark.parametrize("first", [0, 20_000])
def test_tuples_that_where_leaves_out_do_not_wait(first, monkeypatch):
    """All tuples that pass come before the others, or after them: 4,000 of 24,000 tuples."""
    keys = np.zeros(4000, int)
    stream = KeyStream(count=24_000, at=first + np.arange(4000), keys=keys)
    arguments = {"size": 64, "slide": 1, "stream": stream}
    design = design_of("small")
    full_rate = design.predict(**arguments).tuples_per_cycle
    monkeypatch.setattr(stream_rate, "WHOLE_STREAM", 1000)
    monkeypatch.setattr(stream_rate, "PART", 300)
    assert full_rate < 0.7
    assert design.predict(**arguments).tuples_per_cycle == pytest.approx(full_rate, rel=0.03)


def test_later_tuples_are_like_the_last_ones():
    """Of 24,000 tuples the first 16,000 are listed, and the rate is that of a longer list."""
    key = np.random.default_rng(1).integers(0, 5, 24_000)
    listed = KeyStream(count=24_000, at=np.arange(24_000), keys=key)
    cut = replace(listed, at=listed.at[:16_000], keys=key[:16_000], is_cut=True)
    rates = []
    for stream, whole_stream in ((listed, 24_000), (cut, 1000)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(stream_rate, "WHOLE_STREAM", whole_stream)
            prediction = design_of("small").predict(size=64, slide=1, stream=stream)
        rates.append(prediction.tuples_per_cycle)
    assert rates[0] < 0.7
    assert rates[1] == pytest.approx(rates[0], rel=0.03)


def test_a_tuple_that_closes_many_windows_counts(monkeypatch):
    """Every 100th tuple comes 2,000 units later, and closes 500 windows: 5 windows a tuple."""
    text = "CREATE INPUT STREAM S (k uint(8), t uint(32), x int(32)); SELECT k, sum(x) FROM S "
    query = parse(text + "[PARTITION BY k RANGE 512 SLIDE 1 WATTR t];")
    design = ENGINES["streamzip"](query=query, entries=16)
    times = np.repeat(2000 * np.arange(40), 100)
    stream = KeyStream(count=4000, at=np.arange(4000), keys=np.zeros(4000, int), times=times)
    full_rate = design.predict(range=512, slide=1, stream=stream).tuples_per_cycle
    assert full_rate < 0.2
    monkeypatch.setattr(stream_rate, "WHOLE_STREAM", 1000)
    monkeypatch.setattr(stream_rate, "PART", 300)
    monkeypatch.setattr(stream_rate, "PART_STEPS", 5000)
    part = design.predict(range=512, slide=1, stream=stream).tuples_per_cycle
    assert part == pytest.approx(full_rate, rel=0.35)


@pytest.mark.parametrize(
    ("window", "options", "measured", "tolerance"),
    [
        ("RANGE 64 SLIDE 2 WATTR t", {"window_max": 256, "entries": 8}, 0.2744, 0.1),
        ("ROWS 100 SLIDE 2", {"entries": 64}, 0.6892, 0.02),
    ],
)
def test_blocks_of_cached_windows_are_fed_back(window, options, measured, tolerance):
    """Two keys in bursts of 400 lose the only place of the cache; ``measured`` is a simulation's.

    Without the feedback a key's first window after a burst would read the blocks of all windows
    from the cache: the predictions would be 0.146 and 0.629.
    """
    text = "CREATE INPUT STREAM S (k uint(32), t uint(32), x int(64)); SELECT k, sum(x), max(x) "
    query = parse(f"{text} FROM S [PARTITION BY k {window}];")
    design = ENGINES["streamzip"](query=query, codec="base-delta", cached_keys=1, **options)
    count = 6000
    raws = {
        "k": np.repeat(np.arange(15) % 2, 400),
        "t": np.arange(count) // 2,
        "x": np.cumsum(np.random.default_rng(1).integers(-3, 4, count)),
    }
    stream = key_stream(design, raws, np.ones(count, bool), 0)
    sizes = {"range": 64} if "RANGE" in window else {"size": 100}
    predicted = design.predict(slide=2, stream=stream, **sizes).tuples_per_cycle
    assert predicted == pytest.approx(measured, rel=tolerance)


@pytest.mark.parametrize("marks", [1, 16])
def test_blocks_of_earlier_slides_are_not_decoded(marks):
    """The simulation had 0.1019 tuples per cycle for any number of marks."""
    text = "CREATE INPUT STREAM S (k uint(32), t uint(32), x int(64)); SELECT k, sum(x), max(x) "
    query = parse(f"{text} FROM S [PARTITION BY k RANGE 64 SLIDE 4 WATTR t];")
    options = {"codec": "xor", "marks": marks, "decoders": 2, "window_max": 256, "entries": 64}
    design, count = ENGINES["streamzip"](query=query, **options), 6000
    raws = {
        "k": np.full(count, 5),
        "t": np.arange(count) // 2,
        "x": np.random.default_rng(1).integers(0, 1 << 20, count),
    }
    stream = key_stream(design, raws, np.ones(count, bool), 0)
    predicted = design.predict(range=64, slide=4, stream=stream).tuples_per_cycle
    assert predicted == pytest.approx(0.1019, rel=0.02)


def test_parts_are_the_middles_of_eighths(monkeypatch):
    monkeypatch.setattr(stream_rate, "WHOLE_STREAM", 100)
    monkeypatch.setattr(stream_rate, "PART", 10)
    stream = stream_of(800, 5)
    steps = [Step(int(at), 0) for at in stream.at]
    parts = parts_of(steps, stream)
    assert [part[0].at for part in parts] == [200 * k + 100 - 10 for k in range(8)]
    assert {len(part) for part in parts} == {11}
