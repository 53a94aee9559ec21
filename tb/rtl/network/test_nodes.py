"""Checks by hand which nodes of the tree lie in a block."""

import random

import pytest

from rtl.float.format import DOUBLE, HALF
from rtl.network.nodes import NodePlan, block_nodes
from tb.rtl.network.node_values import inside


def test_by_hand():
    """The tuples 3 to 13; with a top of 1 the nodes of level 1 share a place."""
    assert block_nodes(3, 14, 8) == ({(0, 3), (2, 1)}, {(1, 6), (2, 2)})
    assert block_nodes(4, 8, 2) == (set(), {(2, 1)})
    assert block_nodes(5, 6, 8) == ({(0, 5)}, set())
    assert block_nodes(6, 6, 8) == (set(), set())


def test_the_nodes_of_a_block_have_its_tuples():
    rng = random.Random(1)
    for _ in range(200):
        begin, count = rng.randrange(1000), rng.randint(0, 511)
        left, right = block_nodes(begin, begin + count, 8)
        tuples = sorted(n for node in left | right for n in inside(*node))
        assert tuples == list(range(begin, begin + count))
        assert all(number % 2 for _, number in left)
        assert not any(number % 2 for level, number in right if level < 8)
        assert len({level for level, _ in left}) == len(left)


def test_sizes():
    plan = NodePlan(format_=DOUBLE, block=511, tuples=4096)
    assert (plan.top, plan.levels, plan.number_bits, plan.begin_bits) == (8, 13, 12, 9)
    assert plan.layout.size == 64 * 17
    assert plan.info_bits == 12
    assert NodePlan(format_=DOUBLE, block=511, tuples=511).info_bits == 9
    assert NodePlan(format_=DOUBLE, block=255, tuples=4096).begin_bits == 8
    assert NodePlan(format_=DOUBLE, block=511, tuples=512).number_bits == 9
    assert NodePlan.of(HALF, 1, 1) == NodePlan(format_=HALF, block=4, tuples=4)
    with pytest.raises(ValueError, match=r"block must be from 4 to the tuples, 20, not 21"):
        NodePlan(format_=HALF, block=21, tuples=20)
    with pytest.raises(ValueError, match=r"block must fit 4 bits, and is 16"):
        NodePlan(format_=HALF, block=16, tuples=16, count_bits=4)
