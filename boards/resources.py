"""Resources of an FPGA: how many of each kind its part has."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Resources:
    """Resources of one part, by the names that ``sluice report`` gives them.

    Attributes
    ----------
    source : str
        Name of the data sheet that says so.
    lut, ff, dsp : int
        Lookup tables (of a family with ALMs: the ALMs), registers, blocks of multipliers.
    block_name : str
        What the maker calls a block RAM.
    block_bits, blocks : int
        Bits of a block RAM, and how many block RAMs there are.
    uram : int
        UltraRAMs.
    """

    source: str
    lut: int
    ff: int
    dsp: int
    block_name: str
    block_bits: int
    blocks: int
    uram: int = 0

    def blocks_for(self, bits):
        """Number of block RAMs that so many bits of memory fill at least."""
        return -(-bits // self.block_bits)
