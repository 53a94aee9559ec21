"""Checks predicted rates of windows that take several passes against simulations."""

import numpy as np
import pytest

from tb.rtl.engine.key_rates import KeyTuples, measure
from tb.rtl.engine.streamzip.pivot_points import POINTS

pytestmark = pytest.mark.hdl

#: Number of tuples, and number of the first tuple that is measured.
COUNT, FIRST = 2500, 500


def walks(keys, step):
    """Returns the key of each tuple, at random, and its value: each key's values walk."""
    rng = np.random.default_rng(7)
    key, value = rng.integers(0, keys, COUNT), np.zeros(COUNT, int)
    for number in range(keys):
        places = np.flatnonzero(key == number)
        value[places] = 5000 + np.cumsum(rng.integers(-step, step + 1, len(places)))
    return key, value


def case(name, *numbers, quick=False):
    return pytest.param(name, *numbers, marks=() if quick else pytest.mark.regress)


@pytest.mark.parametrize(
    ("name", "ws", "wa", "keys", "step"),
    [
        case("xor", 24, 12, 4, 3, quick=True),
        case("xor", 24, 4, 4, 30, quick=True),
        case("xor", 24, 12, 1, 3),
        case("xor", 16, 8, 4, 3),
        case("grid", 24, 12, 4, 3),
        case("base-delta", 24, 12, 4, 3),
        case("lines", 48, 16, 4, 3),
        case("lines", 48, 16, 1, 30),
    ],
)
def test_the_rate_of_windows_with_several_passes_is_as_predicted(name, ws, wa, keys, step):
    design, (key, value) = POINTS[name], walks(keys, step)
    rate, _, counters = measure(design, key, ws, wa, skip=FIRST, values=value)
    windows = sum(max(0, (np.count_nonzero(key == k) - ws) // wa + 1) for k in range(keys))
    assert counters["passes"] > 1.5 * windows
    tuples = KeyTuples(key=key, value=value, names=np.arange(keys), ws=ws, wa=wa)
    predicted = tuples.stream_prediction(design, "ideal", FIRST)
    assert predicted.rate == pytest.approx(rate, rel=0.03)
