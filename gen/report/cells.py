"""Describes the paths through the cells of each FPGA family: LUTs lengthen, registers end them.

An *arc* is ``(input bit, output bit, weight)``: a combinational path through a cell. The weight is
1 through a LUT, and through a memory of LUTs that is read without a clock. The weight is 0 through
carry chains, the multiplexers that join LUTs, and multipliers.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

CLOCKS = re.compile(r"C|CK|WCK|\w*CLK\w*")  # clocks of registers and memories, not C of a LUT
DSP_REGISTERS = {"A": "AREG", "B": "BREG", "C": "CREG", "D": "DREG"}


@dataclass
class Paths:
    """Contribution of one cell to the graph of paths.

    Attributes
    ----------
    starts : list
        Bits at which a path starts: outputs of a register.
    ends : list
        Bits at which a path ends: inputs of a register, except the clock.
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
        For an unknown cell, since a path through the cell would be lost. Latches are unknown.
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
    """Adds arcs: sum i depends on the carry in, S up to i and DI below i; carry i also on DI i."""
    enter = [bit for name in ("CI", "CYINIT", "CI_TOP") for bit in inputs.get(name, [])]
    s, di = inputs["S"], inputs["DI"]
    for i, (sum_, carry) in enumerate(zip(outputs["O"], outputs["CO"], strict=True)):
        _join(part, [*enter, *s[: i + 1], *di[:i]], [sum_], 0)
        _join(part, [*enter, *s[: i + 1], *di[: i + 1]], [carry], 0)


def _arith(carry_in):
    """Returns the rule of a LUT with a carry: weight 1 through the LUT, 0 along the carry."""

    def rule(part, inputs, outputs, parameters):
        for name, bits in inputs.items():
            _join(part, bits, _all(outputs), 0 if name == carry_in else 1)

    return rule


def _ccu2c(part, inputs, outputs, parameters):
    first = [bit for name in ("A0", "B0", "C0", "D0") for bit in inputs.get(name, [])]
    second = [bit for name in ("A1", "B1", "C1", "D1") for bit in inputs.get(name, [])]
    low, high = outputs.get("S0", []), [*outputs.get("S1", []), *outputs.get("COUT", [])]
    _join(part, inputs.get("CIN", []), low + high, 0)
    _join(part, first, low + high, 1)
    _join(part, second, high, 1)


def _lut_memory(*reads):
    """Returns the rule of a memory of LUTs that is written by a clock and read without one.

    ``reads`` has pairs of patterns: of address ports, and of the data ports that they address.
    ``{0}`` in the pattern of an address stands for the letter that the pattern of the data port
    captures: ``ADDRA`` is the address of ``DOA``.
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
    def registers(name):
        return int(str(parameters.get(name, "1")), 2)

    inner = registers("PREG") or registers("MREG")
    any_register = inner
    for name, bits in inputs.items():
        if name == "CLK":
            continue
        register_count = registers(DSP_REGISTERS[name]) if name in DSP_REGISTERS else 0
        stopped = register_count or registers("PREG") or (registers("MREG") and name in "ABD")
        any_register = any_register or register_count
        if stopped:
            part.ends += bits
        else:
            _join(part, bits, _all(outputs), 0)
    if any_register:
        part.starts += _all(outputs)


def _ecp5_multiplier(part, inputs, outputs, parameters):
    if any(name.startswith("REG_") and value != "NONE" for name, value in parameters.items()):
        _register(part, inputs, outputs, parameters)
    else:
        _free(part, inputs, outputs, parameters)


RULES = (
    # Xilinx
    (r"LUT[1-6]|INV", _lut),
    (r"MUXF[789]|BUFG", _free),
    (r"CARRY[48]", _xilinx_carry),
    (r"FD[RSCP]E(_1)?", _register),
    (r"(RAMB(18|36)E[12]|URAM288(_BASE)?)", _register),
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
    (r"LUT4", _lut),
    (r"PFUMX|L6MUX21", _free),
    (r"CCU2C", _ccu2c),
    (r"TRELLIS_FF|DP16KD|PDPW16KD", _register),
    (r"TRELLIS_DPR16X4", _lut_memory((r"RAD", r"DO"))),
    (r"MULT18X18D|ALU54B", _ecp5_multiplier),
)
