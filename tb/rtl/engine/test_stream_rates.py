"""Rates of streams of keys, predicted tuple by tuple, and measured in the hardware."""

import numpy as np
import pytest

from gen.prediction.key_streams import CodecSplitting, key_stream
from golden.codecs.registry import CODECS
from rtl.engine.streamzip.schedule.key_stream import KeyStream
from sim.memory import Memory
from tb.rtl.engine import key_time_bench
from tb.rtl.engine.key_rates import design_of, measure
from tb.rtl.engine.key_values import values_of
from tb.rtl.engine.streamzip.row_points import POINTS

pytestmark = pytest.mark.hdl

COUNT = 6000
KINDS = ("skewed", "uniform", "one key", "bursts")
WINDOWS = [(64, 1), (100, 7), (128, 2), (8, 8)]


def keys_of(kind, count=COUNT):
    rng = np.random.default_rng(1)
    weights = 1 / np.arange(1, 41)
    return {
        "skewed": rng.choice(40, count, p=weights / weights.sum()),
        "uniform": rng.integers(0, 40, count),
        "one key": np.full(count, 9),
        "bursts": np.repeat(rng.integers(0, 40, count // 20), 20),
    }[kind]


def compare(design, kind, ws, wa, back_end, codec="none"):
    """Returns the predicted rate divided by the measured rate; checks the rows of the run.

    ``ws`` and ``wa`` are the size and the slide of the windows, in tuples.
    """
    keys, splitting, values = keys_of(kind), None, None
    if codec != "none":
        values = values_of(codec, keys, np.random.default_rng(1))
        splitting = CodecSplitting(codec, CODECS[codec](64), values)
    at = np.arange(len(keys))
    stream = KeyStream(count=len(keys), at=at, keys=keys, splitting=splitting)
    prediction = design.predict(size=ws, slide=wa, keys=40, stream=stream, dram=back_end)
    rate, _, _ = measure(design, keys, ws, wa, back_end, values=values)
    return float(prediction.tuples_per_cycle / rate)


@pytest.mark.in_turn
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("ws", "wa"), [(64, 1), (100, 7)])
def test_the_rate_is_as_predicted(kind, ws, wa, record_property):
    """The prediction is within 2 %, also for a short stream whose first windows are not full."""
    ratio = compare(design_of("small"), kind, ws, wa, "ideal")
    record_property("ratio", float(ratio))
    assert ratio == pytest.approx(1, abs=0.02)


@pytest.mark.regress
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("ws", "wa"), WINDOWS)
def test_dram_only_is_as_predicted(kind, ws, wa, record_property):
    ratio = compare(design_of("small", "dram-only"), kind, ws, wa, "ideal")
    record_property("ratio", float(ratio))
    assert ratio == pytest.approx(1, abs=0.05)


