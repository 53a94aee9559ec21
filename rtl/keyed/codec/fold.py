"""Describes how a decoder aggregates the values of a block; no hardware is built here."""

from dataclasses import dataclass

from amaranth.hdl import Shape
from amaranth.lib import data
from amaranth.utils import bits_for

from rtl.aggregate.folded import Lifted, Repeated
from rtl.aggregate.neighbours import Neighbours
from rtl.aggregate.operator import Product
from rtl.keyed.codec.block_format import COUNT_BITS
from rtl.network.nodes import NodePlan

#: Maximum count of values in a block.
BLOCK_VALUES = (1 << COUNT_BITS) - 1


@dataclass(frozen=True, kw_only=True)
class Fold:
    """Aggregates of a query, computed over each block first and then over the blocks of a window.

    A decoder lifts and combines the values itself, so it outputs one state for a block of any
    number of values. For instance ``sum`` of a window with the values 1 1 in one block and 1 2 in
    the next block: 2 and 3, then 5.

    Attributes
    ----------
    row : data.StructLayout
        Layout of a tuple: the aggregated columns, of which a codec compresses one.
    operators : tuple of Operator or None
        Operators of the query's items; each must have ``repeat``. None for an item that the
        ``sums`` alone compute.
    tuples : int
        Tuples of the largest window.
    decoders : int
        Number of parallel decoders.
    pivots : int
        Number of pivots that come with each block, all of one column. In a row they have the names
        of :func:`~rtl.aggregate.operator.pivot_member`.
    sums : NodePlan or None
        Sums of floating-point numbers, whose order of additions is fixed; None without.
    chain : int
        Maximum count of blocks whose values are folded into one state.
    """

    row: data.StructLayout
    operators: tuple
    tuples: int
    decoders: int = 16
    pivots: int = 0
    sums: NodePlan | None = None
    chain: int = 1

    def over_runs(self, times):
        """Returns the operator of a block, over runs of up to ``times`` equal values."""
        bounds = {"each": times, "tuples": self.block_tuples}
        return self._product(lambda name, operator: Repeated(operator, **bounds))

    @property
    def pivot_layout(self):
        """Layout of the pivots of a block; 0 without pivots."""
        if not self.pivots:
            return 0
        searched = (o for o in self.operators if isinstance(o, Neighbours))
        return data.ArrayLayout(Shape.cast(next(searched).shape).width, self.pivots)

    @property
    def decoder_info(self):
        """Layout of the data of a block that go along with its values in a decoder.

        The ``pivots``, and for sums the number of the block's first value that is not skipped, as
        ``begin``.
        """
        pivots = {"pivots": self.pivot_layout} if self.pivots else {}
        begin = {"begin": self.sums.begin_bits} if self.sums is not None else {}
        return data.StructLayout({**pivots, **begin})

    @property
    def window_number(self):
        """Member for the number of a block's first value in its window; none without ``sums``."""
        return {} if self.sums is None else {"number": self.sums.info_bits}

    @property
    def block_tuples(self):
        """Maximum count of a window's values in one block, or in the blocks of one state."""
        return min(self.tuples, self.chain * BLOCK_VALUES)

    @property
    def lifted(self):
        """Operators of a window, over the states of its blocks, by name."""
        bounds = {"each": self.block_tuples, "tuples": self.tuples}
        return self._product(lambda name, operator: Lifted(operator, name, **bounds)).parts

    @property
    def states(self):
        """Layout of the state of a block: r0, r1, ..., ``sums``, and the number of its ``values``.

        The ``sums`` are the nodes of the block, see :class:`~rtl.network.nodes.NodePlan`.
        """
        states = dict(self.over_runs(1).state(self.block_tuples).members)
        sums = {"sums": self.sums.layout} if self.sums is not None else {}
        return data.StructLayout({**states, **sums, "values": self.count_bits})

    @property
    def count_bits(self):
        """Bits of the number of values of a state."""
        return bits_for(self.chain * BLOCK_VALUES)

    def _product(self, make_operator):
        operators = enumerate(self.operators)
        names = {f"r{k}": operator for k, operator in operators if operator is not None}
        return Product(**{name: make_operator(name, operator) for name, operator in names.items()})
