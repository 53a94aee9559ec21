"""Tests gen.report.depth on netlists written by hand, whose longest paths are visible."""

import json

import pytest

from gen.report.depth import depth


def netlist(cells, inputs=(), outputs=()):
    """A Yosys JSON netlist of ``(type, inputs, outputs, parameters)``; nets are numbers."""
    ports = {f"i{bit}": {"direction": "input", "bits": [bit]} for bit in inputs}
    ports |= {f"o{bit}": {"direction": "output", "bits": [bit]} for bit in outputs}
    body = {}
    for index, (kind, into, out, *parameters) in enumerate(cells):
        body[f"c{index}"] = {
            "type": kind,
            "parameters": parameters[0] if parameters else {},
            "port_directions": dict.fromkeys(into, "input") | dict.fromkeys(out, "output"),
            "connections": into | out,
        }
    bits = [bit for c in body.values() for bits in c["connections"].values() for bit in bits]
    names = {f"n{bit}": {"bits": [bit], "hide_name": 0} for bit in bits if bit not in ("0", "1")}
    top = {"attributes": {}, "ports": ports, "cells": body, "netnames": names}
    return json.dumps({"modules": {"top": top}})


def ff(d, q, **more):
    return "FDRE", {"C": [2], "D": [d], "CE": ["1"], "R": ["0"]} | more, {"Q": [q]}


def lut2(a, b, o):
    return "LUT2", {"I0": [a], "I1": [b]}, {"O": [o]}


def test_two_luts_between_registers():
    result = depth(netlist([ff(20, 10), lut2(10, 11, 12), lut2(12, 10, 13), ff(13, 11)]))
    assert result.registers == 2
    assert result.path == ("n10", "LUT2", "LUT2", "n11")


def test_without_a_path_between_registers():
    result = depth(netlist([lut2(3, 4, 5), ff(5, 6)], inputs=(3, 4), outputs=(6,)))
    assert (result.registers, result.ports, result.path) == (0, 1, ())


def test_ports_are_counted_apart():
    cells = [lut2(3, 3, 4), lut2(4, 4, 5), lut2(5, 5, 6), ff(6, 7), lut2(7, 7, 8), ff(8, 9)]
    result = depth(netlist(cells, inputs=(3,), outputs=(9,)))
    assert (result.registers, result.ports) == (1, 3)


def test_paths_from_a_register_to_a_port_and_through_the_top():
    """Both are paths of ports: two LUTs after a register, and three from port to port."""
    cells = [ff("0", 7), lut2(7, 7, 8), lut2(8, 8, 9)]
    result = depth(netlist(cells, outputs=(9,)))
    assert (result.registers, result.ports, result.path) == (0, 2, ())
    through = [lut2(3, 3, 4), lut2(4, 4, 5), lut2(5, 5, 6)]
    assert depth(netlist(through, inputs=(3,), outputs=(6,))).ports == 3


def test_a_net_has_its_shortest_visible_name():
    """A name that Yosys made up is hidden; a bit of a wider net has its number."""
    text = json.loads(netlist([ff("0", 10), lut2(10, 10, 11), ff(11, 12)]))
    text["modules"]["top"]["netnames"] = {
        "long_name": {"bits": [10], "hide_name": 0},
        "short": {"bits": [10], "hide_name": 0},
        "$1": {"bits": [10], "hide_name": 1},
        "wide": {"bits": [13, 12], "hide_name": 0},
    }
    text["modules"]["LUT2"] = {"attributes": {"blackbox": "1"}}  # a cell of the library
    assert depth(json.dumps(text)).path == ("short", "LUT2", "wide[1]")


def test_an_enable_ends_a_path():
    cells = [ff(20, 10), lut2(10, 10, 11), lut2(11, 11, 12), ff(20, 13, CE=[12])]
    assert depth(netlist(cells)).registers == 2


def test_a_clock_does_not():
    cells = [ff(20, 10), lut2(10, 10, 11), ("FDRE", {"C": [11], "D": ["0"]}, {"Q": [13]})]
    assert depth(netlist(cells)).registers == 0


def carry(ci, s, di, o, co):
    return "CARRY4", {"CI": [ci], "CYINIT": ["0"], "S": s, "DI": di}, {"O": o, "CO": co}


def test_carries_are_free():
    cells = [
        ff("0", 10),
        lut2(10, 10, 11),
        carry("0", [11, "0", "0", "0"], [10] * 4, [30, 31, 32, 33], [34, 35, 36, 37]),
        carry(37, ["0"] * 4, [10] * 4, [40, 41, 42, 43], [44, 45, 46, 47]),
        ("MUXF7", {"I0": [43], "I1": ["0"], "S": ["1"]}, {"O": [48]}),
        lut2(48, 48, 49),
        ff(49, 50),
    ]
    assert depth(netlist(cells)).registers == 2


