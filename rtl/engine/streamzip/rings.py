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
        if (ring := self.options.coding.ring) is not None:
            return ring.blocks
        built = self.options.resolved
        return max(2 * built.ports, -(-built.window_max // built.line_values))

    @property
    def places(self):
        """Tuples of a key that a ring has place for; with a codec, numbers that they have."""
        if (ring := self.options.coding.ring) is not None:
            return 1 << ring.number_bits
        return self.lines * self.options.resolved.line_values
