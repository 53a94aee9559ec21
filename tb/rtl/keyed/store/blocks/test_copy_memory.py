"""Checks reads of copies among writes of other blocks, against a list of each key's blocks."""

import random

import pytest

from rtl.keyed.store.blocks.copy_memory import JOBS, CopyMemory
from tb.bench.unit import run_streams
from tb.rtl.keyed.store.blocks.copy_jobs import ENTRIES, copies_of, jobs_of


@pytest.mark.in_turn(5)
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
    assert copies_of(run["o"].payloads) == expected


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
