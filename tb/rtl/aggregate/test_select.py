"""Checks that a selection gives, for each choice, the result of the choice."""

import random

import pytest
from amaranth.hdl import Shape, signed, unsigned

from rtl.aggregate.count import Count
from rtl.aggregate.max import Max
from rtl.aggregate.min import Min
from rtl.aggregate.select import Select
from tb.bench.unit import run_stream
from tb.rtl.aggregate.models import MODELS, Aggregation, beats_of, draw, make

EVERY = [cls for cls in MODELS if cls.fold is not None]
SETS = [EVERY, EVERY[:1], EVERY[:5], EVERY[3:5], EVERY[3:4], EVERY[4:6], EVERY[1:4]]


def check(choices, classes, shape, lanes):
    select, rng = Select(choices), random.Random(len(classes))
    contexts = [k % len(classes) for k in range(3 * len(classes))]
    streams = [draw(rng, shape, lanes * rng.randrange(1, 6)) for _ in contexts]
    beats = beats_of(streams, lanes, contexts)
    dut = Aggregation(select, shape, lanes, 31)
    outputs = run_stream(
        dut, beats, expected=len(beats), stall_in=0.2, stall_out=0.3, seed=7
    ).payloads
    results = [result for beat in outputs for result in beat["lanes"]]
    assert results == [
        MODELS[classes[context]](tuples[: n + 1])
        for tuples, context in zip(streams, contexts, strict=True)
        for n in range(len(tuples))
    ]


@pytest.mark.parametrize("shape", [signed(5), unsigned(3)])
@pytest.mark.parametrize("classes", SETS, ids=lambda s: "+".join(c.__name__ for c in s))
def test_each_choice(classes, shape):
    check([make(cls, shape, 5) for cls in classes], classes, shape, 2)


def test_extremes_of_floats_beside_a_count():
    """The word of an extreme is an order key, and its result the float; a count stays a number."""
    ordered = [0xFF800000, 0xBF800000, 0x80000000, 0x00000000, 0x3F800000, 0x7F800000]
    select = Select(
        [cls("x", unsigned(32), floating=True) for cls in (Min, Max)] + [make(Count, None, 5)]
    )
    models = [
        lambda raws: min(raws, key=ordered.index),
        lambda raws: max(raws, key=ordered.index),
        len,
    ]
    rng, contexts = random.Random(4), [2, 0, 1, 0, 2, 1]
    streams = [[{"x": rng.choice(ordered), "new": 0} for _ in range(12)] for _ in contexts]
    beats = beats_of(streams, 2, contexts)
    outputs = run_stream(Aggregation(select, 32, 2, 31), beats, expected=len(beats)).payloads
    assert [result for beat in outputs for result in beat["lanes"]] == [
        models[context]([tuple_["x"] for tuple_ in tuples[: n + 1]])
        for tuples, context in zip(streams, contexts, strict=True)
        for n in range(len(tuples))
    ]


def test_result_fits_every_choice():
    select = Select([make(cls, signed(5), 9) for cls in EVERY[:6]])
    # sum has 5 + 9 bits, signed; a count of 9 bits fits it
    assert Shape.cast(select.result) == signed(14)
    mixed = Select([make(EVERY[0], None, 9), make(EVERY[3], signed(5), 9)])
    assert Shape.cast(mixed.result) == signed(10)


def test_context_width():
    count = make(EVERY[0], None, 4)
    assert [Select([count] * n).context for n in (2, 3, 4, 5)] == [1, 2, 2, 3]


def test_refuses_nothing_to_choose_from():
    with pytest.raises(ValueError, match=r"^choices must not be empty$"):
        Select([])
