"""The FLiMS merger against heapq.merge."""

import heapq
import random

import pytest
from amaranth.hdl import signed
from amaranth.lib import data

from rtl.sort.flims import FlimsMerger
from rtl.sort.order import SortOrder
from tb.harness.unit import run_streams

ROW = data.StructLayout({"key": 5, "value": signed(4)})
ORDER = SortOrder(ROW, ("key", "value"))


def beats_of(lists, lanes):
    """Beats of lists of (key, value), each list a stream."""
    beats = []
    for items in lists:
        rows = [items[k : k + lanes] for k in range(0, len(items), lanes)] or [[]]
        for k, row in enumerate(rows):
            tuples = [{"key": key, "value": value} for key, value in row]
            tuples += [{"key": 0, "value": 0}] * (lanes - len(row))
            valid = (1 << len(row)) - 1
            beats.append({"tuples": tuples, "valid": valid, "last": int(k == len(rows) - 1)})
    return beats


def lists_of(beats):
    """The lists again; also holds the beats to being dense."""
    lists, items = [], []
    for beat in beats:
        count = beat["valid"].bit_count()
        assert beat["valid"] == (1 << count) - 1
        assert beat["last"] or count == len(beat["tuples"])
        items += [(t["key"], t["value"]) for t in beat["tuples"][:count]]
        if beat["last"]:
            lists.append(items)
            items = []
    assert not items
    return lists


def random_list(rng, length):
    keys = rng.choice([1, 3, 32])
    return sorted((rng.randrange(keys), rng.randrange(-8, 8)) for _ in range(length))


def merge(lanes, input_lanes, a, b, **options):
    dut = FlimsMerger(ORDER, lanes, input_lanes=input_lanes)
    wanted = [list(heapq.merge(x, y)) for x, y in zip(a, b, strict=True)]
    inputs = {"a": beats_of(a, input_lanes), "b": beats_of(b, input_lanes)}
    size = sum(max(1, -(-len(w) // lanes)) for w in wanted)
    spare = sum(
        max(1, -(-len(x) // lanes)) + max(1, -(-len(y) // lanes)) for x, y in zip(a, b, strict=True)
    )
    runs = run_streams(dut, inputs, {"o": None}, max_cycles=40 * (spare + size) + 200, **options)
    assert lists_of(runs["o"].payloads) == wanted
    return runs


@pytest.mark.parametrize("lanes", [1, 2, 4, 8])
def test_random_lists(lanes):
    rng = random.Random(lanes)
    for case, input_lanes in enumerate([lanes, max(1, lanes // 2)] * 2):
        lengths = [rng.choice([0, 1, lanes, rng.randrange(4 * lanes + 3)]) for _ in range(60)]
        a = [random_list(rng, length) for length in lengths]
        rng.shuffle(lengths)
        b = [random_list(rng, length) for length in lengths]
        stalls = {} if case < 2 else {"stall_in": 0.4, "stall_out": 0.4}
        merge(lanes, input_lanes, a, b, seed=case, **stalls)
