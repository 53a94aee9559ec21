"""Describes how many resources of each kind an FPGA has."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Resources:
    """Resources of one part, with the names of ``sluice report``.

    Attributes
    ----------
    source : str
        Name of the data sheet with the numbers.
    lut, ff, dsp : int
        Number of lookup tables, registers and DSP blocks. For a family with ALMs, ``lut`` is the
        number of ALMs.
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


def _ecp5(source, luts, blocks, dsp):
    """Returns the resources of an ECP5, which has a register for each LUT of four inputs."""
    return Resources(
        source=source,
        lut=luts,
        ff=luts,
        dsp=dsp,
        block_name="EBR",
        block_bits=18 * 1024,
        blocks=blocks,
    )


_SHEET = "FPGA-DS-02012, ECP5 and ECP5-5G Family Data Sheet, table of the family, and Trellis: "
LFE5UM_45 = _ecp5(f"{_SHEET}LFE5UM-45", 43_848, 108, 72)
LFE5UM_85 = _ecp5(f"{_SHEET}LFE5UM-85", 83_640, 208, 156)
