"""How large the rings of keys are in DRAM."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Rings:
    """A ring for each key, of whole lines.

    Attributes
    ----------
    options : rtl.engine.streamzip.options.Options
    """

    options: object

    @property
    def lines(self):
        """Of a ring: at least two for each port."""
        if (blocks := self.options.coding.blocks) is not None:
            return blocks
        built = self.options.resolved
        return max(2 * built.ports, -(-built.window_max // built.line_values))

    @property
    def places(self):
        """Tuples of a key that a ring has place for.

        With a codec, the numbers that they have; with windows of time, too, a block for each.
        """
        coding = self.options.coding
        if coding.blocks is None:
            return self.lines * self.options.resolved.line_values
        return self.lines if self.options.kind.stamp_bits else 1 << coding.number_bits
