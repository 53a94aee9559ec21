"""Checks the shared tree: lists of several sources leave merged, in the order of the turns."""

import random

import pytest

from rtl.sort.switch import TreeSwitch
from tb.bench.unit import run_streams
from tb.rtl.sort.lists import ORDER, beats_of, random_list


@pytest.mark.in_turn(8)
@pytest.mark.parametrize("stalls", [{}, {"stall_in": 0.4, "stall_out": 0.4}])
@pytest.mark.parametrize(("lanes", "sources"), [(1, 2), (2, 1), (4, 2), (4, 3)])
def test_lists_in_the_order_of_their_turns(lanes, sources, stalls):
    rng = random.Random(f"{lanes} {sources}")
    queues = [[[] for _ in range(lanes)] for _ in range(sources)]
    turns, expected = [], []
    for tag in range(40):
        source = rng.randrange(sources)
        if rng.random() < 0.2:
            turns.append({"source": source, "tag": tag, "empty": 1})
            expected.append([])
            continue
        length = rng.randrange(1, 9)
        parts = [sorted(random_list(rng, length)) for _ in range(lanes)]
        for queue, part in zip(queues[source], parts, strict=True):
            queue.append(part)
        turns.append({"source": source, "tag": tag, "empty": 0})
        expected.append(sorted(item for part in parts for item in part))
    dut = TreeSwitch(ORDER, lanes, sources, 6)
    inputs = {
        f"source{s}_leaf{k}": beats_of(lists, 1)
        for s, queue in enumerate(queues)
        for k, lists in enumerate(queue)
        if lists
    }
    beats = sum(max(1, len(items) // lanes) for items in expected)
    runs = run_streams(dut, {"turns": turns, **inputs}, {"o": beats}, seed=1, **stalls)
    merged, items = [], []
    for beat in runs["o"].payloads:
        empty = len(merged) < 40 and turns[len(merged)]["empty"]
        items += [] if empty else [(t["key"], t["value"]) for t in beat["tuples"]]
        if beat["last"]:
            merged.append(items)
            items = []
    assert merged == expected
