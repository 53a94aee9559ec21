"""Computes the size of the rings of keys in DRAM."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Rings:
    """Rings of whole lines, one for each key.

    Attributes
    ----------
    options : rtl.engine.streamzip.options.Options
    """

    options: object

    @property
    def lines(self):
        """Number of lines of a ring, or of blocks with a codec: at least two for each port."""
        if (blocks := self.options.coding.blocks) is not None:
            return blocks
        built = self.options.resolved
        return max(2 * built.ports, -(-built.window_max // built.line_values))

    @property
    def places(self):
        """Number of places of a ring, which is the modulus of a key's sequence numbers.

        Without a codec a place is room for an item. With a codec and windows of rows there are as
        many places as sequence numbers; with windows of time a place is a block, or a value if
        there is an expected ratio.
        """
        coding = self.options.coding
        if coding.blocks is None:
            return self.lines * self.options.resolved.line_values
        if not self.options.kind.stamp_bits:
            return 1 << coding.number_bits
        return coding.window_places or self.lines
