"""Checks sizes of rings by hand, and indices of blocks against arithmetic modulo the ring."""

import pytest

from rtl.keyed.codec.base_delta.base_delta import BaseDelta
from rtl.keyed.codec.xor import Xor
from rtl.keyed.store.blocks.ring_plan import RingPlan, ring_blocks, ring_size
from tb.rtl.gates import evaluate


def test_sizes_of_rings():
    """A size is 4 times a factor with at most three 1 bits: 112 is 4 * 28, and 28 is 0b11100."""
    assert [ring_size(blocks, 4) for blocks in (1, 9, 108, 120, 526)] == [8, 12, 112, 128, 528]
    assert [ring_size(blocks, 1) for blocks in (3, 7, 15, 29)] == [3, 7, 16, 32]


@pytest.mark.parametrize(
    ("codec", "values", "ports", "blocks"),
    [
        # Mark, count and seed take 16 + 75 bits, and each further symbol at most 77: 6 values.
        (Xor(64), 78, 1, 16),  # 13 blocks of 6, and 3
        (Xor(64), 79, 1, 32),
        (Xor(64), 1, 4, 8),  # two blocks for each port
        # One slide may have a single value, which then has a block of its own.
        (BaseDelta(32, stamp_bits=5), 64, 1, 64),
        (BaseDelta(32, stamp_bits=5), 2, 1, 4),  # at least 4 blocks
        (BaseDelta(32, stamp_bits=5), 4, 4, 8),  # at least two blocks for each port
    ],
)
def test_a_ring_has_room_for_the_longest_symbols(codec, values, ports, blocks):
    assert ring_blocks(codec.format, values, ports) == blocks


def test_a_ring_has_room_for_earlier_blocks():
    """13 blocks of 6 values, 3 blocks more, and the earlier blocks: 16 or 17 in all."""
    codec = Xor(64)
    assert ring_blocks(codec.format, 72, 1, earlier=1) == 16
    assert ring_blocks(codec.format, 78, 1, earlier=1) == 32


@pytest.mark.parametrize("blocks", [8, 11])
def test_indices_wrap_at_the_end_of_a_ring(blocks):
    plan = RingPlan(codec=BaseDelta(32), entries=2, blocks=blocks, number_bits=8)
    index = range(blocks)
    pairs = [{"first": first, "last": last} for first in index for last in index]
    results = evaluate(
        {"first": index, "last": index},
        {"following": index, "previous": index, "distance": index},
        lambda first, last: {
            "following": plan.following(first),
            "previous": plan.previous(first),
            "distance": plan.distance(first, last),
        },
        pairs,
    )
    for pair, result in zip(pairs, results, strict=True):
        first, last = pair.values()
        assert result == {
            "following": (first + 1) % blocks,
            "previous": (first - 1) % blocks,
            "distance": (last - first) % blocks,
        }