def test_a_low_sum_does_not_see_a_high_carry():
    """A LUT between bit 0 of a sum and bit 3 of the same cell is no loop."""
    cells = [
        ff("0", 10),
        carry("0", [10, "0", "0", 12], [10] * 4, [30, 31, 32, 33], [34, 35, 36, 37]),
        lut2(30, 30, 12),
        ff(33, 50),
        ff(30, 51),
    ]
    assert depth(netlist(cells)).registers == 1


@pytest.mark.parametrize(
    ("source", "target", "is_joined"),
    [
        (("S", 1), ("O", 1), True),
        (("S", 1), ("O", 0), False),
        (("DI", 1), ("O", 2), True),
        (("DI", 1), ("O", 1), False),
        (("DI", 1), ("CO", 1), True),
        (("DI", 1), ("CO", 0), False),
        (("CI", 0), ("O", 0), True),
        (("CYINIT", 0), ("CO", 0), True),
    ],
)
def test_bits_of_a_carry_cell(source, target, is_joined):
    """A bit of DI is in the carry after it, and not in the sum beside it."""
    kind, inputs, outputs = carry("0", ["0"] * 4, ["0"] * 4, [30, 31, 32, 33], [34, 35, 36, 37])
    inputs[source[0]][source[1]] = 10
    cells = [ff("0", 10), (kind, inputs, outputs), ff(outputs[target[0]][target[1]], 50)]
    assert depth(netlist(cells)).path == (("n10", "CARRY4", "n50") if is_joined else ())


def test_the_high_half_of_a_carry_cell_does_not_reach_the_low_sum():
    cells = [
        ("TRELLIS_FF", {"CLK": [2], "DI": ["0"]}, {"Q": [10]}),
        ("CCU2C", {"CIN": ["0"], "A0": ["0"], "A1": [10]}, {"S0": [11], "S1": [12], "COUT": [13]}),
        ("LUT4", {"A": [11]}, {"Z": [14]}),
        ("TRELLIS_FF", {"CLK": [2], "DI": [14]}, {"Q": [15]}),
        ("TRELLIS_FF", {"CLK": [2], "DI": [12]}, {"Q": [16]}),
    ]
    assert depth(netlist(cells)).path == ("n10", "CCU2C", "n16")


def test_the_lut_before_a_carry_of_other_families():
    ecp5 = {name: ["0"] for name in ("B0", "C0", "D0", "A1", "B1", "C1", "D1")}
    cells = [
        ("TRELLIS_FF", {"CLK": [2], "DI": [20]}, {"Q": [10]}),
        ("CCU2C", {"CIN": ["0"], "A0": [10]} | ecp5, {"S0": [11], "S1": [12], "COUT": [13]}),
        ("CCU2C", {"CIN": [13], "A0": ["0"]} | ecp5, {"S0": [14], "S1": [15], "COUT": [16]}),
        ("TRELLIS_FF", {"CLK": [2], "DI": [15]}, {"Q": [17]}),
    ]
    assert depth(netlist(cells)).registers == 1
    arith = {name: ["0"] for name in ("B", "C", "D0", "D1")}
    cells = [
        ("MISTRAL_FF", {"CLK": [2], "DATAIN": [20]}, {"Q": [10]}),
        ("MISTRAL_ALUT_ARITH", {"CI": ["0"], "A": [10]} | arith, {"SO": [11], "CO": [12]}),
        ("MISTRAL_ALUT_ARITH", {"CI": [12], "A": ["0"]} | arith, {"SO": [13], "CO": [14]}),
        ("MISTRAL_ALUT3", {"A": [13], "B": ["0"], "C": ["0"]}, {"Q": [15]}),
        ("MISTRAL_FF", {"CLK": [2], "DATAIN": [15]}, {"Q": [17]}),
    ]
    assert depth(netlist(cells)).registers == 2


def test_a_lut_memory_is_read_through_a_lut():
    memory = {"ADDRA": [10], "ADDRB": ["0"], "DIA": [30], "WE": ["1"], "WCLK": [2]}
    cells = [
        ff("0", 10),
        ("RAM32M", memory, {"DOA": [11], "DOB": [12]}),
        lut2(11, 11, 13),
        ff(13, 14),
        ff(12, 15),
    ]
    assert depth(netlist(cells)).registers == 2


@pytest.mark.parametrize(
    ("kind", "address", "data"),
    [
        ("RAM64M8", "ADDRH", "DOH"),
        ("RAM32X1D", "DPRA0", "DPO"),
        ("RAM32X1D", "A0", "SPO"),
        ("RAM256X1S", "A", "O"),
        ("SRL16E", "A3", "Q"),
        ("MISTRAL_MLAB", "B1ADDR", "B1DATA"),
        ("TRELLIS_DPR16X4", "RAD", "DO"),
    ],
)
def test_a_lut_memory_is_written_by_a_clock(kind, address, data):
    """Two LUTs before the data that are written end a path; the address that is read goes on."""
    clock = "CLK1" if kind == "MISTRAL_MLAB" else "WCK" if kind == "TRELLIS_DPR16X4" else "WCLK"
    cells = [ff("0", 10), lut2(10, 10, 11), lut2(11, 11, 12)]
    written = (kind, {"D": [12], address: ["0"]}, {data: [13]})
    clocked = (kind, {"D": ["0"], address: ["0"], clock: [12]}, {data: [13]})
    read = (kind, {"D": ["0"], address: [12]}, {data: [13]})
    counts = [depth(netlist([*cells, c, ff(13, 14)])).registers for c in (written, clocked, read)]
    assert counts == [2, 0, 3]


