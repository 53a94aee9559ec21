"""Checks the steps of blocks by hand; the test of the decoder checks that it takes as many."""

import numpy as np
import pytest

from golden.codecs import xor as model
from golden.codecs.ratio import full_blocks
from rtl.keyed.codec.block_steps import change_steps, usual_change_steps
from rtl.keyed.codec.grid import Grid
from rtl.keyed.codec.xor import Xor


def test_steps_by_hand():
    """5, twice 5, 7, 16 times 7, 4 times 7, 6."""
    values = [5] * 3 + [7] * 21 + [6]
    assert change_steps(values) == 6
    assert change_steps(values, raw=True) == len(values)
    assert change_steps([5]) == 1
    assert change_steps([5, 7, 5]) == 3
    assert [change_steps([5] * count) for count in (17, 18, 33, 34)] == [2, 3, 3, 4]
    assert [change_steps([5] * count + [7]) for count in (17, 18)] == [3, 4]


@pytest.mark.parametrize("share", [0.02, 0.15, 0.5, 1.0])
def test_the_usual_steps_are_those_of_values_that_change_at_random(share):
    """Values of 54 bits that change at random: average steps of blocks by their average ratio."""
    rng = np.random.default_rng(1)
    changes = np.where(rng.random(20_000) < share, rng.integers(1, 1 << 54, 20_000), 0)
    values = np.bitwise_xor.accumulate(changes)
    blocks = full_blocks(model.Xor(64), np.zeros(len(values)), values)
    ratio = np.mean([len(block_values) for block_values, _ in blocks]) / 8
    steps = np.mean([change_steps(*block) for block in blocks])
    assert usual_change_steps(Xor(64), ratio) == pytest.approx(steps, rel=0.1)


def test_the_ends():
    """Noise takes a step for each value of a raw block; equal values take 28 steps, within 2 %."""
    assert usual_change_steps(Xor(64), 1.0) == 8
    assert usual_change_steps(Xor(32), 1.0) == 16
    assert usual_change_steps(Xor(64), 422 / 8) == pytest.approx(28, rel=0.02)
    assert usual_change_steps(Grid(64), 427 / 8) == pytest.approx(28, rel=0.02)
