"""What M2 is: how many lines of each key it has, and in which memory."""

from dataclasses import dataclass

from rtl.memory.block import KINDS

#: A RAM on the chip, or a memory behind a master of its own.
M2_KINDS = (*KINDS, "external")


@dataclass(frozen=True, kw_only=True)
class SecondLevel:
    """M2, between the block RAM of M1 and the DRAM of M3.

    Attributes
    ----------
    lines : int
        Of each key: 1, which is being filled, or 2, also the one that became full last.
    kind : str
        The RAM that is asked for, as for :class:`~rtl.memory.block.BlockMemory`; or
        ``"external"``: M2 is outside of the chip.
    """

    lines: int = 1
    kind: str = "block"

    def __post_init__(self):
        if self.lines not in (1, 2):
            raise ValueError(f"lines of M2 must be 1 or 2, not {self.lines!r}")
        if self.kind not in M2_KINDS:
            raise ValueError(f"kind of M2 must be one of {', '.join(M2_KINDS)}, not {self.kind!r}")

    @property
    def keeps(self):
        """It has the last full line of each key, too."""
        return self.lines == 2

    @property
    def external(self):
        return self.kind == "external"
