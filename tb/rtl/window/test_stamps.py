"""Checks the stamp of each row of a sliding aggregate, such as the time at which a window ends."""

import random

import pytest

from rtl.window.sequential import Sequential
from rtl.window.sliding import Sliding
from tb.rtl.window.models import TUPLES, Kind, run

WIDTH = 12
LOW, HIGH = -(1 << WIDTH - 1), (1 << WIDTH - 1) - 1
CASES = [
    pytest.param(Sliding, ("count", "min"), id="both paths"),
    pytest.param(Sliding, ("sum",), id="subtract on evict"),
    pytest.param(Sliding, ("affine",), id="two stacks"),
    pytest.param(Sequential, ("affine",), id="sequential"),
]


def make(component, names, items_max=16, width=WIDTH):
    kind = Kind(*names)
    return kind, component(operator=kind.operator, tuples=TUPLES, items_max=items_max, stamp=width)


def numbers(rng, windows, low=LOW, high=HIGH):
    """Returns a stamp and a stride such that the stamp of the last window does not overflow."""
    first = rng.choice([low, 0, rng.randint(low, high), high])
    max_stride = (high - first) // max(1, windows - 1)
    return first, rng.choice([max_stride, 0, rng.randint(0, max_stride)])


def streams_of(kind, rng, count, items_max):
    """Returns streams of random lengths with their stamps; some have no row, some no item."""
    streams, stamps = [], []
    for _ in range(count):
        size = rng.choice((1, 2, items_max, rng.randint(1, items_max)))
        slide = rng.choice((1, size, rng.randint(1, size)))
        length = rng.choice((0, 1, size - 1, size, rng.randrange(3 * size + 4), 4 * size))
        items = [kind.draw(rng) for _ in range(length)]
        streams.append((items, size, slide))
        stamps.append(numbers(rng, len(kind.windows(*streams[-1]))))
    return streams, stamps


@pytest.mark.in_turn
@pytest.mark.parametrize(("component", "names"), CASES)
@pytest.mark.parametrize("stalls", [(0.0, 0.0), (0.5, 0.5), (0.0, 0.7), (0.7, 0.0)])
@pytest.mark.parametrize("items_max", [2, 16])
def test_numbers_of_streams_back_to_back(component, names, stalls, items_max):
    """Stamps are sampled with a stream's first item; its end and later settings change no stamp.

    ``run`` also checks the states against the model.
    """
    rng = random.Random(f"{component.__name__} {names} {stalls} {items_max}")
    kind, dut = make(component, names, items_max)
    streams, stamps = streams_of(kind, rng, 24, items_max)
    run(kind, dut, streams, rng.randrange(1000), *stalls, quiet_cycles=40, stamps=stamps)


@pytest.mark.parametrize(("component", "names"), CASES)
def test_from_the_least_number_to_the_greatest(component, names):
    """Stamps go from the least number to the greatest in one stride, or in steps of 1.

    With 6 bits a stride of 63 goes from -32 to 31, so a stride has no sign.
    """
    rng = random.Random(7)
    kind, dut = make(component, names, 4, 6)
    plan = [(4, -32, 63), (66, -32, 1), (3, 31, 63), (5, -32, 0), (4, -32, 63)]
    streams = [([kind.draw(rng) for _ in range(length)], 3, 1) for length, *_ in plan]
    stamps = [(first, stride) for _, first, stride in plan]
    run(kind, dut, streams, 1, stamps=stamps)
