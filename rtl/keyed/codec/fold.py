"""What the values of a block become inside a decoder; nothing is built here."""

from dataclasses import dataclass

from amaranth.lib import data

from rtl.aggregate.folded import Lifted, Repeated
from rtl.aggregate.operator import Product
from rtl.keyed.codec.block_format import COUNT_BITS

#: Values of a block, at most.
BLOCK_VALUES = (1 << COUNT_BITS) - 1


@dataclass(frozen=True, kw_only=True)
class Fold:
    """The aggregates of a query, over a block first and then over the blocks of a window.

    ``lift`` and ``combine`` are done where values come out, so what leaves a decoder is one state
    for a block, however many values that has. For instance ``sum`` of the windows' values 1 1 1 2,
    which lie in two blocks: 2 and 3, then 5.

    Attributes
    ----------
    row : data.StructLayout
        A tuple: the column that is compressed.
    operators : tuple of Operator
        Those of the query's items; all of them must have ``repeat``.
    tuples : int
        Of the largest window.
    decoders : int
        That work side by side.
    """

    row: data.StructLayout
    operators: tuple
    tuples: int
    decoders: int = 16

    def __post_init__(self):
        if len(self.row.members) != 1:
            raise ValueError(f"row must have one column, not {len(self.row.members)}")

    def over_runs(self, times):
        """The operator of a block, over runs of up to so many equal values."""
        bounds = {"each": times, "tuples": self.block_tuples}
        return self._product(lambda name, operator: Repeated(operator, **bounds))

    @property
    def block_tuples(self):
        """Values of a window in one block, at most."""
        return min(self.tuples, BLOCK_VALUES)

    @property
    def lifted(self):
        """The operators of a window, over the states of its blocks, by name."""
        bounds = {"each": self.block_tuples, "tuples": self.tuples}
        return self._product(lambda name, operator: Lifted(operator, name, **bounds)).parts

    @property
    def states(self):
        """Layout of what a block gives: r0, r1, ..., and of how many ``values``."""
        states = self.over_runs(1).state(self.block_tuples).members
        return data.StructLayout({**states, "values": COUNT_BITS})

    def _product(self, made):
        names = {f"r{k}": operator for k, operator in enumerate(self.operators)}
        return Product(**{name: made(name, operator) for name, operator in names.items()})