@pytest.mark.parametrize(("preg", "expected"), [("1", 1), ("0", 2)])
def test_a_multiplier_stops_a_path_only_with_a_register(preg, expected):
    parameters = dict.fromkeys(("AREG", "BREG", "CREG", "DREG", "MREG"), "0") | {"PREG": preg}
    cells = [
        ff("0", 10),
        lut2(10, 10, 11),
        ("DSP48E2", {"A": [11], "B": [10], "CLK": [2]}, {"P": [12]}, parameters),
        lut2(12, 12, 13),
        ff(13, 14),
    ]
    assert depth(netlist(cells)).registers == expected


@pytest.mark.parametrize(
    ("register", "port", "expected"),
    [
        *(("AREG", "A", 2), ("BREG", "B", 2), ("CREG", "C", 2), ("DREG", "D", 2)),
        *(("AREG", "B", 3), ("MREG", "A", 2), ("MREG", "B", 2), ("MREG", "D", 2)),
        *(("MREG", "C", 3), ("PREG", "C", 2)),
    ],
)
def test_each_register_of_a_multiplier_stops_its_own_ports(register, port, expected):
    """The register of the product does not stop C, which is added behind it.

    There is one LUT before the multiplier, and there are two behind it.
    """
    names = ("AREG", "BREG", "CREG", "DREG", "MREG", "PREG")
    parameters = dict.fromkeys(names, "0" * 32) | {register: "1".zfill(32)}
    cells = [
        ff("0", 10),
        lut2(10, 10, 11),
        ("DSP48E2", {port: [11], "CLK": [2]}, {"P": [12]}, parameters),
        lut2(12, 12, 13),
        lut2(13, 13, 14),
        ff(14, 15),
    ]
    assert depth(netlist(cells)).registers == expected


@pytest.mark.parametrize("port", ["CEM", "RSTM"])
def test_enables_and_resets_of_a_multiplier_end_a_path(port):
    """The two LUTs before the enable are a path, and the LUT after the product is another."""
    parameters = dict.fromkeys(("AREG", "BREG", "CREG", "DREG", "PREG"), "0") | {"MREG": "1"}
    cells = [
        ff("0", 10),
        lut2(10, 10, 11),
        lut2(11, 11, 12),
        ("DSP48E1", {"A": ["0"], port: [12], "CLK": [2]}, {"P": [13]}, parameters),
        lut2(13, 13, 14),
        ff(14, 15),
    ]
    assert depth(netlist(cells)).registers == 2


@pytest.mark.parametrize(("clocked", "expected"), [("NONE", 2), ("CLK0", 1)])
def test_a_multiplier_of_ecp5_with_a_register_anywhere_is_one(clocked, expected):
    names = {"REG_INPUTA_CE": "CE0", "REG_OUTPUT_RST": "RST0"}  # the defaults without a register
    parameters = {"REG_INPUTA_CLK": "NONE", "REG_OUTPUT_CLK": clocked} | names
    cells = [
        ("TRELLIS_FF", {"CLK": [2], "DI": ["0"]}, {"Q": [10]}),
        ("LUT4", {"A": [10]}, {"Z": [11]}),
        ("MULT18X18D", {"A0": [11], "CLK0": [2]}, {"P0": [12]}, parameters),
        ("LUT4", {"A": [12]}, {"Z": [13]}),
        ("TRELLIS_FF", {"CLK": [2], "DI": [13]}, {"Q": [14]}),
    ]
    assert depth(netlist(cells)).registers == expected


def test_block_ram_is_a_register():
    cells = [
        ff("0", 10),
        lut2(10, 10, 11),
        ("RAMB36E2", {"ADDRARDADDR": [11], "CLKARDCLK": [2]}, {"DOUTADOUT": [12]}),
        lut2(12, 12, 13),
        lut2(13, 13, 14),
        ff(14, 15),
    ]
    assert depth(netlist(cells)).registers == 2


def test_loops_are_refused():
    """The message names the bits of the loop, and no bit behind it."""
    loop = [lut2(10, 22, 21), lut2(21, 21, 22)]
    cells = [ff("0", 10), *loop, lut2(22, 22, 11), ff(11, 13)]
    message = r"^netlist must have no combinational loop, not \('n2[12]', 'n2[12]'\)$"
    with pytest.raises(ValueError, match=message):
        depth(netlist(cells))


@pytest.mark.parametrize("kind", ["LDCE", "FDRE_2", "SOMETHING"])
def test_unknown_cells_are_refused(kind):
    with pytest.raises(ValueError, match=f"^cell must be of a known type, not {kind}$"):
        depth(netlist([(kind, {"D": [3]}, {"Q": [4]})]))
