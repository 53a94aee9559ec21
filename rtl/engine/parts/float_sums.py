"""Describes how kernels add floating-point numbers: values of lines, or nodes of blocks."""

from dataclasses import dataclass

from amaranth.hdl import Cat

from rtl.network.node_sums import NodeSums
from rtl.network.nodes import NodePlan
from rtl.network.tree_sum import TreeSum
from rtl.stream.beat import split


@dataclass(frozen=True, kw_only=True)
class LineSums:
    """Describes sums of the values of lines, by :class:`~rtl.network.tree_sum.TreeSum`.

    Attributes
    ----------
    lanes : int
        Values of a line.
    lines : int
        Lines of the largest window.
    """

    lanes: int
    lines: int

    @property
    def numbers(self):
        """Argument ``lines`` of :func:`~rtl.stream.line.line`: lines of the largest window."""
        return self.lines

    @property
    def latency(self):
        """Latency from a window's last line to its sum, in cycles."""
        return TreeSum.latency_of(self.lanes, self.lines)

    def part(self, format_, passenger):
        """Builds the component that adds the values of a column, line by line."""
        return TreeSum(format_, self.lanes, self.lines, passenger=passenger)

    def feed(self, m, target, line, column):
        """Drives the input of a part with the column of a line."""
        tuples = split(m, line.tuples, f"{column}_tuples")
        m.d.comb += target.valid.eq(line.valid)
        m.d.comb += target.tuples.as_value().eq(Cat(tuple_[column] for tuple_ in tuples))


@dataclass(frozen=True, kw_only=True)
class BlockSums:
    """Describes sums of the nodes of blocks, by :class:`~rtl.network.node_sums.NodeSums`.

    A line is the state of a block's values: its members ``sums`` and ``values`` are the nodes of
    the block and the number of its values in the window.

    Attributes
    ----------
    nodes : NodePlan
    """

    nodes: NodePlan

    @property
    def numbers(self):
        """Argument ``lines`` of :func:`~rtl.stream.line.line`: values of the largest window."""
        return self.nodes.tuples

    @property
    def latency(self):
        """Latency from a window's last block to its sum, in cycles."""
        return NodeSums.latency_of(self.nodes)

    def part(self, format_, passenger):
        """Builds the component that adds the only column."""
        return NodeSums(self.nodes, passenger)

    def feed(self, m, target, line, column):
        """Drives the input of a part with the nodes of a block."""
        (state,) = split(m, line.tuples, f"{column}_states")
        m.d.comb += [target.nodes.eq(state["sums"]), target["values"].eq(state["values"])]
