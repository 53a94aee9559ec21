"""Checks that a window's copies follow its blocks from M3, against lists."""

import random

import pytest

from rtl.keyed.store.blocks.copied_blocks import CopiedBlocks
from tb.bench.unit import run_streams


def window_of(rng, older, count):
    """Returns a random window's blocks from M3, its copies, and its expected output.

    The window has ``older`` blocks from M3, and then ``count`` copies.
    """
    names = ("data", "error", "first", "last", "m3")
    lines = [(rng.getrandbits(512), int(rng.random() < 0.2)) for _ in range(older)]
    blocks = [rng.getrandbits(512) for _ in range(count)]
    read = [
        {"data": data, "error": error, "first": int(k == 0), "last": int(k + 1 == older)}
        for k, (data, error) in enumerate(lines)
    ]
    copies = [
        {
            "block": block,
            "opens": int(k == 0),
            "last": int(k + 1 == count),
            "older": int(older > 0 and k == 0),
        }
        for k, block in enumerate(blocks)
    ]
    if not count:
        copies = [{"opens": 1, "last": 1, "older": 1, "absent": 1, "block": 5}]
    expected = [(data, error, 0, 0, 1) for data, error in lines]
    expected += [(block, 0, 0, 0, 0) for block in blocks]
    rows = [dict(zip(names, row, strict=True)) for row in expected]
    rows[0]["first"] = rows[-1]["last"] = 1
    return read, copies, rows


@pytest.mark.parametrize(
    "stalls", [(0, 0), (0.5, 0), (0.2, 0.6), ({"copies": 0, "lines": 0.8}, 0), ({"copies": 0.8}, 0)]
)
def test_blocks_of_a_window_are_in_order(stalls):
    """Windows have copies only, blocks from M3 only, or both; errors stay with their blocks."""
    rng = random.Random(str(stalls))
    lines, copies, expected = [], [], []
    for _ in range(150):
        older, count = rng.choice([(0, 1), (0, 3), (1, 1), (1, 0), (3, 0), (2, 2), (4, 1), (1, 4)])
        for target, part in zip(
            (lines, copies, expected), window_of(rng, older, count), strict=True
        ):
            target += part
    run = run_streams(
        CopiedBlocks(),
        {"copies": copies, "lines": lines},
        {"o": len(expected)},
        stall_in=stalls[0],
        stall_out=stalls[1],
        seed=7,
    )
    assert run["o"].payloads == expected
    if stalls == (0, 0):
        assert run["o"].cycles == list(range(len(expected)))
