"""What the windows of keys are given in, one line after the other; nothing is built here."""

from dataclasses import dataclass

from amaranth.hdl import ShapeLike

from rtl.keyed.store.lines.window_lines import collected_line


@dataclass(frozen=True, kw_only=True)
class Given:
    """So many lanes, each for a value; or one, for the state of a block's values.

    Attributes
    ----------
    shape : ShapeLike
        Of a lane.
    lanes : int
    lines : int
        Of the largest window, with the one that is being filled.
    block : int or None
        A lane is the state of up to so many values; how many is its member ``values``.
    pieces : int
        Lines that one of the memory may become.
    """

    shape: ShapeLike
    lanes: int
    lines: int
    block: int | None = None
    pieces: int = 1

    @property
    def values_max(self):
        """Values that a line may stand for."""
        return self.block or self.lanes

    def line(self, told):
        """Layout of a line, with what is ``window_info`` of its window."""
        return collected_line(self.shape, self.lanes, told)

    def lines_of(self, values, lines):
        """Of a window of so many values that lies in so many lines of the memory, on average.

        Both ends of a line are anywhere in a piece: so of 100 values in 2 lines, and pieces of 8,
        half of the first and of the last are wasted, 100 / 8 + 2 * 7 / 8.
        """
        if self.pieces == 1:
            return lines
        return values / self.lanes + lines * (self.lanes - 1) / self.lanes

    def value_counts(self, line):
        """Numbers that together are the values which a line stands for."""
        return list(line.valid) if self.block is None else [line.tuples[0].values]
