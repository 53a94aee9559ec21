"""Checks chains of blocks, of which only the first has a seed."""

from itertools import chain

import pytest

from golden.codecs.blocks import compress, decompress, decompress_chains, is_coded, is_dependent
from golden.codecs.symbols import BrokenBlockError
from golden.codecs.xor import Xor
from golden.codecs.xor_chained import XorChained
from tb.golden.codecs.kinds import kinds

COUNT = 5000


@pytest.mark.in_turn
@pytest.mark.parametrize("width", [64, 32])
def test_chains_can_be_read_from_each_block_with_its_own_begin(width):
    """A chain has at most 16 blocks; a raw block ends it, and the next coded block has a seed."""
    codec = XorChained(width)
    lengths, coded_after_raw = set(), 0
    for _, values in kinds(width, COUNT, seed=9):
        blocks = compress(codec, values)[:-1]
        decoded, length, after_raw = decompress_chains(codec, blocks), 0, False
        assert list(chain.from_iterable(decoded)) == values[: sum(map(len, decoded))]
        for number, block in enumerate(blocks):
            dependent = is_dependent(block, codec)
            assert not (dependent and after_raw)
            coded_after_raw += after_raw and is_coded(block, codec)
            length = length + 1 if dependent else 1
            lengths.add(length)
            after_raw = not is_coded(block, codec)
            if dependent:
                with pytest.raises(BrokenBlockError, match="depends on the block before"):
                    decompress(codec, block)
                with pytest.raises(BrokenBlockError, match="state before a dependent block"):
                    decompress_chains(codec, blocks[number:])
            else:
                assert decompress_chains(codec, blocks[number:]) == decoded[number:]
    assert lengths == set(range(1, 17))
    assert coded_after_raw > 100


def test_no_raw_block_begins_as_a_dependent_block():
    """Noise whose values begin with the mark of dependent blocks gets coded blocks only."""
    values = [0b1010011 << 57 | v >> 7 for v in dict(kinds(64, COUNT, seed=5))["noise"]]
    codec = XorChained(64)
    assert all(is_coded(block, codec) for block in compress(codec, values)[:-1])
    assert not all(is_coded(block) for block in compress(Xor(64), values)[:-1])


def test_a_dependent_block_by_hand():
    """The value 10.5 comes 500 times: the first block has 422 of the values, the second has 78.

    The first value is part of the seed, and each later value takes one bit.
    """
    bits = 0x4025000000000000
    first, second = compress(XorChained(64), [bits] * 500)
    seed = f"{bits:064b}" + "11111" + "000000"
    assert f"{first:0512b}" == "1010010" + f"{422:09b}" + seed + "0" * 421
    assert f"{second:0512b}" == "1010011" + f"{78:09b}" + "0" * 496
    assert decompress_chains(XorChained(64), [first, second]) == [[bits] * 422, [bits] * 78]
