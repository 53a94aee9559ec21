"""Checks the intervals of working values by the plain model, which is exact."""

import random
from dataclasses import replace

import pytest

from golden.codecs import sz as model
from rtl.keyed.codec.sz.interval import SzInterval
from rtl.keyed.codec.sz.sz import Sz
from tb.bench.unit import run_streams
from tb.golden.codecs.kinds import EXTREMES, doubles, kinds

CODECS = [
    model.Sz(64, "signed"),
    model.Sz(64, "unsigned", 20),
    model.Sz(32, "signed", 3),
    model.Sz(64, "float", -24),
    model.Sz(64, "float", 7),
    model.Sz(32, "float", -10),
    *(
        pytest.param(codec, marks=pytest.mark.regress)
        for codec in (
            model.Sz(64, "signed", 63),
            model.Sz(32, "unsigned", 31),
            model.Sz(64, "float", 993),
            model.Sz(64, "float", -1022),
            model.Sz(32, "float", 104),
            model.Sz(32, "float", -126),
        )
    ),
]
BOUNDS = [(655, 0), (0, 0), (0, 3), (65535, 0), (1, 1000), (30, (1 << 31) - 1)]


def near_ends(codec, rng):
    """Returns patterns of values near the least and the greatest working value, and near 0.

    Values up to 2^16 times the greatest working value are among them, and larger values: with a
    relative bound of 65535 / 65536 the interval of the former still contains a working value.
    """
    actual = []
    for end in (codec.working_min, codec.working_max, 0, 1, -1):
        for _ in range(6):
            working = end + rng.randint(-2, 2)
            pattern = codec.pattern(min(max(working, codec.working_min), codec.working_max))
            actual += [pattern, pattern + rng.randint(-3, 3), pattern ^ 1 << rng.randrange(4)]
    greatest, fraction = codec.pattern(codec.working_max), {32: 23, 64: 52}[codec.width]
    for k in range(12, 19):  # the value 2^k times the greatest working value
        large = greatest + (k << fraction) if codec.kind == "float" else greatest << k
        actual += [large, large ^ 1 << codec.width - 1]
    return [v % (1 << codec.width) for v in actual]


def values_of(codec, rng):
    """Returns values of all kinds and sizes, also the ends of the type, NaN and infinities."""
    many = [v for _, values in kinds(codec.width, 12, seed=rng.random()) for v in values]
    many += [rng.getrandbits(codec.width) >> rng.randrange(codec.width) for _ in range(60)]
    if codec.kind == "float":
        scales = [2.0**k for k in range(-90, 90, 9)]
        many += [v >> 64 - codec.width for v in doubles(rng.uniform(-3, 3) * s for s in scales)]
        many += [v >> 64 - codec.width for v in EXTREMES]
    return many + near_ends(codec, rng)


@pytest.mark.in_turn
@pytest.mark.parametrize("codec", CODECS, ids=str)
def test_intervals_are_those_of_the_model(codec):
    rng, inputs, expected = random.Random(str(codec)), [], []
    for relative, absolute in BOUNDS:
        bounded = replace(codec, relative=relative, absolute=absolute)
        for value in values_of(codec, rng):
            item = {"value": value, "passenger": rng.randrange(8)}
            inputs.append(item | {"bound": {"relative": relative, "absolute": absolute}})
            expected.append((bounded.interval(value), item["passenger"]))
    dut = SzInterval(Sz(codec.width, codec.kind, codec.exponent), 3)
    run = run_streams(dut, {"i": inputs}, {"o": len(inputs)}, stall_in=0.1, stall_out=0.2, seed=1)
    for item, result, (interval, passenger) in zip(
        inputs, run["o"].payloads, expected, strict=True
    ):
        assert result["passenger"] == passenger
        assert result["some"] == (interval is not None), item
        if interval is not None:
            assert (result["low"], result["nearest"], result["high"]) == interval, item
    assert sum(interval is None for interval, _ in expected) > 5
    assert sum(interval is not None for interval, _ in expected) > 100


def test_a_value_in_every_cycle():
    codec = Sz(64, "float", -20)
    bound = {"relative": 655, "absolute": 0}
    dut = SzInterval(codec)
    inputs = [{"value": v, "bound": bound, "passenger": 0} for v in EXTREMES]
    run = run_streams(dut, {"i": inputs}, {"o": len(inputs)})
    begin = run["i"].cycles[0]
    assert run["o"].cycles == [begin + dut.latency + k for k in range(len(inputs))]
