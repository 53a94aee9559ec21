"""Checks the growing lines of keys against lists."""

import random

import pytest
from amaranth.hdl import Shape, signed

from rtl.keyed.store.lines.line_plan import LinePlan
from rtl.keyed.store.lines.tails import Tails
from tb.bench.unit import run_streams

PLANS = {
    "8 in words of 2": LinePlan(item=16, items=8, word_items=2),
    "16 in words of 4": LinePlan(item=signed(7), items=16, word_items=4),
    "4, each a word": LinePlan(item=9, items=4, word_items=1),
    "a line of one word": LinePlan(item=5, items=4, word_items=4),
    "2 in a word": LinePlan(item=5, items=2, word_items=2),
    "2 words of 1": LinePlan(item=5, items=2, word_items=1),
}


def keys_of(rng, entries, count):
    """Returns keys in bursts of one key, of two keys in turn, and of all keys."""
    keys = []
    while len(keys) < count:
        a, b = rng.randrange(entries), rng.randrange(entries)
        keys += rng.choice([[a] * rng.randint(1, 12), [a, b] * rng.randint(1, 9), range(entries)])
    return keys[:count]


@pytest.mark.in_turn
@pytest.mark.parametrize("line_count", [1, 2])
@pytest.mark.parametrize(("stall_in", "stall_out"), [(0, 0), (0.5, 0), (0.3, 0.5)])
@pytest.mark.parametrize("name", PLANS)
def test_lines_grow_item_by_item(name, stall_in, stall_out, line_count):
    plan, entries = PLANS[name], 4
    rng = random.Random(f"{name} {stall_in} {stall_out}")
    shape = Shape.cast(plan.item)
    low = -(1 << shape.width - 1) if shape.signed else 0
    high = low + (1 << shape.width) - 1
    lines, previous, inputs, expected = {}, {}, [], []
    for key in keys_of(rng, entries, 260):
        line = lines.setdefault(key, [])
        if len(line) == plan.items:
            previous[key] = list(line)
            line.clear()
        elif line and rng.random() < 0.02:  # another key takes the entry: no previous line
            previous.pop(key, None)
            line.clear()
        item_fields = {
            "entry": key,
            "place": len(line),
            "valid": 1,
            "passenger": rng.randrange(256),
        }
        item = rng.randint(low, high)
        kind = rng.random()
        if kind < 0.1:  # no item: entry and place are random
            item_fields |= {"entry": rng.randrange(entries), "place": rng.randrange(plan.items)}
            item_fields["valid"] = 0
        elif kind < 0.2:  # no item: the line is shown unchanged
            item_fields["valid"] = 0
        else:
            line.append(item)
        inputs.append(item_fields | {"item": item})
        shown_line = (list(line), previous.get(key)) if kind >= 0.1 else (None, None)
        expected.append((item_fields, *shown_line))
    run = run_streams(
        Tails(plan, entries, 8, lines=line_count, kind="ultra" if stall_in == 0.5 else "block"),
        {"i": inputs},
        {"o": len(inputs)},
        stall_in=stall_in,
        stall_out=stall_out,
        seed=len(name),
    )
    for actual, (item_fields, line, last) in zip(run["o"].payloads, expected, strict=True):
        assert {name: actual[name] for name in item_fields} == item_fields
        assert ("previous" in actual) == (line_count == 2)
        if line is not None:
            assert actual["line"][: len(line)] == line
        if last is not None and line_count == 2:
            assert actual["previous"] == last
    assert sum(last is not None for *_, last in expected) > 30
    if not (stall_in or stall_out):
        assert run["i"].cycles == list(range(len(inputs)))
        assert run["o"].cycles == [cycle + Tails.latency for cycle in run["i"].cycles]


def test_bits_of_the_levels():
    plan = LinePlan(item=64, items=8, word_items=2)
    assert Tails.memory_bits_of(plan, 16384) == (64 * 16384, 3 * 128 * 16384)
    assert Tails.memory_bits_of(plan, 16384, 2) == (64 * 16384, (3 * 128 + 512) * 16384)


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"items": 6}, "items must be a power of two of at least 1, not 6"),
        ({"word_items": 0}, "word_items must be a power of two of at least 1, not 0"),
        ({"items": 2, "word_items": 4}, "word_items must be at most items, 2, not 4"),
    ],
)
def test_plans_that_cannot_be(fields, text):
    with pytest.raises(ValueError, match=text):
        LinePlan(**({"item": 8, "items": 8, "word_items": 2} | fields))


def test_a_line_of_one_item_is_none():
    with pytest.raises(ValueError, match="items must be at least 2, not 1"):
        Tails(LinePlan(item=8, items=1, word_items=1), 4)


def test_lines_that_m2_cannot_have():
    with pytest.raises(ValueError, match="lines must be 1 or 2, not 3"):
        Tails(PLANS["2 in a word"], 4, lines=3)
