"""Tells for how long a serial decoder works on the blocks of a stream's windows."""

from functools import cache

from query.window import Range


class SerialWork:
    """Computes the work of a serial decoder on blocks.

    Parameters
    ----------
    stream : KeyStream
        With ``splitting``.
    window : Rows or Range
        Window of the query.
    size : int
        Size of a window: values with ROWS, units of time with RANGE.
    """

    def __init__(self, stream, window, size):
        self._usual_work = stream.splitting.usual_work
        self._has_time_windows = isinstance(window, Range)
        self._size = size
        self._last_block = cache(lambda life: life.splitter.last_block())

    def of_block(self, life, block, growing):
        """Returns the work on a block of a life; ``growing``: the values in the block so far.

        ``growing`` is None for a full block. A block that takes 60 steps with its final 90 values
        takes 20 steps with 30 values.
        """
        full_blocks = life.splitter.works
        block_begins = life.block_begins
        if block < len(full_blocks):
            values = block_begins[block + 1] - block_begins[block]
            work = full_blocks[block]
        elif growing is None:
            values = 1
            work = self._usual_work
        else:  # a block that is not full at the end of the stream
            values, work = self._last_block(life)
        if growing is not None:
            work = work.of_share(growing / values)
            values = growing
        # With windows of time all values of a block are in the window.
        return work if self._has_time_windows else work.for_window(values, self._size)

    @staticmethod
    def is_head(life, block):
        """Returns True if the block can be decoded without the block before it."""
        heads = life.splitter.heads
        return block >= len(heads) or heads[block]
