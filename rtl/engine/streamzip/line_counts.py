"""How many lines windows have on average, and how many of them are at one port."""

from collections import Counter
from math import sqrt

#: Windows that have been asked for, and have not told yet where the next one is to be read from.
OUTSTANDING = 32
#: Standard deviations that the busiest port has more work than the others on average. Of 4 it would
#: be 1.03 if tuples came in groups, each when the one before is done; they come one by one.
UNEVEN = 0.7


def lines_of(size, slide, items, stay=0):
    """Lines that windows of rows have before the one that is being filled, on average.

    Where the last ``stay`` of them stay on the chip, those that come out of DRAM.

    Window j of a key begins at its tuple j * slide, so at place ``j * slide % items`` of a line;
    what lies between that place and the window's last tuple are its lines. For instance 8 items in
    a line, windows of 20 every 4: they begin at places 0 and 4, so 19 // 8 = 2 and 23 // 8 = 2
    lines are read before the last one, which is not in DRAM yet; or 1, if one stays.
    """
    begins = {j * slide % items for j in range(items)}
    return sum(max(0, (begin + size - 1) // items - stay) for begin in begins) / len(begins)


def blocks_of(size, slide, held, mix):
    """Blocks that windows of rows have before the growing one, and those of M3 that are read.

    A block begins every ``held`` values, so in the ``size - 1`` steps from a window's first value
    to its last one so often. What is read begins where an earlier window of the key did: the
    :data:`OUTSTANDING` ones are of all keys, as these come.
    """
    behind = slide * OUTSTANDING * mix.mean(lambda share: share)
    return (size - 1) / held, (size - 1 + behind) / held


def busiest(count, ports):
    """Of so many lines at ports by chance, those at the port that has the most.

    For instance 32 lines at 4 ports: 8 at each on average, with a standard deviation of 2.45, as
    for a binomial distribution; so 9.7.
    """
    mean = count / ports
    return mean + UNEVEN * sqrt(mean * (1 - 1 / ports))


def most_at_a_port(lines, ports, stripe):
    """Of so many lines of a key, in stripes, those at the port that has most of them, on average.

    They begin anywhere in a stripe. For instance 3 lines in stripes of 2 lines over 4 ports: 2 and
    1, or 1 and 2.
    """

    def at(begin):
        places = range(begin, begin + lines)
        return max(Counter(place // stripe % ports for place in places).values())

    return sum(map(at, range(stripe))) / stripe
