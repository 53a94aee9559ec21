"""Checks that the blocks of a model can be decoded one by one."""

from golden.codecs.blocks import BlockWriter, decompress, is_coded


def check_each_block(codec, values, restored):
    """Checks that each block, and each prefix of the last block, decodes without other blocks.

    Coded blocks return the ``restored`` values, raw blocks the values themselves.
    """
    writer, at = BlockWriter(codec), 0
    for count, value in enumerate(values, 1):
        block = writer.take(value)
        if block is not None:
            actual = decompress(codec, block)
            expected = restored if is_coded(block) else values
            assert actual == expected[at : at + len(actual)]
            at += len(actual)
        last = writer.growing
        actual = decompress(codec, last.packed(codec.width), len(last.values))
        assert actual == (values if last.raw else restored)[at:count]
