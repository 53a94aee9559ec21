"""The chunk sorter against Python's sorted."""

import random

import pytest

from rtl.sort.chunk import ChunkSorter
from tb.harness.unit import run_streams
from tb.rtl.sort.lists import ORDER, beats_of, lists_of, random_list


def run(lanes, capacity, chunks, **options):
    dut = ChunkSorter(ORDER, lanes, capacity)
    beats = sum(len(chunk) // lanes for chunk in chunks)
    runs = run_streams(dut, {"i": beats_of(chunks, lanes)}, {"o": beats}, **options)
    assert lists_of(runs["o"].payloads) == [sorted(chunk) for chunk in chunks]
    return runs


@pytest.mark.parametrize("stalls", [{}, {"stall_in": 0.4, "stall_out": 0.4}])
@pytest.mark.parametrize(("lanes", "capacity"), [(1, 5), (2, 8), (4, 24), (8, 16)])
def test_chunks_of_any_length(lanes, capacity, stalls):
    rng = random.Random(lanes)
    lengths = [rng.randrange(lanes, capacity + 1, lanes) for _ in range(16)]
    run(lanes, capacity, [random_list(rng, n) for n in lengths], seed=lanes, **stalls)


def shaped(rng, shape, lanes, length):
    """A chunk of distinct tuples in some arrangement."""
    tuples = sorted(rng.sample([(k, v) for k in range(32) for v in range(-8, 8)], length))
    if shape == "random":
        rng.shuffle(tuples)
    elif shape == "reversed":
        tuples.reverse()
    elif shape == "by lane":  # lane 0 has the least of all, lane 1 the next, ...
        part = length // lanes
        tuples = [tuples[lane * part + t] for t in range(part) for lane in range(lanes)]
    elif shape == "equal":
        tuples = tuples[:1] * length
    return tuples


@pytest.mark.parametrize("shape", ["random", "sorted", "reversed", "by lane", "equal"])
@pytest.mark.parametrize(("lanes", "length"), [(2, 24), (4, 32), (4, 12)])
def test_all_lanes_in_every_cycle(lanes, length, shape):
    """At least 0.97 of P tuples per cycle over 20 chunks, once the first one has come."""
    rng = random.Random(length)
    chunks = [shaped(rng, shape, lanes, length) for _ in range(21)]
    runs = run(lanes, 32, chunks)
    cycles = runs["o"].cycles
    beats = length // lanes
    least = ChunkSorter(ORDER, lanes, 32).latency
    assert least <= cycles[0] - runs["i"].cycles[beats - 1] <= least + lanes
    taken = cycles[-1] - cycles[beats - 1]
    assert taken <= 20 * beats / 0.97


def test_capacity_must_be_a_multiple_of_the_lanes():
    for capacity in (0, 6, 2):
        with pytest.raises(
            ValueError, match=rf"^capacity must be a multiple of 4, not {capacity}$"
        ):
            ChunkSorter(ORDER, 4, capacity)
