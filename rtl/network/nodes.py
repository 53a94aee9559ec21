"""Describes the nodes of the tree of a floating-point sum that lie in one block of values."""

from dataclasses import dataclass

from amaranth.hdl import unsigned
from amaranth.lib import data

from rtl.float.format import Format
from rtl.network.tree_sum import line_levels

#: Least number of values of a block for which the properties of NodePlan are right.
LEAST = 4


@dataclass(frozen=True, kw_only=True)
class NodePlan:
    """Describes the nodes of a tree over tuple numbers that a block of successive values fills.

    Tuple n is leaf n of the tree, and node m of level k has the tuples from m 2^k to
    (m + 1) 2^k - 1. The largest nodes that lie in a block of the tuples ``begin`` to ``end`` - 1
    are on each level at most one on the left, with an odd number, and at most one on the right,
    with an even number. For instance the tuples 3 to 13::

        level 0    3                              left, node 3
        level 1                        12 13      right, node 6
        level 2       4 to 7                      left, node 1
        level 2               8 to 11             right, node 2

    Which nodes there are follows from ``begin`` and ``end`` (:func:`block_nodes`). A block of fewer
    than 2^(top + 1) values has at most one node of level ``top``, so both sides share its place.

    Attributes
    ----------
    format_ : Format
        Format of the values.
    block : int
        Greatest number of values in a block.
    tuples : int
        Greatest number of values from the first to the last one of a window.
    count_bits : int
        Bits of the count of values in a block; ``block`` must fit.
    """

    format_: Format
    block: int
    tuples: int
    count_bits: int = 9

    def __post_init__(self):
        if not LEAST <= self.block <= self.tuples:
            raise ValueError(
                f"block must be from {LEAST} to the tuples, {self.tuples}, not {self.block}"
            )
        if self.block >> self.count_bits:
            raise ValueError(f"block must fit {self.count_bits} bits, and is {self.block}")

    @classmethod
    def of(cls, format_, block, tuples):
        """Returns the plan for blocks and windows of any size: small ones count as larger."""
        return cls(format_=format_, block=max(LEAST, block), tuples=max(LEAST, block, tuples))

    @property
    def top(self):
        """Level of the largest node in a block: 8 for 511 values."""
        return self.block.bit_length() - 1

    @property
    def levels(self):
        """Number of levels on which nodes of a window are added, as in a TreeSum over values."""
        return line_levels(self.tuples)

    @property
    def number_bits(self):
        """Bits of a tuple number that the additions of windows depend on."""
        return self.levels - 1

    @property
    def begin_bits(self):
        """Bits of a tuple number that the nodes of a block depend on."""
        return self.top + 1

    @property
    def info_bits(self):
        """Bits of the number of a block's first value, for its nodes and for its windows."""
        return max(self.number_bits, self.begin_bits)

    @property
    def layout(self):
        """Layout of the nodes of a block: ``left``, below the level ``top``, and ``right``."""
        width = unsigned(self.format_.width)
        return data.StructLayout(
            {
                "left": data.ArrayLayout(width, self.top),
                "right": data.ArrayLayout(width, self.top + 1),
            }
        )


def block_nodes(begin, end, top):
    """Returns the plain numbers of the nodes in a block, as sets of (level, number): left, right.

    For instance ``block_nodes(3, 14, 8)`` is ``({(0, 3), (2, 1)}, {(1, 6), (2, 2)})``.
    """
    left = set()
    right = set()
    for level in range(top):
        if begin < end and begin % 2:
            left.add((level, begin))
            begin += 1
        if begin < end and end % 2:
            end -= 1
            right.add((level, end))
        begin = (begin + 1) // 2
        end = end // 2
    right |= {(top, number) for number in range(begin, end)}
    return left, right
