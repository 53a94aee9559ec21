"""The predicted passes of windows are those of the plain model of the search."""

import random
from fractions import Fraction
from types import SimpleNamespace

import pytest

from rtl.engine.streamzip.schedule.key_stream import Life
from rtl.engine.streamzip.schedule.pivot_searches import PivotSearches
from tb.rtl.aggregate.pivots import percentile

WIDTH = 12


def walk(rng, count):
    place = 1 << WIDTH - 1
    for _ in range(count):
        place = min(max(place + rng.randint(-9, 9), 0), (1 << WIDTH) - 1)
        yield place


def noise(rng, count):
    return (rng.getrandbits(WIDTH) for _ in range(count))


@pytest.mark.parametrize("draw", [walk, noise])
@pytest.mark.parametrize("neighbours", [1, 4])
def test_passes_of_two_keys_in_turn(draw, neighbours):
    """Each key has the answers of its own window before as its pivots."""
    rng, fractions = random.Random(neighbours), (Fraction(1, 2), Fraction(9, 10))
    values = list(draw(rng, 800))
    plan = SimpleNamespace(width=WIDTH, neighbours=neighbours, fractions=fractions)
    searches, lives = PivotSearches(values, plan), [Life(), Life()]
    pivots, numbers = [[0, 0], [0, 0]], set()
    for k in range(len(values)):
        key, life = k % 2, lives[k % 2]
        life.indices.append(k)
        end = len(life.indices)
        if end < 30 or (end - 30) % 6:
            continue
        window = [values[index] for index in life.indices[end - 30 : end]]
        expected = [
            percentile(window, fraction, pivot, neighbours, WIDTH)
            for fraction, pivot in zip(fractions, pivots[key], strict=True)
        ]
        passes = searches.window(life, end - 30, end).passes(key)
        assert passes == max(passes for _, passes in expected)
        pivots[key] = [answer for answer, _ in expected]
        numbers.add(passes)
    assert len(numbers) > 1


def test_a_new_key_begins_with_the_answers_of_the_key_that_had_its_entry():
    """The median of 100, 101 and 102 is 101, and the median of 1, 101 and 4000 is 101, too."""
    plan = SimpleNamespace(width=WIDTH, neighbours=1, fractions=(Fraction(1, 2),))
    searches = PivotSearches([100, 101, 102, 1, 101, 4000], plan)
    assert searches.window(Life(indices=[0, 1, 2]), 0, 3).passes(0) > 1
    assert searches.window(Life(indices=[3, 4, 5]), 0, 3).passes(0) == 1
    assert searches.window(Life(indices=[3, 4, 5]), 0, 3).passes(1) > 1  # an entry without a key


def test_a_window_in_the_middle_of_a_stream():
    """Without the search of the window before, its answer is the pivot all the same."""
    values = [100, 101, 102, 103, 104, 105]
    plan = SimpleNamespace(width=WIDTH, neighbours=1, fractions=(Fraction(1, 2),))
    searches, life = PivotSearches(values, plan), Life(indices=list(range(6)))
    searches.window(life, 0, 5)  # is never searched
    assert searches.window(life, 1, 6).passes(0) == 1
    assert PivotSearches(values, plan).window(Life(indices=[0, 1, 2]), 0, 3).passes(0) > 1
