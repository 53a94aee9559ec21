"""What the windows of keys are given in, one line after the other; nothing is built here."""

from dataclasses import dataclass

from amaranth.hdl import ShapeLike

from rtl.memory.window_lines import collected_line


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
    """

    shape: ShapeLike
    lanes: int
    lines: int
    block: int | None = None

    @property
    def most(self):
        """Values that a line may stand for."""
        return self.block or self.lanes

    def line(self, told):
        """Layout of a line, with what is ``told`` of its window."""
        return collected_line(self.shape, self.lanes, told)

    def counts(self, line):
        """Numbers that together are the values which a line stands for."""
        return list(line.valid) if self.block is None else [line.tuples[0].values]
