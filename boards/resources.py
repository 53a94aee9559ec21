"""Describes the number of resources of each kind in an FPGA."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Resources:
    """Resources of one part, with the names of ``sluice report``.

    Attributes
    ----------
    source : str
        Name of the data sheet with the numbers.
    lut, ff, dsp : int
        Number of lookup tables (in a family with ALMs: of ALMs), registers and DSP blocks.
    block_name : str
        The manufacturer's name of a block RAM.
    block_bits : int
        Bits in a block RAM.
    blocks : int
        Number of block RAMs.
    uram : int
        Number of UltraRAMs.
    """

    source: str
    lut: int
    ff: int
    dsp: int
    block_name: str
    block_bits: int
    blocks: int
    uram: int = 0

    def blocks_for(self, bits: int) -> int:
        """Returns the least number of block RAMs that can hold ``bits`` bits of memory."""
        return -(-bits // self.block_bits)
