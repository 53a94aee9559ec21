"""Checks the steps of a tuple that closes windows of time against a plain list of steps."""

import random

import pytest

from rtl.keyed.codec.base_delta.base_delta import BaseDelta
from rtl.keyed.windows.closings import Closings
from tb.bench.unit import run_stream
from tb.rtl.keyed.time_bench import plan_of

PLAN = plan_of(overlap=8, number_bits=7, items=4, ring_lines=8, marks=2)
CODED = plan_of(codec=BaseDelta(32), overlap=8, number_bits=7, items=4, ring_lines=8, marks=2)


def some_visit(rng, index):
    """Returns a random visit, and the steps expected from it; a visit that closes windows is valid.

    The place of the visit lies 1 to 32 places after the head of the first window.
    """
    next_, count = rng.randrange(80), rng.choice([0, 0, 1, 1, 2, rng.randint(1, 8)])
    above = rng.choice([0, 0, 1, 30])  # windows that close, and have no tuple
    full, end = int(rng.random() < 0.3), int(rng.random() < 0.2)
    valid = int(count > 0 or rng.random() < 0.7)
    head = rng.randrange(32)
    # Number of places from the head to the tuple. Only a full tuple is in the line of the head.
    span = 32 - head % 4 if full else rng.randint(1, 28)
    place = (head + span) % 32
    # Marks behind the head, of numbers that some of the windows reach.
    numbers = sorted(rng.sample(range(next_ + 1, next_ + 9), min(rng.randint(0, 2), span - 1)))
    places = [(head + k) % 32 for k in sorted(rng.sample(range(1, span), len(numbers)))]
    marks = [
        {"place": p, "number": n % 32, "valid": 1} for p, n in zip(places, numbers, strict=True)
    ]
    marks += [{"place": 0, "number": 0, "valid": 0}] * (2 - len(marks))
    newest = next_ + count - 1 if above or not count else next_ + count - 1 + rng.randrange(2)
    visit = {
        "place": place,
        "item": {"item": index % 1000, "stamp": 3},
        "evicted": index % 2,
        "evicted_key": index % 64,
        "valid": valid,
        "arrived": 1,
        "window_info": {"key": 5, "entry": 2, "window": next_, "bound": 0, "end": end},
        "closes": int(count > 0),
        "single": int(count == 1),
        "full": full,
        "first": (next_ + count + above) % 128,
        "newest": newest % 32,
        "head": head,
        "marks": marks,
    }
    steps = []
    for window in range(next_, next_ + count):
        begin = [head, *places][sum(number <= window for number in numbers)]
        lines = (place // 4 - begin // 4) % 8 or (8 if place % 4 == 0 else 0)
        span = (place - begin - 1) % 32 + 1
        steps.append({"window": window, "lines": lines, "first": begin % 4, "bound": span})
    if full or not count:
        steps.append({})
    return visit, steps


@pytest.mark.parametrize("stalls", [{}, {"stall_in": 0.3, "stall_out": 0.4}])
def test_a_step_for_each_window(stalls):
    rng = random.Random(str(stalls))
    visits = [some_visit(rng, number) for number in range(200)]
    count = sum(len(steps) for _, steps in visits)
    run = run_stream(Closings(PLAN), [visit for visit, _ in visits], expected=count, **stalls)
    actual = iter(run.payloads)
    for visit, steps in visits:
        for k, expected in enumerate(steps):
            step, last = next(actual), k + 1 == len(steps)
            assert (step["closes"], step["window_info"]["end"]) == (
                bool(expected),
                last and visit["window_info"]["end"],
            )
            assert (step["valid"], step["arrived"]) == (last and visit["valid"], last)
            assert 4 * step["line"] + step["place"] == visit["place"]
            for name in ("item", "evicted", "evicted_key"):
                assert step[name] == visit[name]
            assert (step["window_info"]["key"], step["window_info"]["entry"]) == (5, 2)
            if expected:
                observed = {name: step[name] for name in ("lines", "first")}
                observed |= {name: step["window_info"][name] for name in ("window", "bound")}
                assert observed == expected
    if not stalls:  # a step in every cycle
        assert run.cycles == [Closings.latency + k for k in range(count)]


def coded_visit(rng, index, full):
    """Returns a tuple with a codec, whose steps count the values from each window's head on."""
    visit, _ = some_visit(rng, index)
    place = visit["place"]
    begin_places = [visit["head"], *(mark["place"] for mark in visit["marks"] if mark["valid"])]
    numbers = [mark["number"] for mark in visit["marks"] if mark["valid"]]
    next_, newest = visit["window_info"]["window"], visit["newest"]
    closed = range(next_, next_ + min((visit["first"] - next_) % 128, (newest - next_) % 32 + 1))
    empties = int(len(closed) < (visit["first"] - next_) % 128 or closed[-1:] == [newest])

    def values_from(window):
        reached = sum((window - number) % 32 < 16 for number in numbers)
        return (place - begin_places[reached]) % 32

    steps = [{"window": w, "bound": values_from(w), "left": values_from(w + 1)} for w in closed]
    if not visit["closes"]:
        steps = []
    elif empties:
        steps[-1]["left"] = 0
    visit |= {"full": full, "empties": empties, "fresh": index % 2}
    return visit, [*steps, {}] if full or not steps else steps


@pytest.mark.parametrize("full", [0, 1])
def test_a_coded_value_is_in_the_step_of_the_last_window_or_after_it(full):
    rng = random.Random(1)
    visits = [coded_visit(rng, number, full) for number in range(150)]
    count = sum(len(steps) for _, steps in visits)
    inputs = [visit for visit, _ in visits]
    run = run_stream(Closings(CODED), inputs, expected=count, stall_in=0.3, stall_out=0.4)
    actual = iter(run.payloads)
    for visit, steps in visits:
        for k, expected in enumerate(steps):
            step, last = next(actual), k + 1 == len(steps)
            assert (step["closes"], step["valid"]) == (bool(expected), last and visit["valid"])
            assert (step["fresh"], step["item"]) == (visit["fresh"], visit["item"])
            if expected:
                observed = {name: step["window_info"][name] for name in ("window", "bound")}
                assert observed | {"left": step["left"]} == expected
    assert count > 200
