"""Checks blocks of every codec: values are restored, and noise takes no more than its own bits."""

import random
from itertools import chain

import pytest

from golden.codecs.base_delta import BaseDelta
from golden.codecs.blocks import (
    BlockWriter,
    compress,
    decompress,
    decompress_chains,
    is_coded,
    restored_values,
    stamp_of,
)
from golden.codecs.grid import Grid
from golden.codecs.registry import CODECS as MODELS
from golden.codecs.symbols import BLOCK_BITS, BrokenBlockError
from golden.codecs.sz import Sz
from golden.codecs.xor import Xor
from tb.golden.codecs.kinds import kinds

CODECS = [codec(width) for codec in MODELS.values() if not codec.lossy for width in (64, 32)]
CODECS += [BaseDelta(64, 4), BaseDelta(32, 16)]
UNCHAINED = [codec for codec in CODECS if codec.chain == 1]
KINDS = [(codec, name) for codec in CODECS for name, _ in kinds(codec.width, 40, 1)]
LOSSY = [Sz(64), Sz(32), Sz(64, "unsigned", 20), Sz(64, "float", -24), Sz(32, "float", -16)]
COUNT = 5000


def all_values(codec, blocks, count):
    """Returns the values of all blocks; only the last block may be raw and not full."""
    values = []
    if codec.chain > 1:
        full = decompress_chains(codec, blocks[:-1])
        last_count = count - sum(map(len, full))
        return list(chain.from_iterable(decompress_chains(codec, blocks, last_count)))
    for block in blocks:
        remaining = count - len(values)
        values += decompress(codec, block, min(remaining, BLOCK_BITS // codec.width))
    return values


def ratio(codec, values):
    """Returns the bits of values over the bits of their blocks."""
    return len(values) * codec.width / (len(compress(codec, values)) * BLOCK_BITS)


@pytest.mark.parametrize(("codec", "kind"), KINDS, ids=str)
def test_values_are_restored(codec, kind):
    values = dict(kinds(codec.width, COUNT, seed=2))[kind]
    blocks = compress(codec, values)
    assert all(block < 1 << BLOCK_BITS for block in blocks)
    assert all_values(codec, blocks, len(values)) == values


@pytest.mark.parametrize("codec", CODECS, ids=str)
@pytest.mark.parametrize("count", range(1, 20))
def test_the_growing_block(codec, count):
    """Checks that the last block can be read before it is full."""
    for _, values in kinds(codec.width, count, seed=count):
        assert all_values(codec, compress(codec, values), count) == values


@pytest.mark.parametrize("codec", UNCHAINED, ids=str)
def test_each_block_stands_by_itself(codec):
    for _, values in kinds(codec.width, COUNT, seed=3):
        blocks, at = compress(codec, values), 0
        for block in blocks[:-1]:
            actual = decompress(codec, block)
            assert actual == values[at : at + len(actual)]
            at += len(actual)


@pytest.mark.parametrize("codec", CODECS + LOSSY, ids=str)
def test_noise_takes_no_more_than_five_percent(codec):
    for name, values in kinds(codec.width, COUNT, seed=4):
        ends = name == "ends of the type" and getattr(codec, "kind", None) != "float"
        if name == "noise" or ends:
            assert ratio(codec, values) >= 1 / 1.05, name


def test_noise_that_begins_with_the_mark_is_coded():
    """The noise would fill raw blocks, but a raw block cannot begin with the mark."""
    values = dict(kinds(64, COUNT, seed=5))["begins as a mark"]
    assert all(map(is_coded, compress(Xor(64), values)[:-1]))
    noise = dict(kinds(64, COUNT, seed=5))["noise"]
    coded = sum(map(is_coded, compress(Xor(64), noise)))
    assert 0 < coded < COUNT / 8 / 32  # one in 128 begins as a mark


@pytest.mark.parametrize(
    ("codec", "values"),
    [
        (Xor(64), 422),
        (Xor(32), 454),
        (Grid(64), 427),
        (Grid(32), 459),
        (BaseDelta(64), 54),
        (BaseDelta(32), 58),
        (Sz(64), 184),
        (Sz(32), 184),
    ],
)
def test_a_block_of_one_value_again_and_again(codec, values):
    """A block has 512 bits less 16 of the head and less the seed; a symbol has 1, 8 or 2 bits.

    SZ also has an outlier of 32 bits.
    """
    writer = BlockWriter(codec)
    count = 0
    while writer.take(77) is None:
        count += 1
    assert count == values


def test_raw_and_coded_take_turns():
    """A block is known to be noise only when it is full, so the next block is raw."""
    rng = random.Random(6)
    noise = [rng.getrandbits(63) for _ in range(23)]
    kinds_of = [is_coded(block) for block in compress(Xor(64), [5] * 10 + noise + [5] * 400)]
    # The blocks have 16 values; 7, fewer than 8; 8; and 2, with 6 equal values.
    assert kinds_of == [True, True, False, False, True]


def test_a_coded_block_of_as_many_values_as_a_raw_one_is_followed_by_a_coded_one():
    """A raw block has 8 values, and so has a coded block of noise of 53 bits."""
    rng = random.Random(1)
    blocks = compress(Xor(64), [rng.getrandbits(53) for _ in range(40)])
    counts = [(is_coded(block), len(decompress(Xor(64), block))) for block in blocks]
    assert counts == [(True, 8)] * 5


@pytest.mark.parametrize("codec", CODECS + LOSSY, ids=str)
def test_a_block_with_a_flipped_bit_gives_an_error_or_values(codec):
    rng = random.Random(7)
    for _, values in kinds(codec.width, 600, seed=7):
        for block in compress(codec, values)[:6]:
            flipped = block ^ 1 << rng.randrange(BLOCK_BITS)
            try:
                actual = decompress(codec, flipped)
            except BrokenBlockError:
                continue
            assert all(0 <= value < 1 << codec.width for value in actual)


@pytest.mark.parametrize("codec", [*UNCHAINED[::2], LOSSY[3]], ids=str)
def test_stamped_blocks_have_values_of_one_slide_each(codec):
    """Slides advance, and go back by one; noise is coded, too."""
    rng, bits = random.Random(8), 4
    for _, values in kinds(codec.width, 400, seed=8):
        slides = [n // 40 + (rng.random() < 0.1) for n in range(len(values))]
        blocks, restored = compress(codec, values, slides, bits), []
        assert all(map(is_coded, blocks))
        for block in blocks:
            block_values = decompress(codec, block, stamp_bits=bits)
            block_slides = set(slides[len(restored) : len(restored) + len(block_values)])
            assert {slide % 16 for slide in block_slides} == {stamp_of(block, bits)}
            restored += block_values
        assert restored == restored_values(codec, values, stamped=True)


def test_a_stamped_block_by_hand():
    """The values 50 and 51 have slide 21, the next 50 has slide 22; stamps have 4 bits."""
    first, second = compress(BaseDelta(64), [50, 51, 50], [21, 21, 22], 4)
    head = "1010010" + "000000010" + "0101" + f"{50:064b}"
    assert f"{first:0512b}" == head + "0" * (512 - 84 - 16) + "00000001" + "00000000"
    assert f"{second:0512b}" == "1010010" + "000000001" + "0110" + f"{50:064b}" + "0" * 428


def test_a_block_without_values_is_broken():
    with pytest.raises(BrokenBlockError, match="no values"):
        decompress(Xor(64), 0b1010010 << 505)
