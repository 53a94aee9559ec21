"""Lists the allowed warnings of Verilator about generated Verilog, each with its reason."""

_HEAD = """\
// SPDX-License-Identifier: BSD-2-Clause
// Warnings of `verilator --lint-only -Wall` that are no faults of {top}, and why.
`verilator_config
"""

#: Allowed warnings: the rule, the text that a warning must match (None allows all warnings of the
#: rule), and the reason.
WAIVED = (
    ("DECLFILENAME", None, "One file holds all modules of the design."),
    (
        "PROCASSINIT",
        None,
        "Registers have the value of their reset from power-on, because the bitstream of an FPGA "
        "loads it.",
    ),
    (
        "INITIALDLY",
        None,
        "`never` is set a moment after time 0 so that in every simulator each block runs once at "
        "the start; nothing reads it.",
    ),
    (
        "CASEINCOMPLETE",
        None,
        "Each block assigns a value to its register before the case, so a choice that is missing "
        "makes no latch.",
    ),
    (
        "VARHIDDEN",
        "Declaration of signal hides declaration in upper scope: *",
        "A register may have the name of the instance that contains it.",
    ),
    (
        "WIDTHEXPAND",
        "Operator * bits on the ?HS, but *",
        "Operands are as wide as their values, and Verilog extends the narrower one: by its sign "
        "if both are $signed, else by zeros. Assignments and ports are still checked.",
    ),
    (
        "WIDTHTRUNC",
        "Logical operator *",
        "`! x` tests whether the number x is 0, and needs all bits of x.",
    ),
    (
        "UNSIGNED",
        "Comparison is constant due to unsigned arithmetic*",
        "Settings are compared with the least number that is allowed, which may be 0.",
    ),
    (
        "UNUSEDSIGNAL",
        "Bits of signal are not used: *",
        "Modules pass complete structures to each other, and sums have a carry, although not every "
        "module uses all bits; synthesis removes the unused ones.",
    ),
    (
        "UNUSEDSIGNAL",
        "Signal is not used: 'rst'",
        "Every module has the reset of its clock domain, also a module without registers.",
    ),
    (
        "UNUSEDSIGNAL",
        "Signal is not used: 'soft_reset'",
        "Every module has the reset that a host requests, also a module without registers.",
    ),
    (
        "UNUSEDSIGNAL",
        "Signal is not used: 'bus__a?prot'",
        "AXI4-Lite has the rights of the master that asks; the registers answer every master.",
    ),
    (
        "UNUSEDSIGNAL",
        "Signal is not used: 'write_*'",
        "These ports pass the signals of the bus directly to their user, and not through the "
        "module that has the ports.",
    ),
    (
        "UNUSEDSIGNAL",
        "Signal is not used: 'read_address'",
        "The address of a read passes directly from the bus to its user, and not through the "
        "module that has this port.",
    ),
    (
        "UNUSEDSIGNAL",
        "Signal is not used: 'port_*'",
        "An address of words passes directly from the bus to its user, and not through the module "
        "that has this port.",
    ),
    (
        "UNUSEDSIGNAL",
        "Signal is not used: 's*_startofpacket'",
        "The engine begins a packet after the end of the previous packet, and needs no mark of "
        "its start.",
    ),
    (
        "UNUSEDSIGNAL",
        "Signal is not used: '*_written'",
        "Only settings that have an invalid number use this signal.",
    ),
    (
        "UNUSEDSIGNAL",
        "Signal is not used: 'read'",
        "Lines that a port reads are counted for M3, and not for copies of blocks in M2.",
    ),
    (
        "UNUSEDSIGNAL",
        "Signal is not used: '?__*'",
        "A port of a stream has payload, valid and ready, also in a module that reads only one of "
        "them.",
    ),
    (
        "UNUSEDSIGNAL",
        "Signal is not used: 'started__valid'",
        "The data with which a pass begins are offered before the pass arrives, so its arrival "
        "says that they are valid.",
    ),
    (
        "UNUSEDSIGNAL",
        "Signal is not used: 'swallowed'",
        "Only an engine that makes punctuations itself uses this signal; here the stream has them.",
    ),
    (
        "UNUSEDSIGNAL",
        "Signal is not used: 'm_axi__?id*'",
        "All bursts have the same id, and a memory answers bursts of one id in their order.",
    ),
    (
        "UNUSEDSIGNAL",
        "Signal is not used: 'collected__*'",
        "With memory levels on the chip, windows take all lines in the order of the memory.",
    ),
    (
        "UNUSEDSIGNAL",
        "Signal is not used: 'lines__ready'",
        "With memory levels on the chip, windows take all lines in the order of the memory.",
    ),
    (
        "WIDTHTRUNC",
        "*expects * bits on the Assign RHS, but Assign RHS's SHIFTR generates*",
        "An entry of a table of constants, or an element of an array, is read by a shift to the "
        "lowest bits; the bits above it are cut off.",
    ),
    (
        "UNUSEDSIGNAL",
        "Signal is not used: 'enable'",
        "A module without registers needs no enable.",
    ),
    (
        "UNUSEDSIGNAL",
        "Signal is not used: 'hit'",
        "Without a cache no module needs to know whether a window is in the cache.",
    ),
    (
        "UNUSEDSIGNAL",
        "Signal is not used: 'commands__*'",
        "A module that passes lines on has the complete stream of commands as a port.",
    ),
    (
        "UNUSEDSIGNAL",
        "Signal is not used: 'bases'",
        "Without memory off the chip there are no addresses, but the port stays.",
    ),
    (
        "UNUSEDSIGNAL",
        "Signal is not used: 'axi__aw*'",
        "A memory on the chip takes one word after the other, and needs no length of a burst.",
    ),
    (
        "UNUSEDSIGNAL",
        "Signal is not used: 'release_*'",
        "Without packets no row is held back, so no row is released.",
    ),
    (
        "UNUSEDSIGNAL",
        "Signal is not used: '_*_'",
        "Yosys makes this signal when it splits an expression, and nothing reads its result.",
    ),
    (
        "CMPCONST",
        "Comparison is constant due to limited range*",
        "A limit may be the greatest number that the signal can hold, for instance 63 with 6 bits.",
    ),
    (
        "SYMRSVDWORD",
        "Symbol matches C++ common word: 'interrupt'",
        "The port of the interrupt has the name that tools expect; Verilator renames it in C++.",
    ),
)


def waiver(top: str) -> str:
    """Returns the text of ``<top>.vlt``, which Verilator reads before ``<top>.v``."""
    entries = (
        f'\n// {reason}\nlint_off -rule {rule} -file "*{top}.v"' + _match(text) + "\n"
        for rule, text, reason in WAIVED
    )
    return _HEAD.format(top=top) + "".join(entries)


def _match(text):
    return "" if text is None else f' -match "{text}"'
