"""Describes M2: the number of lines of each key, and the kind of memory."""

from dataclasses import dataclass

from rtl.memory.block import KINDS

#: Kinds of M2: RAMs on the chip, or a memory behind a master of its own.
M2_KINDS = (*KINDS, "external")
#: Numbers of closed blocks of each key that M2 may keep.
M2_BLOCKS = (0, 1, 2, 4, 8)


@dataclass(frozen=True, kw_only=True)
class SecondLevel:
    """Describes M2, the memory of each key between M1 and M3.

    Attributes
    ----------
    lines : int
        Number of lines of each key: 1, the line being filled, or 2, also the last full line.
    kind : str
        Kind of RAM, as for :class:`~rtl.memory.block.BlockMemory`; or ``"external"`` if M2 is
        outside of the chip.
    blocks : int
        With a codec, number of closed blocks of each key that M2 has as copies. 0: M2 has the
        growing block only. With copies ``kind`` is the kind of their memory; the growing block is
        always in block RAM.
    """

    lines: int = 1
    kind: str = "block"
    blocks: int = 0

    def __post_init__(self):
        if self.lines not in (1, 2):
            raise ValueError(f"lines of M2 must be 1 or 2, not {self.lines!r}")
        if self.kind not in M2_KINDS:
            raise ValueError(f"kind of M2 must be one of {', '.join(M2_KINDS)}, not {self.kind!r}")
        if self.blocks not in M2_BLOCKS:
            numbers = ", ".join(map(str, M2_BLOCKS))
            raise ValueError(f"blocks of M2 must be one of {numbers}, not {self.blocks!r}")

    @property
    def has_previous_line(self):
        """True if M2 also has the last full line of each key."""
        return self.lines == 2

    @property
    def external(self):
        """True if M2 is outside of the chip."""
        return self.kind == "external"

    @property
    def has_words_outside(self):
        """True if M2 is outside of the chip and has words of lines, as without a codec."""
        return self.external and not self.blocks

    @property
    def has_copies_outside(self):
        """True if M2 has copies of closed blocks, and the copies are outside of the chip."""
        return self.external and self.blocks > 0
