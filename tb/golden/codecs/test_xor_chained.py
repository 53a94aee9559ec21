"""Checks chains of blocks, of which only the first has a seed."""

from itertools import chain

import pytest

from golden.codecs.blocks import compress, decompress, decompress_chains, is_coded, is_dependent
from golden.codecs.symbols import BrokenBlockError
from golden.codecs.xor import Xor
from golden.codecs.xor_chained import XorChained
from tb.golden.codecs.kinds import kinds

COUNT = 5000


@pytest.mark.in_turn(10)
@pytest.mark.parametrize("width", [64, 32])
def test_chains_can_be_read_from_each_block_with_its_own_begin(width):
    """A chain has at most 16 blocks; a raw block ends it, and the next coded block has a seed."""
    codec = XorChained(width)
    lengths = set()
    for _, values in kinds(width, COUNT, seed=9):
        blocks = compress(codec, values)[:-1]
        whole, length, after_raw = decompress_chains(codec, blocks), 0, False
        assert list(chain.from_iterable(whole)) == values[: sum(map(len, whole))]
        for number, block in enumerate(blocks):
            dependent = is_dependent(block, codec)
            assert not (dependent and after_raw)
            length = length + 1 if dependent else 1
            lengths.add(length)
            after_raw = not is_coded(block, codec)
            if dependent:
                with pytest.raises(BrokenBlockError, match="depends on the block before"):
                    decompress(codec, block)
                with pytest.raises(BrokenBlockError, match="state before a dependent block"):
                    decompress_chains(codec, blocks[number:])
            else:
                assert decompress_chains(codec, blocks[number:]) == whole[number:]
    assert lengths == set(range(1, 17))


def test_no_raw_block_begins_as_a_dependent_block():
    """Of noise that begins with the mark of dependent blocks all blocks are coded."""
    values = [0b1010011 << 57 | v >> 7 for v in dict(kinds(64, COUNT, seed=5))["noise"]]
    codec = XorChained(64)
    assert all(is_coded(block, codec) for block in compress(codec, values)[:-1])
    assert not all(is_coded(block) for block in compress(Xor(64), values)[:-1])


def test_a_dependent_block_by_hand():
    """10.5 500 times: 422 values after the seed, and 78 values that have a bit each."""
    bits = 0x4025000000000000
    first, second = compress(XorChained(64), [bits] * 500)
    seed = f"{bits:064b}" + "11111" + "000000"
    assert f"{first:0512b}" == "1010010" + f"{422:09b}" + seed + "0" * 421
    assert f"{second:0512b}" == "1010011" + f"{78:09b}" + "0" * 496
    assert decompress_chains(XorChained(64), [first, second]) == [[bits] * 422, [bits] * 78]
