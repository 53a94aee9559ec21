"""Checks predicted rates of windows that take several passes against simulations."""

import numpy as np
import pytest

from tb.rtl.engine.key_rates import KeyTuples, measure
from tb.rtl.engine.seed_points import SeedTuples
from tb.rtl.engine.streamzip.pivot_points import POINTS

pytestmark = pytest.mark.hdl

#: Number of tuples, and number of the first tuple that is measured.
COUNT, FIRST = 2500, 500


def walks(keys, step):
    """Returns a random key for each tuple, and its value; the values of a key are a random walk.

    A step of the walk is at most ``step``.
    """
    rng = np.random.default_rng(7)
    key, value = rng.integers(0, keys, COUNT), np.zeros(COUNT, int)
    for number in range(keys):
        places = np.flatnonzero(key == number)
        value[places] = 5000 + np.cumsum(rng.integers(-step, step + 1, len(places)))
    return key, value


def rates(name, ws, wa, keys, step):
    """Returns the measured and the predicted rate, and the number of passes of all windows.

    ``ws`` and ``wa`` are the size and the slide of the windows, in tuples.
    """
    design, (key, value) = POINTS[name], walks(keys, step)
    rate, _, counters = measure(design, key, ws, wa, skip=FIRST, values=value)
    tuples = KeyTuples(key=key, value=value, names=np.arange(keys), ws=ws, wa=wa)
    return rate, tuples.stream_prediction(design, "ideal", FIRST).rate, counters["passes"]


def necessary_passes(name, ws, wa, keys, step):
    """Returns the passes of all windows if each pivot is the answer of the key's window before.

    The windows have a median and no other percentile.
    """
    key, value = walks(keys, step)
    tuples = SeedTuples(key=key, value=value, names=np.arange(keys), ws=ws, wa=wa)
    windows = sum(max(0, (n - ws) // wa + 1) for n in np.bincount(key).tolist())
    return round(tuples.mean_passes(POINTS[name]) * windows)


def case(name, *numbers, quick=False):
    return pytest.param(name, *numbers, marks=() if quick else pytest.mark.regress)


@pytest.mark.in_turn
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
    rate, predicted, passes = rates(name, ws, wa, keys, step)
    assert passes > 1.5 * (COUNT // wa)
    assert predicted == pytest.approx(rate, rel=0.03)
    if name == "xor":
        assert passes == necessary_passes(name, ws, wa, keys, step)


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("name", "size"),
    [case("xor", 4, quick=True), case("lines", 1), case("base-delta", 2), case("grid", 2)],
)
def test_the_rate_of_windows_that_wait_for_their_keys_answer_is_as_predicted(name, size):
    """Each window waits for the answer of the window before, through decoders and kernels."""
    rate, predicted, _ = rates(name, size, size, 1, 3)
    assert predicted == pytest.approx(rate, rel=0.02)


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("ws", "wa", "keys", "step"),
    [
        (48, 16, 4, 3),
        *(
            pytest.param(*numbers, marks=pytest.mark.regress)
            for numbers in ((24, 12, 4, 3), (24, 12, 1, 3), (24, 4, 4, 30), (4, 4, 1, 3))
        ),
    ],
)
def test_the_rate_of_windows_with_sums_of_doubles_is_nearly_as_predicted(ws, wa, keys, step):
    """Two blocks share the adder of a decoder; the prediction estimates how much each one waits."""
    rate, predicted, _ = rates("xor, sums of double", ws, wa, keys, step)
    assert predicted == pytest.approx(rate, rel=0.07)
