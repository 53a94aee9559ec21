"""Checks reads of copies among writes of other blocks, against a list of each key's blocks."""

import random

import pytest

from rtl.keyed.store.blocks.copy_memory import JOBS, CopyMemory
from tb.bench.unit import run_streams

ENTRIES = 4


def jobs_of(rng, number, copies):
    """Returns writes and reads in any order, and the copies that the reads deliver."""
    blocks, jobs, expected = {entry: [] for entry in range(ENTRIES)}, [], []
    for _ in range(number):
        entry = rng.randrange(ENTRIES)
        closed, older = blocks[entry], rng.random() < 0.3
        if rng.random() < 0.5:
            closed.append(rng.getrandbits(512))
            place = (len(closed) - 1) % copies
            jobs.append({"write": 1, "entry": entry, "place": place, "block": closed[-1]})
            continue
        count = rng.randint(0, min(copies, len(closed)))
        place = (len(closed) - count) % copies
        jobs.append({"entry": entry, "place": place, "count": count, "older": older})
        expected += [
            (block, k == 0, k + 1 == count, older and k == 0, False)
            for k, block in enumerate(closed[len(closed) - count :])
        ]
        if not count:
            expected.append((None, True, True, older, True))
    return jobs, expected


def copies_of(run):
    """Returns the copies at the output as tuples, without the block where there is none."""
    return [
        (None if o["absent"] else o["block"], *map(bool, list(o.values())[1:]))
        for o in run["o"].payloads
    ]


@pytest.mark.parametrize("copies", [1, 2, 8])
@pytest.mark.parametrize("stalls", [(0, 0), (0.5, 0.1), (0.1, 0.6)])
def test_a_read_finds_the_blocks_closed_before_it(stalls, copies):
    """Blocks that are closed after a read, while it waits, take the places that it reads."""
    rng, kind = random.Random(f"{stalls} {copies}"), "ultra" if copies == 2 else "block"
    jobs, expected = jobs_of(rng, 150, copies)
    run = run_streams(
        CopyMemory(ENTRIES, copies, kind),
        {"i": jobs},
        {"o": len(expected)},
        stall_in=stalls[0],
        stall_out=stalls[1],
        seed=3,
    )
    assert copies_of(run) == expected


def test_a_copy_in_every_cycle_after_three_cycles():
    writes = [{"write": 1, "place": k, "block": 7 + k} for k in range(4)]
    reads = [{"place": 0, "count": 4}] * 5
    run = run_streams(CopyMemory(ENTRIES, 4), {"i": writes + reads}, {"o": 20})
    assert [o["block"] for o in run["o"].payloads] == [7, 8, 9, 10] * 5
    first = run["i"].cycles[4] + CopyMemory.latency
    assert run["o"].cycles == list(range(first, first + 20))


def test_its_size():
    assert CopyMemory.memory_bits_of(16, 4) == 16 * 4 * 512
    assert JOBS >= 32
