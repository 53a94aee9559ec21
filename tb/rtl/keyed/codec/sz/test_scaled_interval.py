"""Checks the allowed working values in two scales by the plain model, which is exact."""

import random
from dataclasses import replace

import pytest

from golden.codecs import scaled_sz as model
from rtl.keyed.codec.sz.scaled import ScaledSz
from rtl.keyed.codec.sz.scaled_interval import ScaledSzInterval
from tb.bench.unit import run_streams
from tb.golden.codecs import scaled
from tb.golden.codecs.bounded import real
from tb.golden.codecs.kinds import EXTREMES
from tb.golden.codecs.scaled_values import streams

NONE = {"some": 0, "low": 0, "nearest": 0, "high": 0}
#: Absolute bounds as powers of two, by the bits of a value.
POWERS = {64: (-1022, -1000, -30, 0, 1, 40, 1000, 1023), 32: (-126, -110, -9, 0, 60, 127)}


def bounds(width, rng):
    """Yields bounds: relative, absolute, both, none, and the ends of both."""
    fraction, bias = (20, 1023) if width == 64 else (23, 127)
    yield from ((655, 0), (0, 0), (65535, 0), (1, (1 << fraction) - 1))
    for power in POWERS[width]:
        absolute = (power + bias << fraction) + rng.getrandbits(fraction)
        yield rng.choice((0, 1, 30, 655)), absolute


def values_of(codec, absolute, rng):
    """Returns values of all kinds and of all sizes, and values near the absolute bound."""
    many = [v for values in streams(codec, 12, rng.random()).values() for v in values]
    many += [rng.getrandbits(codec.width) for _ in range(40)]
    many += [v >> 64 - codec.width for v in EXTREMES]
    near = absolute << codec.width - 32
    for _ in range(12):
        sign = rng.randrange(2) << codec.width - 1
        many.append(max(near + rng.randint(-2, 2), 0) % (1 << codec.width - 1) | sign)
        many.append(near >> rng.randrange(codec.width) | sign)
    return many


@pytest.mark.in_turn
@pytest.mark.parametrize("width", [64, 32])
def test_allowed_values_are_those_of_the_model(width):
    rng, inputs, expected = random.Random(width), [], []
    codec = model.ScaledSz(width)
    for relative, absolute in bounds(width, rng):
        bounded = replace(codec, relative=relative, absolute=absolute)
        for value in values_of(codec, absolute, rng):
            bound = {"relative": relative, "absolute": absolute}
            inputs.append({"value": value, "passenger": rng.randrange(8), "bound": bound})
            expected.append(bounded)
    dut = ScaledSzInterval(ScaledSz(width), 3)
    run = run_streams(dut, {"i": inputs}, {"o": len(expected)}, stall_in=0.1, stall_out=0.2, seed=1)
    escapes = 0
    for item, result, bounded in zip(inputs, run["o"].payloads, expected, strict=True):
        value, scale = item["value"], bounded.natural(item["value"])
        assert result["passenger"] == item["passenger"]
        if scale is None:
            assert (result["natural"], result["coarse"], result["zero"]) == (NONE, NONE, 0), item
            escapes += 1
            continue
        assert (result["scale"], result["scale_above"]) == (scale, (scale + 1) % 256), item
        for name, at in (("natural", scale), ("coarse", scale + 1)):
            interval = bounded.interval(value, at)
            allowed = NONE
            if interval is not None:
                allowed = dict(zip(("low", "nearest", "high"), interval, strict=True)) | {"some": 1}
            assert result[name] == allowed, (name, item)
        assert result["zero"] == (bounded.interval(value, scale + 2) is not None), item
        size = max(abs(real("float", width, value)), scaled.absolute(bounded))
        assert result["fine"] == (size >= 2**12 * scaled.unit(bounded, scale + 1)), item
        escapes += not result["natural"]["some"]
    assert escapes > 20


def test_a_value_in_every_cycle():
    bound = {"relative": 655, "absolute": 0}
    dut = ScaledSzInterval(ScaledSz(64))
    inputs = [{"value": v, "bound": bound, "passenger": 0} for v in EXTREMES]
    run = run_streams(dut, {"i": inputs}, {"o": len(inputs)})
    begin = run["i"].cycles[0]
    assert run["o"].cycles == [begin + dut.latency + k for k in range(len(inputs))]
