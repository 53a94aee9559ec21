"""Checks that generated streams are sorted, seeded, and have the properties of their kind."""

import math
from itertools import groupby

import pytest

from query.types import Double, Fixed, Float, Int, String, UInt
from tb.bench.random_streams import KINDS, extreme_raws, lengths, order_key, random_stream

TYPES = [Int(32), UInt(64), Int(3), Fixed(8, 8), Float(), Double()]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("value", TYPES, ids=str)
@pytest.mark.parametrize("count", [0, 1, 7, 300])
def test_every_kind_is_sorted_in_range_and_seeded(kind, value, count):
    group = UInt(16)
    stream = random_stream(kind, count, group, value, seed=3)
    assert len(stream) == count
    assert all(group.raw_min <= g <= group.raw_max for g, _ in stream)
    assert all(value.raw_min <= v <= value.raw_max for _, v in stream)
    values = [value.value(v) for _, v in stream]
    assert not any(math.isnan(v) for v in values)
    pairs = [(group.value(g), v) for (g, _), v in zip(stream, values, strict=True)]
    assert pairs == sorted(pairs)
    assert stream == random_stream(kind, count, group, value, seed=3)
    if count == 300:
        assert stream != random_stream(kind, count, group, value, seed=4)


def test_kinds_have_their_groups():
    def sizes(kind, count=400, group_bits=32):
        stream = random_stream(kind, count, Int(group_bits), Int(32), lanes=8, seed=1)
        return [len(list(run)) for _, run in groupby(stream, key=lambda t: t[0])]

    assert sizes("one group") == [400]
    assert sizes("all distinct") == [1] * 400
    assert max(sizes("zipf")) > 40
    assert min(sizes("zipf")) == 1
    assert {1, 7, 8, 9, 16, 25} <= set(sizes("runs"))
    assert set(sizes("all distinct", 8, 3)) == {1}


def test_extremes_by_hand():
    assert extreme_raws(Int(8)) == [-128, -127, -1, 0, 1, 126, 127]
    assert extreme_raws(UInt(8)) == [0, 1, 254, 255]
    assert extreme_raws(Int(1)) == [-1, 0]
    ordered = sorted(extreme_raws(Float()), key=lambda raw: order_key(Float(), raw))
    positive = [0x0000_0000, 0x0000_0001, 0x7F7F_FFFF, 0x7F80_0000]
    assert ordered == [raw | 0x8000_0000 for raw in reversed(positive)] + positive
    assert [Float().value(raw) for raw in ordered][::7] == [-math.inf, math.inf]


def test_strings_can_be_groups():
    stream = random_stream("runs", 50, String(4), Int(8), seed=1)
    assert [g for g, _ in stream] == sorted(g for g, _ in stream)


def test_lengths_and_refusals():
    assert lengths(4) == [0, 1, 3, 4, 5, 8, 23]
    assert lengths(1) == [0, 1, 2, 6]
    with pytest.raises(ValueError, match=r"kind must be one of one group, .*, not bursts"):
        random_stream("bursts", 1, Int(8), Int(8))
    with pytest.raises(ValueError, match=r"int\(3\) must have at least 9 values, not 8"):
        random_stream("all distinct", 9, Int(3), Int(8))
