"""Checks which windows LateFeedback waits for, by hand and against a list of windows."""

import random

import pytest

from rtl.keyed.cache.late_feedback import LateFeedback
from tb.bench.unit import simulate


def settled_after(places, windows, events):
    """Returns the places that are settled after each cycle's events, as a list of bits."""
    dut, settled = LateFeedback(places, windows), []

    async def bench(ctx):
        for event in events:
            for name in ("sent", "returned", "claims", "hits"):
                ctx.set(getattr(dut, name), event.get(name, 0))
            await ctx.tick()
            settled.append(ctx.get(dut.settled))

    simulate(dut, bench)
    return settled


def test_the_example():
    """Two windows are under way at the hit; one more comes with the hit's next cycle."""
    events = [
        {"sent": 1, "claims": 1},
        {"sent": 1},
        {"hits": 1},
        {"sent": 1, "returned": 1},
        {"returned": 1},
        {"returned": 1},
    ]
    assert settled_after(1, 4, events)[2:] == [0, 0, 1, 1]


def test_a_window_that_returns_with_the_hit_is_not_awaited():
    events = [{"sent": 1, "claims": 1}, {"hits": 1, "returned": 1}]
    assert settled_after(1, 1, events)[1] == 1


def test_a_later_hit_does_not_wait_again():
    """After the first hit is settled, windows of other keys are sent before the second hit."""
    events = [{"sent": 1, "claims": 1}, {"returned": 1}, {"hits": 1}, {"sent": 1}, {"hits": 1}]
    assert settled_after(1, 1, events)[2:] == [1, 1, 1]
    claimed_anew = [*events, {"sent": 1, "claims": 1}, {"hits": 1}]
    assert settled_after(1, 2, claimed_anew)[-1] == 0


@pytest.mark.parametrize("seed", range(3))
def test_places_against_a_list_of_windows(seed):
    """A place is settled when the windows that were sent before its first hit have returned."""
    rng, places, max_pending = random.Random(seed), 3, 7
    events, expected = [], []
    sent = returned = 0
    claimed, last_before_hit = [False] * places, [None] * places
    for _ in range(400):
        event = {"returned": int(returned < sent and rng.random() < 0.4)}
        returned += event["returned"]
        place, kind = rng.randrange(places), rng.choice(("claims", "hits", "other", "none"))
        if kind == "hits" and claimed[place]:
            event["hits"] = 1 << place
            if last_before_hit[place] is None:
                last_before_hit[place] = sent
        elif kind in ("claims", "other") and sent - returned < max_pending:
            event["sent"] = 1
            sent += 1
            if kind == "claims":
                event["claims"] = 1 << place
                claimed[place], last_before_hit[place] = True, None
        events.append(event)
        expected.append([None if last is None else last <= returned for last in last_before_hit])
    for bits, flags in zip(settled_after(places, max_pending, events), expected, strict=True):
        for place, flag in enumerate(flags):
            assert flag is None or bits >> place & 1 == flag
