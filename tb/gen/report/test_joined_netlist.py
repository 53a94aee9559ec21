"""Checks by hand which pins of cells share a net in joined netlists."""

import json
from types import SimpleNamespace

from gen.report.joined_netlist import join


def netlist(ports, cells, nets=None):
    """Returns the JSON of a module ``top``.

    ``ports`` and ``nets`` have bits by name, ``cells`` has a type and pins by name.
    """
    module = {
        "attributes": {},
        "ports": {name: {"direction": "inout", "bits": bits} for name, bits in ports.items()},
        "cells": {
            name: {"type": type_, "connections": pins} for name, (type_, pins) in cells.items()
        },
        "netnames": {name: {"bits": bits} for name, bits in (nets or {}).items()},
    }
    return json.dumps({"modules": {"top": module}})


def test_pins_are_on_the_nets_that_the_blocks_above_connect():
    """Two blocks of a LUT each in a row, a block with only a wire between them, and one with
    constants.
    """
    wire = SimpleNamespace(digest="wire", below={})
    part = SimpleNamespace(digest="part", below={})
    top = SimpleNamespace(digest="top", below={"part": part, "wire": wire})
    netlists = {
        "top": netlist(
            {"a": [2], "y": [3]},
            {
                "p0": ("part", {"i": [2], "o": [4]}),
                "w": ("wire", {"i": [4], "o": [5]}),
                "p1": ("part", {"i": [5], "o": [3]}),
                "p2": ("part", {"i": ["0"], "o": [6]}),
                "own": ("FDRE", {"D": [6], "Q": [7], "R": ["1"]}),
            },
            {"middle": [5]},
        ),
        "part": netlist({"i": [8], "o": [9]}, {"l": ("LUT1", {"I0": [8], "O": [9]})}, {"n": [9]}),
        "wire": netlist({"i": [2], "o": [2]}, {}),
    }
    complete = join(top, netlists)["modules"]["top"]
    pins = {name: cell["connections"] for name, cell in complete["cells"].items()}
    (a,), (y,) = (complete["ports"][name]["bits"] for name in "ay")
    (middle,), (last,), (register,) = pins["p0.l"]["O"], pins["p2.l"]["O"], pins["own"]["Q"]
    assert pins == {
        "p0.l": {"I0": [a], "O": [middle]},
        "p1.l": {"I0": [middle], "O": [y]},
        "p2.l": {"I0": ["0"], "O": [last]},
        "own": {"D": [last], "Q": [register], "R": ["1"]},
    }
    assert len({a, y, middle, last, register}) == 5
    nets = {name: net["bits"] for name, net in complete["netnames"].items()}
    assert nets == {"middle": [middle], "p0.n": [middle], "p1.n": [y], "p2.n": [last]}


def test_bits_of_a_port_keep_their_order_and_a_constant_comes_out_of_a_block():
    """A block of wires swaps two bits and sets a third bit to 1. The block above swaps back."""
    swap = SimpleNamespace(digest="swap", below={})
    shell = SimpleNamespace(digest="shell", below={"swap": swap})
    top = SimpleNamespace(digest="top", below={"shell": shell})
    ports = {"i": [2, 3], "o": [4, 5, 6]}
    netlists = {
        "top": netlist(
            {"a": [9, 8], "y": [7]},
            {
                "s": ("shell", {"i": [9, 8], "o": [2, 3, 4]}),
                "own": ("LUT3", {"I0": [2], "I1": [3], "I2": [4], "O": [7]}),
            },
        ),
        "shell": netlist(ports, {"inner": ("swap", {"i": [2, 3], "o": [5, 4, 6]})}),
        "swap": netlist({"i": [2, 3], "o": [3, 2, "1"]}, {}),
    }
    complete = join(top, netlists)["modules"]["top"]
    (low, high), (y,) = (complete["ports"][name]["bits"] for name in "ay")
    pins = {name: cell["connections"] for name, cell in complete["cells"].items()}
    assert pins == {"own": {"I0": [low], "I1": [high], "I2": ["1"], "O": [y]}}
    assert len({low, high, y}) == 3
