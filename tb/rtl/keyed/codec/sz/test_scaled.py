"""Checks blocks of SZ with scales, of values that are hard for scales, by the plain model."""

import random

import pytest

from golden.codecs import scaled_sz as model
from golden.codecs.blocks import BlockWriter
from rtl.keyed.codec.compressor import Compressor
from rtl.keyed.codec.sz.scaled import ScaledSz
from tb.bench.unit import run_streams
from tb.golden.codecs.scaled_values import CODECS, streams

DAILY = (CODECS[0], CODECS[7])
#: Number of values of each stream.
COUNT = 30


def inputs_of(codec, keys, rng):
    """Yields (entry, fresh, value): streams of hard values, one after the other, or many mixed."""
    sources = [list(values) for values in streams(codec, COUNT, rng.random()).values()]
    if keys == 1:
        for source in sources:
            fresh = True
            for value in source:
                yield 0, fresh, value
                fresh = rng.random() < 0.02
        return
    started = set()
    while sources := [source for source in sources if source]:
        at = rng.randrange(len(sources))
        entry = at % keys
        for _ in range(rng.choice((1, 1, 2, 9))):
            if sources[at]:
                yield entry, entry not in started, sources[at].pop(0)
                started.add(entry)


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("codec", "keys", "stall"),
    [
        pytest.param(codec, keys, stall, marks=() if daily else pytest.mark.regress)
        for codec in CODECS
        for keys, stall in ((1, 0), (4, 0.3))
        for daily in (codec in DAILY and (keys == 1) == (codec.width == 64),)
    ],
    ids=str,
)
def test_blocks_are_those_of_the_model(codec, keys, stall):
    rng = random.Random(f"{codec} {keys}")
    writers, sent, expected = {}, [], []
    bound = {"relative": codec.relative, "absolute": codec.absolute}
    for entry, fresh, value in inputs_of(codec, keys, rng):
        if fresh:
            writers[entry] = BlockWriter(codec)
        info = {"entry": entry, "fresh": fresh, "valid": 1, "passenger": rng.randrange(256)}
        sent.append({**info, "value": value, "stamp": 0, "bound": bound})
        full = writers[entry].take(value)
        growing = writers[entry].growing
        expected.append((info, full, growing.packed(codec.width), len(growing.values)))
    dut = Compressor(ScaledSz(codec.width), 4, 8)
    stalls = {"stall_in": stall, "stall_out": stall}
    run = run_streams(dut, {"i": sent}, {"o": len(sent)}, **stalls, seed=1)
    for received, (info, full, growing, count) in zip(run["o"].payloads, expected, strict=True):
        assert {name: received[name] for name in info} == info
        assert (received["growing"], received["count"]) == (growing, count)
        assert received["closes"] == (full is not None)
        assert full is None or received["closed_block"] == full
    assert len(sent) > 15 * COUNT
    # With an absolute bound near the greatest number almost every value is constant, and short.
    assert sum(full is not None for _, full, *_ in expected) > (
        5 if codec.absolute >> 24 == 0x7F else 10
    )
    if not stall:
        assert run["o"].cycles == [cycle + dut.latency for cycle in run["i"].cycles]
        assert run["i"].cycles == list(range(len(sent)))


def test_the_model_and_the_hardware_have_the_same_sizes():
    for width in (32, 64):
        codec, plain = ScaledSz(width), model.ScaledSz(width)
        assert codec.scale_max == plain.scale_max
        assert codec.most == -codec.least == model.WORKING_MAX
