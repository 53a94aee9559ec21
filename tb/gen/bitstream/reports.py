"""A report of nextpnr, and a netlist of Yosys, with numbers of a test."""

import json


def report(engine=100.22, receiver=131.04, asked=75, luts=17_064, line=125):
    """Returns clocks, in MHz, and utilisation in the form of nextpnr's report."""
    kinds = {"TRELLIS_COMB": (luts, 43_848), "TRELLIS_FF": (11_499, 43_848), "DP16KD": (12, 108)}
    kinds |= {"MULT18X18D": (0, 72), "TRELLIS_IO": (19, 245), "EHXPLLL": (1, 4)}
    return {
        "fmax": {
            "$glbnet$ethernet.i": {"achieved": receiver, "constraint": line},
            "$glbnet$clocking.clk": {"achieved": engine, "constraint": asked},
        },
        "utilization": {
            name: {"used": used, "available": most} for name, (used, most) in kinds.items()
        },
    }


def netlist(**counts):
    """Returns a netlist with a number of cells of each type, for instance ``LUT4=10``."""
    cells = {f"{kind}{k}": {"type": kind} for kind, count in counts.items() for k in range(count)}
    return json.dumps({"modules": {"top": {"cells": cells}}})