@pytest.mark.regress
@pytest.mark.parametrize("memory", ["mlq", "dram-only"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("ws", "wa"), WINDOWS)
def test_a_dram_is_as_predicted(memory, kind, ws, wa, record_property):
    """The prediction is within 4 %: banks, rows, turns and refreshes are computed per cycle."""
    ratio = compare(design_of("small", memory), kind, ws, wa, "ddr3")
    record_property("ratio", float(ratio))
    assert ratio == pytest.approx(1, abs=0.04)


@pytest.mark.regress
@pytest.mark.parametrize("m2", ["block", "external"])
@pytest.mark.parametrize("copies", [1, 4])
@pytest.mark.parametrize("back_end", ["ideal", "ddr3"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("ws", "wa"), WINDOWS)
def test_copies_of_blocks_are_as_predicted(kind, ws, wa, back_end, copies, m2, record_property):
    """Windows have copies of all closed blocks in M2, or need older blocks from M3, too."""
    design = design_of("small", codec="base-delta", m2_blocks=copies, m2=m2)
    ratio = compare(design, kind, ws, wa, back_end, "base-delta")
    record_property("ratio", float(ratio))
    assert ratio == pytest.approx(1, abs=0.06)


def test_a_full_ring_of_noise_is_as_predicted():
    """The ring of a key has 16 blocks, and the noise fills more than 200 blocks of one key.

    Without the wait for a place in the ring, the prediction reads ever older blocks, up to the
    whole ring, and is 26 % too slow. The design is one that other tests build.
    """
    design, count, rng = POINTS["base-delta"], 2500, np.random.default_rng(1)
    keys, values = np.full(count, 9), rng.integers(-(1 << 39), 1 << 39, count)
    splitting = CodecSplitting("base-delta", CODECS["base-delta"](64), values)
    stream = KeyStream(count=count, at=np.arange(count), keys=keys, splitting=splitting)
    prediction = design.predict(size=30, slide=28, keys=40, stream=stream, dram="ideal")
    rate, _, _ = measure(design, keys, 30, 28, "ideal", values=values)
    assert float(prediction.tuples_per_cycle / rate) == pytest.approx(1, abs=0.05)


@pytest.mark.in_turn
def test_a_block_that_is_never_full_is_as_predicted():
    """A value changes after every 24 tuples, so all windows lie in one block of up to 400 values.

    The only decoder takes 3 steps for 24 tuples. With a step for each tuple of a block that is not
    full at the end of the stream, the prediction was seven times too slow. The design is one
    that other tests build.
    """
    design, codec, count = POINTS["xor, 32 bits"], "xor", 400
    keys, values = np.full(count, 9), np.arange(count) // 24 % 2
    splitting = CodecSplitting(codec, CODECS[codec](32), values)
    stream = KeyStream(
        count=count, at=np.arange(count), keys=keys, splitting=splitting, measured_from=100
    )
    prediction = design.predict(size=30, slide=1, keys=1, stream=stream, dram="ideal")
    rate, _, _ = measure(design, keys, 30, 1, "ideal", skip=100, values=values)
    assert float(prediction.tuples_per_cycle / rate) == pytest.approx(1, abs=0.1)


@pytest.mark.regress
@pytest.mark.parametrize("codec", ["base-delta", "xor"])
@pytest.mark.parametrize("kind", KINDS)
def test_compressed_windows_are_as_predicted(codec, kind, record_property):
    ratio = compare(design_of("small", codec=codec), kind, 256, 1, "ideal", codec)
    record_property("ratio", float(ratio))
    assert ratio == pytest.approx(1, abs=0.05)


@pytest.mark.regress
@pytest.mark.parametrize("codec", ["base-delta", "xor"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("ws", "wa"), [(256, 1), (8, 2)])
def test_compressed_windows_on_a_dram_are_as_predicted(codec, kind, ws, wa, record_property):
    """The prediction is within 8 %, also for windows of 8 tuples.

    Such a window is in one or two blocks, so most reads wait until the key's last write is done.
    """
    ratio = compare(design_of("small", codec=codec), kind, ws, wa, "ddr3", codec)
    record_property("ratio", float(ratio))
    assert ratio == pytest.approx(1, abs=0.08)


@pytest.mark.regress
@pytest.mark.parametrize("back_end", ["ideal", "ddr3"])
def test_compressed_windows_of_time_are_as_predicted(back_end, record_property):
    """Each key has a tuple in every second slide on average; some tuples are late.

    The prediction is within 5 %. Most blocks have only one value.
    """
    sizes = {"entries": 64, "ports": 4, "window_max": 256, "overlap": 8, "line_values": 8}
    options = sizes | {"marks": 1, "codec": "base-delta"}
    design = key_time_bench.point("uint(32)", select="sum(x)", key="uint(16)", **options)
    rng = np.random.default_rng(1)
    events = [
        {"k": int(k), "x": int(x), "y": 0, "t": int(t)}
        for k, x, t in zip(
            rng.integers(0, 30, 3000),
            rng.integers(0, 99, 3000),
            30 + np.arange(3000) // 5 - rng.integers(0, 7, 3000),
            strict=True,
        )
    ]
    stream = key_time_bench.Stream(range=14, slide=3, start=0, events=events)
    run, _ = key_time_bench.check(design, [stream], memory=Memory(backend=back_end))
    (into,) = run.outcome.inputs.values()
    rate = len(events) / (into.beat_cycles[-1] - into.beat_cycles[0])
    raws = {name: np.array([event[name] for event in events]) for name in events[0]}
    tuples = key_stream(design, raws, np.ones(len(events), bool), stream.start)
    prediction = design.predict(stream=tuples, dram=back_end)
    ratio = float(prediction.tuples_per_cycle / rate)
    record_property("ratio", ratio)
    assert ratio == pytest.approx(1, abs=0.05)
