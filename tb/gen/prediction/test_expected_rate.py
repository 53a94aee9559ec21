"""Checks the keywords of a design's prediction, which follow from the data and the memory."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from gen.prediction.expected_rate import NEAR, of_rows, of_values, predicted
from gen.simulate.steady_part import Stretch
from golden.codecs.base_delta import BaseDelta
from golden.codecs.xor import Xor
from query.parser import parse
from rtl.contract.shape import Shape
from rtl.engine import ENGINES
from tb.gen.prediction.keyed_tuples import OF_ROWS, OF_TIME, SCHEMA, tuples_of


@pytest.mark.parametrize("dram", ["ideal", "ddr3"])
def test_keys_are_those_of_tuples_that_count(dram):
    """Three of four keys have passing tuples, a third of all tuples; no key has a full window."""
    query = parse(OF_ROWS)
    design = ENGINES["streamzip"](query=query)
    tuples = tuples_of(query, [1, 2, 3, 4] * 3, [1, 0, 0, 0, 0, 5, 0, 0, 1, 0, 7, 0])
    predicted_again = predicted(design, tuples, None, dram)
    expected = design.predict(keys=3, full=0.0, shape=Shape(counted_share=1 / 3), dram=dram)
    assert replace(predicted_again, tuples_per_cycle=expected.tuples_per_cycle) == expected
    assert predicted_again.tuples_per_cycle == 1  # no window closes


def test_in_windows_of_time_it_matters_how_often_tuples_come():
    """Twelve tuples are in 5 to 60, four of each key, of which three pass."""
    query = parse(OF_TIME)
    design = ENGINES["streamzip"](query=query)
    tuples = tuples_of(query, [1, 2, 3] * 4, [0, 0, 0, *[1] * 9], spacing=5)
    predicted_again = predicted(design, tuples, None, "ddr3")
    shape = Shape(counted_share=3 / 4, tuples_per_time=12 / 56)
    expected = design.predict(keys=3, shape=shape, dram="ddr3")
    assert replace(predicted_again, tuples_per_cycle=expected.tuples_per_cycle) == expected
    assert predicted_again.latencies != design.predict(shape=shape, dram="ddr3").latencies


@pytest.mark.parametrize(("dram", "measured"), [("ideal", 0.1585), ("ddr3", 0.1811)])
def test_the_rate_of_windows_of_time(dram, measured):
    """A window of 64 tuples of the only key closes with each tuple.

    ``measured`` is the rate of `sluice simulate` of these tuples. A tuple before the start of
    window 0 is late and takes one cycle, so with half of the tuples before the start the mean time
    of a tuple is half of the sum of both times.
    """
    query = parse(f"{SCHEMA} k, sum(v) FROM S [PARTITION BY k RANGE 64 SLIDE 1 WATTR t];")
    design, count = ENGINES["streamzip"](query=query), 4000
    tuples = tuples_of(query, [1] * count, [1] * count)
    rate = predicted(design, tuples, None, dram).tuples_per_cycle
    assert rate == pytest.approx(measured, rel=0.01)
    half_late = predicted(design, tuples, None, dram, start=5 + count // 2).tuples_per_cycle
    assert half_late == pytest.approx(2 / (1 + 1 / measured), rel=0.03)


def test_without_tuples_the_prediction_is_by_averages():
    query = parse(OF_ROWS)
    design = ENGINES["streamzip"](query=query)
    assert predicted(design, tuples_of(query, [], []), None, "ddr3") == design.predict(dram="ddr3")


@pytest.mark.parametrize("options", [{}, {"codec": "base-delta", "m2_blocks": 1}])
def test_tuples_that_where_drops_take_a_cycle_each(options):
    query = parse(OF_ROWS)
    design = ENGINES["streamzip"](query=query, **options)
    prediction = predicted(design, tuples_of(query, [1] * 4, [0] * 4), None, "ddr3")
    assert prediction.tuples_per_cycle == 1
    assert prediction.slowest_stage is None


@pytest.mark.parametrize("memories", [(), ("m_axi",)])
@pytest.mark.parametrize(
    "stretch", [None, Stretch(first=0, last=1, shape=Shape(window_ends=((3, 1),)))]
)
def test_a_design_is_asked_only_what_it_can_say(memories, stretch):
    """The keywords name a memory, a stretch or keys only if the design or its query has them."""
    query = parse(f"{SCHEMA} sum(v) FROM S [ROWS 4 SLIDE 4];")
    design = SimpleNamespace(
        query=query,
        memories=memories,
        predict=lambda **asked: asked,
        at_pins=lambda prediction: prediction,
    )
    expected = {"dram": "ddr3"} if memories else {}
    expected |= {} if stretch is None else {"shape": stretch.shape}
    assert predicted(design, tuples_of(query, [1], [1]), stretch, "ddr3") == expected


def test_how_keys_are_mixed():
    """A burst of key 7, then 32 keys once each: near each tuple of the burst all tuples have its
    key, and near the other half of the tuples none has.
    """
    result = of_rows(np.concatenate([np.full(NEAR, 7), np.arange(NEAR)]), 2)
    assert result["mix"].parts == ((0.0, 0.5), (1.0, 0.5))
    assert result["mix"].mean(lambda share: share + 1) == 1.5
    # A window of 2 is full for the 32 later tuples of key 7, and for no tuple of another key.
    assert result["full"] == 32 / 64
    assert "mix" not in of_rows(np.arange(NEAR - 1), 2)


def test_keys_that_come_at_random_are_mixed_as_they_are_often():
    key = np.random.default_rng(1).integers(0, 8, 100_000)
    assert of_rows(key, 1)["mix"].mean(lambda share: share) == pytest.approx(1 / 8, rel=0.02)


def test_steps_of_a_serial_decoder():
    """A block of 422 equal values takes 28 steps: one for the first value, 27 for the runs of 16.

    Blocks of base and delta are decoded at once, so they have no steps.
    """
    key, ones = np.zeros(1000, int), np.ones(1000, int)
    assert of_values("xor", Xor(), key, ones) == {"ratio": 422 / 8, "steps": 28}
    assert of_values("base-delta", BaseDelta(), key, ones) == {"ratio": 54 / 8}
    assert of_values("xor", Xor(), key[:9], ones[:9]) == {"ratio": 1.0}


@pytest.mark.parametrize(("of_stream", "of_mean"), [(0.1, 0.2), (0.2, 0.1)])
def test_the_sender_of_a_network_keeps_to_the_lower_prediction(of_stream, of_mean):
    """With a network the lower of two predictions counts: tuple by tuple, and from the mean load.

    Without a network the prediction tuple by tuple counts.
    """
    query = parse(OF_ROWS)
    design = ENGINES["streamzip"](query=query)

    def predict(stream=None, **_):
        rate = of_mean if stream is None else of_stream
        return replace(design.prediction, tuples_per_cycle=rate)

    tuples = tuples_of(query, [1, 2, 3, 4], [1] * 4)
    for network, rate in ((True, 0.1), (False, of_stream)):
        face = replace(design.face, network=network)
        changed = replace(design, predict=predict, face=face)
        assert predicted(changed, tuples, None, "ddr3").tuples_per_cycle == rate
