"""Checks that the blocks of a model can be decoded one by one."""

from golden.codecs.blocks import BlockWriter, decompress, is_coded


def check_each_block(codec, values, restored):
    """Checks that each full block, and each growing block, decodes without other blocks.

    After each value the growing block, which is not full, is decoded, too. Coded blocks return the
    ``restored`` values, raw blocks the values themselves.
    """
    writer, first = BlockWriter(codec), 0  # ``first`` is the number of the block's first value
    for count, value in enumerate(values, 1):
        block = writer.take(value)
        if block is not None:
            actual = decompress(codec, block)
            expected = restored if is_coded(block) else values
            assert actual == expected[first : first + len(actual)]
            first += len(actual)
        growing = writer.growing
        actual = decompress(codec, growing.packed(codec.width), len(growing.values))
        assert actual == (values if growing.raw else restored)[first:count]
