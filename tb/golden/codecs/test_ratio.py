"""Checks compression ratios that were computed by hand."""

import numpy as np
import pytest

from tb.golden.codecs.ratios import ratio_of


def test_only_blocks_that_are_full_count():
    """The 100 values of one key fill a block of 54; the other keys fill no block."""
    keys = np.array([7] * 100 + [1, 2, 3] * 9)
    assert ratio_of("base-delta", keys, np.full(127, -5), 64) == 54 * 64 / 512


def test_keys_that_arrive_in_turn():
    """The values of a key keep their order, and no value goes to the next key.

    A key repeats a value 100 times before its next one, so XOR needs few bits. The keys differ in
    all bits.
    """
    values = np.repeat(np.arange(4), 100)
    keys, all_values = np.tile([5, 3], 400), np.stack([values, ~values], axis=1).ravel()
    ratios = ratio_of("xor", np.zeros(400), values, 64), ratio_of("xor", np.zeros(400), ~values, 64)
    assert ratio_of("xor", keys, all_values, 64) == ratios[0] == ratios[1] > 8


@pytest.mark.parametrize("count", [0, 9])
def test_no_block_is_full(count):
    assert ratio_of("xor", np.arange(count), np.arange(count), 64) == 1.0


def test_settings_of_a_codec():
    """Halves as doubles with an exponent of -1 fill blocks of 184 and 200 values.

    An exponent of 0 makes all values escapes: a block of 4, and 49 blocks of 8.
    """
    halves = np.full(400, 2.5).view(np.int64)
    float_of = {"kind": "float", "relative": 0}
    assert ratio_of("sz", np.zeros(400), halves, 64, **float_of, exponent=-1) == 384 * 64 / 1024
    assert ratio_of("sz", np.zeros(400), halves, 64, **float_of) == 396 * 64 / (50 * 512)


def test_narrow_values_are_of_32_bits():
    assert ratio_of("base-delta", np.zeros(400), np.full(400, 3), 12) == 58 * 32 / 512
