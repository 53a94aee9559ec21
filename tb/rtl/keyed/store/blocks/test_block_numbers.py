"""Checks the blocks of successive windows, with the errors of their lines, against lists."""

import random

import pytest

from rtl.keyed.codec.base_delta.base_delta import BaseDelta
from rtl.keyed.store.blocks.block_numbers import BlockNumbers
from rtl.keyed.store.blocks.ring_plan import RingPlan
from tb.bench.unit import run_streams

RING = RingPlan(codec=BaseDelta(32), entries=8, blocks=8, number_bits=8)


@pytest.mark.parametrize("stall", [0.0, 0.4])
def test_an_error_is_of_the_lines_blocks_and_never_of_the_growing_one(stall):
    """Windows have 0 to 3 lines; lines of the next window arrive while a block grows."""
    rng = random.Random(f"{stall}")
    windows, lines, expected = [], [], []
    for number in range(80):
        growing, count = rng.getrandbits(500), rng.randrange(4)
        window = {"growing": growing, "count": 3, "alone": count == 0, "passenger": number % 16}
        windows.append(window | {"begin": 5, "end": 8, "next": 6, "entry": number % 8})
        for k in range(count):
            line = {"data": rng.getrandbits(500), "error": rng.random() < 0.4}
            lines.append(line | {"first": k == 0, "last": k == count - 1})
            expected.append((line["data"], k == 0, False, line["error"], number % 16))
        expected.append((growing, count == 0, True, False, number % 16))
    blocks = run_streams(
        BlockNumbers(RING, 4),
        {"windows": windows, "lines": lines},
        {"o": len(expected)},
        stall_in=stall,
        stall_out=stall,
        seed=7,
    )["o"].payloads
    names = ("block", "opens", "last", "error", "passenger")
    assert [tuple(block[name] for name in names) for block in blocks] == expected
