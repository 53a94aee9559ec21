"""Describes the format of the lines that windows of keys come in."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from amaranth.hdl import Mux, ShapeLike

from rtl.keyed.store.lines.window_lines import collected_line


@dataclass(frozen=True, kw_only=True)
class LineFormat:
    """Format of a line: lanes with a value each, or one lane with the state of a block's values.

    Attributes
    ----------
    shape : ShapeLike
        Content of a lane.
    lanes : int
    lines : int
        Number of lines of the largest window, with the line being filled.
    block : int or None
        Greatest number of values whose state a lane holds; the state's member ``values`` is the
        number. None if a lane holds a value.
    pieces : int
        Number of lines into which a block from the memory may be cut.
    used : int or None
        Number of lanes that may hold a value, the lowest ones; None for all.
    queued : int
        Greatest number of lines whose blocks are in serial decoders, or wait for one.
    counts : dict of str to ShapeLike
        Members of a line's ``passenger`` that count its values, if a line stands for blocks from
        several memories, see :func:`~rtl.keyed.codec.chained.chain_format.chain_counts`.
    """

    shape: ShapeLike
    lanes: int
    lines: int
    block: int | None = None
    pieces: int = 1
    used: int | None = None
    queued: int = 0
    counts: Mapping = field(default_factory=lambda: MappingProxyType({}))

    @property
    def values_max(self):
        """Greatest number of values that a line stands for."""
        return self.block or self.lanes

    def line(self, window_info):
        """Returns the layout of a line with the description of its window."""
        return collected_line(self.shape, self.lanes, window_info, self.counts)

    def lines_of(self, values, lines):
        """Returns the mean number of lines of a window of ``values`` values in ``lines`` blocks.

        A block begins and ends anywhere in a piece. For instance 100 values in 2 blocks, and pieces
        of 8 values: half of the first and last piece of a block is wasted, so the window has
        100 / 8 + 2 * 7 / 8 lines.
        """
        if self.pieces == 1:
            return lines
        return values / self.lanes + lines * (self.lanes - 1) / self.lanes

    def value_counts(self, line):
        """Returns a list of numbers whose sum is the number of values of a line.

        The sum is 0 if the line was sent before, in an earlier pass.
        """
        if "new_values" in self.counts:
            return [line.passenger.new_values]
        counts = list(line.valid) if self.block is None else [line.tuples[0].values]
        if "again" not in line.passenger.shape().members:
            return counts
        return [Mux(line.passenger.again, 0, count) for count in counts]
