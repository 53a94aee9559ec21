"""Describes the FPGA families of `sluice report`: Yosys's command, and the count of each cell."""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from gen.verilog.memory_contents import Contents

_BLOCK_BITS = 36 * 1024  # of the block RAM in which ``block_rams`` counts
XILINX_LIBRARY = "+/xilinx/cells_sim.v +/xilinx/cells_xtra.v"
ALM_LIBRARY = "-D cyclonev " + " ".join(
    f"+/intel_alm/common/{name}_sim.v" for name in ("alm", "dff", "dsp", "mem")
)


@dataclass(frozen=True, kw_only=True)
class Target:
    """Describes how Yosys maps a design to an FPGA family, and how cells are counted.

    Attributes
    ----------
    name, about : str
    synthesis : str
        Yosys command that maps ``top``.
    luts, lut_memories, flip_flops, block_rams, ultra_rams, multipliers : tuple of (str, number)
        Pairs of a pattern of cell types and the number that one such cell counts: of LUTs, of LUTs
        of memory, of registers, of blocks of 36 Kibit, of UltraRAMs, of multipliers.
    library : str or None
        Cell models for Yosys's ``sta``; None if the family has no timing arcs.
    untimed : str
        Pattern of cells without timing arcs. A netlist with such a cell has no ``logic_ps``.
    note : str
        Remark for the reader of the figures.
    drops_contents : callable or None
        Returns True for initial contents of a memory
        (:class:`~gen.verilog.memory_contents.Contents`) that are removed from the netlist, because
        Yosys's mapper of the family does not know them, although the device does. None removes
        none.
    """

    name: str
    about: str
    synthesis: str
    luts: tuple
    lut_memories: tuple = ()
    flip_flops: tuple
    block_rams: tuple = ()
    ultra_rams: tuple = ()
    multipliers: tuple = ()
    library: str | None = None
    untimed: str = ""
    note: str = ""
    drops_contents: Callable[[Contents], bool] | None = None

    def total(self, kinds: tuple, cells: Mapping[str, int]) -> float:
        """Returns the sum over the cells whose type matches a pattern of ``kinds``."""
        return sum(
            weight * number
            for cell, number in cells.items()
            for pattern, weight in kinds
            if re.fullmatch(pattern, cell)
        )

    def block_ram_bits(self, cells: Mapping[str, int]) -> int:
        """Returns the bits of all cells that are block RAMs, used or not: 18,432 of an ECP5's."""
        return round(self.total(self.block_rams, cells) * _BLOCK_BITS)

    def count(self, kinds: tuple, cells: Mapping[str, int]) -> int:
        """Returns :meth:`total`, rounded up: three halves of a block RAM count as two."""
        return math.ceil(self.total(kinds, cells))


def _of_zeros(contents):
    """Returns True if the contents are all zero, as an MLAB of a Stratix V is after configuration.

    Yosys turns a memory with initial values into registers if it is too small for an M10K.
    """
    return contents.zeros


def _xilinx(name, about, options, generation):
    return Target(
        name=name,
        about=about,
        synthesis=f"synth_xilinx {options} -flatten -noiopad -noclkbuf -top top",
        luts=((r"LUT[1-6]|INV", 1),),
        lut_memories=(
            # A LUT holds 64 bits and reads one of them, so a second read port takes as many again.
            (r"SRL16E|SRLC16E|SRLC32E|RAM(32|64)X1S", 1),
            (r"RAM128X1S|RAM(32|64)X1D", 2),
            (r"RAM(32|64)M|RAM256X1S|RAM128X1D", 4),
            (r"RAM32M16|RAM64M8|RAM512X1S|RAM256X1D|RAM64X8SW|RAM32X16DR8", 8),
        ),
        flip_flops=((r"FD[RSCP]E(_1)?", 1),),
        block_rams=((r"(RAMB|FIFO)36E\d", 1), (r"(RAMB|FIFO)18E\d", 0.5)),
        ultra_rams=((r"URAM288(_BASE)?", 1),),
        multipliers=((r"DSP48E\d", 1),),
        library=XILINX_LIBRARY,
        untimed=r"RAMB\d+E2|URAM\w+|DSP48E2|RAM\d+M\d*|RAM\d+X\d+D" if generation == 2 else "",
        note="INV counts as a LUT; delays are Artix-7's, as Yosys has no others",
    )


TARGETS = {
    target.name: target
    for target in (
        _xilinx("xcup", "Zynq UltraScale+", "-family xcup -uram", 2),
        _xilinx("xc6v", "Virtex-6", "-family xc6v", 1),
        _xilinx("xc7", "7 series", "-family xc7", 1),
        Target(
            name="alm",
            about="Stratix V's ALM, by its proxy Cyclone V",
            synthesis="synth_intel_alm -family cyclonev -noiopad -noclkbuf -top top",
            luts=((r"MISTRAL_(ALUT[2-6]|ALUT_ARITH|NOT)", 1),),
            lut_memories=((r"MISTRAL_MLAB", 1),),
            flip_flops=((r"MISTRAL_FF", 1),),
            block_rams=((r"MISTRAL_M10K", 10 / 36),),
            multipliers=((r"MISTRAL_MUL27X27", 1), (r"MISTRAL_MUL(18X18|9X9)", 0.5)),
            library=ALM_LIBRARY,
            note="Cyclone V stands for Stratix V; M10K blocks counted as 10/36 of a bram36",
            drops_contents=_of_zeros,
        ),
        Target(
            name="ecp5",
            about="Lattice ECP5-85, placed and routed",
            synthesis="synth_ecp5 -top top",
            luts=((r"LUT4", 1), (r"CCU2C", 2)),
            lut_memories=((r"TRELLIS_DPR16X4", 4),),
            flip_flops=((r"TRELLIS_FF", 1),),
            block_rams=((r"DP16KD|PDPW16KD", 0.5),),
            multipliers=((r"MULT18X18D", 1),),
            note="LUTs have 4 inputs; a CCU2C counts as two; a DP16KD as half a bram36",
        ),
    )
}


def alms(cells: Mapping[str, int]) -> list[int]:
    """Returns the fewest and the most Stratix V ALMs for the ALUTs and LUT memories of ``cells``.

    An ALM holds one 6-input LUT, or two smaller LUTs if their inputs allow it. The most is one ALUT
    in each ALM. Ten ALMs are a memory of 32 x 20 bits, and a MISTRAL_MLAB is 32 x 1.
    """
    memory = math.ceil(cells.get("MISTRAL_MLAB", 0) / 2)
    large = cells.get("MISTRAL_ALUT6", 0)
    small = sum(
        n for c, n in cells.items() if re.fullmatch(r"MISTRAL_(ALUT[2-5]|ALUT_ARITH|NOT)", c)
    )
    return [memory + large + math.ceil(small / 2), memory + large + small]
