"""Computes mean numbers of lines and blocks of windows and of reads, and the load of the busiest
port."""

from collections import Counter
from math import sqrt

#: Number of windows under way, whose feedback (the block of the next window's begin) is pending:
#: ``QUEUED_WINDOWS`` of :mod:`rtl.engine.streamzip.core`.
OUTSTANDING = 32
#: Excess work of the busiest port over the mean, in standard deviations. For 4 ports it would be
#: 1.03 if tuples came in groups, each after the group before is done; but tuples come one by one.
UNEVEN = 0.7


def lines_of(size, slide, items, lines_on_chip=0):
    """Returns the mean number of lines that are read from DRAM for a window of rows.

    They are the lines before the line being filled, less the last ``lines_on_chip`` of them, which
    stay on the chip.

    Window j of a key begins with the key's tuple j * slide, so at place ``j * slide % items`` of a
    line. For instance with 8 items in a line and windows of 20 every 4 the windows begin at places
    0 and 4. So 19 // 8 = 2 and 23 // 8 = 2 lines are read, besides the last line, which is not in
    DRAM yet; if one line stays on the chip, 1 line is read.
    """
    first_places = {j * slide % items for j in range(items)}
    lines = [max(0, (begin + size - 1) // items - lines_on_chip) for begin in first_places]
    return sum(lines) / len(lines)


def blocks_of(size, slide, values_per_block, mix, most):
    """Returns the mean number of blocks before the growing block: of a window, and of its read.

    A block begins every ``values_per_block`` values, so ``(size - 1) / values_per_block`` blocks
    begin between a window's first value and its last. A read begins at the block that the key's
    newest feedback names, and the newest windows of the key have no feedback yet. Of the
    :data:`OUTSTANDING` windows under way a key has its share: with 4 equally frequent keys 8 of 32,
    so a read covers 8 slides more than its window. If a window has at most ``most`` blocks, its
    read has at most ``most``, too. They are the blocks of a ring without the growing block, because
    a tuple waits for feedback if its block would not fit into the ring.
    """
    outstanding = slide * OUTSTANDING * mix.mean(lambda share: share)
    blocks = (size - 1) / values_per_block
    return blocks, max(blocks, min(most, (size - 1 + outstanding) / values_per_block))


def split_blocks(blocks, copies):
    """Returns the mean number of blocks of a read from DRAM, and from ``copies`` in M2.

    A read begins anywhere in a block, so its number of blocks before the growing block is one of
    the two whole numbers next to the mean, ``blocks``. Both are at most ``copies``, or both are at
    least ``copies``; so the mean of the blocks that M2 lacks is the difference of the means.
    For instance 1.5 blocks are 1 or 2 blocks: with 4 copies none is read from DRAM, with 1 copy
    half a block.
    """
    read = max(0.0, blocks - copies)
    return read, blocks - read


def busiest(count, ports):
    """Returns the mean number of lines at the busiest port, with ``count`` lines at random ports.

    For instance 32 lines at 4 ports: 8 at each on average, with a standard deviation of 2.45, as
    for a binomial distribution; so 9.7.
    """
    mean = count / ports
    return mean + UNEVEN * sqrt(mean * (1 - 1 / ports))


def most_at_a_port(lines, ports, stripe):
    """Returns the mean number of lines at the busiest port, with consecutive lines of one key.

    The lines are dealt to the ports in stripes, and begin anywhere in a stripe. For instance 3
    lines in stripes of 2 lines over 4 ports: 2 and 1, or 1 and 2. A stripe at each port, 8 lines
    here, gives each port 2 lines; so 11 lines have 2 more at the busiest port than 3 lines.
    """
    rounds, rest = divmod(lines, ports * stripe)

    def at(begin):
        places = range(begin, begin + rest)
        return max(Counter(place // stripe % ports for place in places).values(), default=0)

    return rounds * stripe + sum(map(at, range(stripe))) / stripe
