"""Describes the paths through the cells of each FPGA family: LUTs lengthen, registers end them.

An *arc* is ``(input bit, output bit, weight)``: a combinational path through a cell. The weight is
the number of LUTs on the path: 1 through a LUT, and through a memory of LUTs that is read without a
clock; 0 through carry chains, the multiplexers that join LUTs, multipliers and clock buffers.

For instance ``LUT2`` with the bits 3 and 4 at its inputs and 5 at its output has the arcs
``(3, 5, 1)`` and ``(4, 5, 1)``; ``FDRE`` has no arc, but the start Q and the ends D, CE and R.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

#: Names of the clocks of registers and memories; applied to these cells only, since C is also an
#: input of a LUT.
CLOCKS = re.compile(r"C|CK|WCK|\w*CLK\w*")
#: The parameter of a Xilinx DSP that counts the registers at a port.
DSP_REGISTERS = {"A": "AREG", "B": "BREG", "C": "CREG", "D": "DREG"}


@dataclass
class Paths:
    """Contribution of one cell to the graph of paths.

    Attributes
    ----------
    starts : list
        Bits at which a path starts: outputs of a register or clocked memory.
    ends : list
        Bits at which a path ends: inputs of a register or clocked memory, except the clock.
    arcs : list of (input bit, output bit, weight)
    """

    starts: list = field(default_factory=list)
    ends: list = field(default_factory=list)
    arcs: list = field(default_factory=list)


def paths(
    kind: str,
    inputs: Mapping[str, list],
    outputs: Mapping[str, list],
    parameters: Mapping[str, str],
) -> Paths:
    """Returns the paths of a cell.

    Parameters
    ----------
    kind : str
        Type of the cell in the family's library.
    inputs, outputs : dict of str to list
        Bits of each port, constants (which are strings) among them.
    parameters : dict of str to str

    Raises
    ------
    ValueError
        For an unknown cell, for instance a latch: a path through the cell would be lost.
    """
    for pattern, rule in RULES:
        if re.fullmatch(pattern, kind):
            part = Paths()
            rule(part, inputs, outputs, parameters)
            return part
    raise ValueError(f"cell must be of a known type, not {kind}")


def _all(ports):
    return [bit for bits in ports.values() for bit in bits]


def _join(part, sources, targets, weight):
    part.arcs += [(source, target, weight) for source in sources for target in targets]


def _lut(part, inputs, outputs, parameters):
    _join(part, _all(inputs), _all(outputs), 1)


def _free(part, inputs, outputs, parameters):
    _join(part, _all(inputs), _all(outputs), 0)


def _register(part, inputs, outputs, parameters):
    part.starts += _all(outputs)
    part.ends += [b for name, bits in inputs.items() if not CLOCKS.fullmatch(name) for b in bits]


def _xilinx_carry(part, inputs, outputs, parameters):
    """Adds the arcs of a CARRY4 or CARRY8.

    Bit i of the sum O depends on the carry in, on S up to bit i, and on DI below bit i; bit i of
    the carry CO also depends on bit i of DI.
    """
    carry_in = [bit for name in ("CI", "CYINIT", "CI_TOP") for bit in inputs.get(name, [])]
    s, di = inputs["S"], inputs["DI"]
    for i, (sum_, carry) in enumerate(zip(outputs["O"], outputs["CO"], strict=True)):
        _join(part, [*carry_in, *s[: i + 1], *di[:i]], [sum_], 0)
        _join(part, [*carry_in, *s[: i + 1], *di[: i + 1]], [carry], 0)


def _arith(carry_in):
    """Returns the rule of a LUT with a carry: weight 1 through the LUT, 0 along the carry."""

    def rule(part, inputs, outputs, parameters):
        for name, bits in inputs.items():
            _join(part, bits, _all(outputs), 0 if name == carry_in else 1)

    return rule


def _ccu2c(part, inputs, outputs, parameters):
    """Adds the arcs of two LUTs with a carry: the second LUT does not reach the first sum, S0."""
    first = [bit for name in ("A0", "B0", "C0", "D0") for bit in inputs.get(name, [])]
    second = [bit for name in ("A1", "B1", "C1", "D1") for bit in inputs.get(name, [])]
    low, high = outputs.get("S0", []), [*outputs.get("S1", []), *outputs.get("COUT", [])]
    _join(part, inputs.get("CIN", []), low + high, 0)
    _join(part, first, low + high, 1)
    _join(part, second, high, 1)


def _lut_memory(*reads):
    """Returns the rule of a memory of LUTs, or shift register, that is read without a clock.

    ``reads`` has pairs of patterns: of address ports, and of the data ports that they address.
    ``{0}`` in the pattern of an address stands for the letter that the pattern of the data port
    captures: ``ADDRA`` is the address of ``DOA``. Each input, the address too, also ends a path.
    """

    def rule(part, inputs, outputs, parameters):
        _register(part, inputs, outputs, parameters)
        for address, data in reads:
            for name, bits in outputs.items():
                matched = re.fullmatch(data, name)
                if matched:
                    address_ports = re.compile(address.format(*matched.groups()))
                    sources = [
                        b for n, bs in inputs.items() if address_ports.fullmatch(n) for b in bs
                    ]
                    _join(part, sources, bits, 1)

    return rule


def _xilinx_dsp(part, inputs, outputs, parameters):
    """Adds the paths of a DSP48: a port before a register ends paths, another port has arcs.

    For instance with MREG alone, the register of the product, A, B and D end paths, and C, which is
    added to the product, has arcs to the outputs. A missing parameter is 1, as in the library.
    """

    def registers(name):
        return int(str(parameters.get(name, "1")), 2)

    any_register = registers("PREG") or registers("MREG")
    for name, bits in inputs.items():
        if name == "CLK":
            continue
        if name.startswith(("CE", "RST")):  # of a register inside
            part.ends += bits
            continue
        register_count = registers(DSP_REGISTERS[name]) if name in DSP_REGISTERS else 0
        ends_here = register_count or registers("PREG") or (registers("MREG") and name in "ABD")
        any_register = any_register or register_count
        if ends_here:
            part.ends += bits
        else:
            _join(part, bits, _all(outputs), 0)
    if any_register:
        part.starts += _all(outputs)


def _ecp5_multiplier(part, inputs, outputs, parameters):
    """Adds the paths of a multiplier: with a register anywhere inside it counts as a register."""
    clocks = [value for name, value in parameters.items() if re.fullmatch(r"REG_\w+_CLK", name)]
    if any(clock != "NONE" for clock in clocks):
        _register(part, inputs, outputs, parameters)
    else:
        _free(part, inputs, outputs, parameters)


#: Pairs of a pattern of cell types, and the rule that adds the paths of such a cell. The first
#: pattern that matches the whole type counts.
RULES = (
    # Xilinx, and LUT4 of ECP5
    (r"LUT[1-6]|INV", _lut),
    (r"MUXF[789]|BUFG", _free),
    (r"CARRY[48]", _xilinx_carry),
    (r"FD[RSCP]E(_1)?", _register),
    (r"RAMB(18|36)E[12]|URAM288(_BASE)?", _register),
    (r"DSP48E[12]", _xilinx_dsp),
    (r"RAM(32|64)M(8|16)?", _lut_memory((r"ADDR{0}", r"DO([A-H])"))),
    (r"RAM\d+X\d+[SD]", _lut_memory((r"A\d*", r"SPO|O\d*"), (r"DPRA\d*", r"DPO"))),
    (r"SRL16E|SRLC16E|SRLC32E", _lut_memory((r"A\d*", r"Q"))),
    # Cyclone V
    (r"MISTRAL_(ALUT[2-6]|NOT)", _lut),
    (r"MISTRAL_ALUT_ARITH", _arith("CI")),
    (r"MISTRAL_(FF|M10K)", _register),
    (r"MISTRAL_MLAB", _lut_memory((r"B1ADDR", r"B1DATA"))),
    (r"MISTRAL_MUL\d+X\d+", _free),
    # ECP5
    (r"PFUMX|L6MUX21", _free),
    (r"CCU2C", _ccu2c),
    (r"TRELLIS_FF|DP16KD|PDPW16KD", _register),
    (r"TRELLIS_DPR16X4", _lut_memory((r"RAD", r"DO"))),
    (r"MULT18X18D|ALU54B", _ecp5_multiplier),
)
