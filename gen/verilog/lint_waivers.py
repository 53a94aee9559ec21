"""Lists the allowed warnings of Verilator about generated Verilog, each with its reason."""

_HEAD = """\
// SPDX-License-Identifier: BSD-2-Clause
// Warnings of `verilator --lint-only -Wall` that are no faults of {top}, and why.
`verilator_config
"""

#: The rule, the text that a warning must match, or None for all of the rule, and the reason.
WAIVED = (
    ("DECLFILENAME", None, "One file holds all modules of the design."),
    (
        "PROCASSINIT",
        None,
        "Registers have the value of their reset from power-on, as FPGAs load it.",
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
        "Each block gives its register a value before the case: no latch, and no choice is left "
        "open.",
    ),
    (
        "VARHIDDEN",
        "Declaration of signal hides declaration in upper scope: *",
        "A register may bear the name of the instance that it is in.",
    ),
    (
        "WIDTHEXPAND",
        "Operator * bits on the ?HS, but *",
        "Operands are as wide as their values, and Verilog extends the narrower: by its sign when "
        "both are $signed, else by zeros. Assignments and ports must match to the bit.",
    ),
    (
        "WIDTHTRUNC",
        "Logical operator *",
        "`! x` of a number asks whether it is 0, and needs all of its bits.",
    ),
    (
        "UNSIGNED",
        "Comparison is constant due to unsigned arithmetic*",
        "Registers are checked against the least number allowed, and that may be 0.",
    ),
    (
        "UNUSEDSIGNAL",
        "Bits of signal are not used: *",
        "Structures pass from module to module whole, and sums have their carry, though not all is "
        "used everywhere; synthesis removes it.",
    ),
    (
        "UNUSEDSIGNAL",
        "Signal is not used: 'rst'",
        "Every module has its domain's reset, also where nothing needs one.",
    ),
    (
        "UNUSEDSIGNAL",
        "Signal is not used: 'soft_reset'",
        "The same for the reset that a host asks for.",
    ),
    (
        "UNUSEDSIGNAL",
        "Signal is not used: 'bus__a?prot'",
        "AXI4-Lite says who asks; the registers answer to all.",
    ),
    (
        "UNUSEDSIGNAL",
        "Signal is not used: 'write_*'",
        "What comes in on the bus goes round the slave that gives it its name.",
    ),
    ("UNUSEDSIGNAL", "Signal is not used: 'read_address'", "As above."),
    ("UNUSEDSIGNAL", "Signal is not used: 'port_*'", "As above, for an address of words."),
    (
        "UNUSEDSIGNAL",
        "Signal is not used: 's*_startofpacket'",
        "A packet begins behind the end of the one before.",
    ),
    (
        "UNUSEDSIGNAL",
        "Signal is not used: '*_written'",
        "Not every setting has a number that is refused.",
    ),
    (
        "UNUSEDSIGNAL",
        "Signal is not used: '?__*'",
        "Streams come whole, with payload, valid and ready, also to a part that needs but one.",
    ),
    (
        "UNUSEDSIGNAL",
        "Signal is not used: 'swallowed'",
        "Punctuations that come in the stream do not begin again with it.",
    ),
    (
        "UNUSEDSIGNAL",
        "Signal is not used: 'm_axi__?id*'",
        "A memory answers bursts of one id in their order, so answers need none.",
    ),
    (
        "UNUSEDSIGNAL",
        "Signal is not used: 'collected__*'",
        "With levels on the chip windows take all lines as the memory gives them.",
    ),
    ("UNUSEDSIGNAL", "Signal is not used: 'lines__ready'", "As above."),
    (
        "WIDTHTRUNC",
        "*expects * bits on the Assign RHS, but Assign RHS's SHIFTR generates*",
        "An entry of a table of constants, or an element of an array, is read by shifting it down; "
        "the others are cut off.",
    ),
    (
        "UNUSEDSIGNAL",
        "Signal is not used: 'enable'",
        "A part without registers does not wait.",
    ),
    (
        "UNUSEDSIGNAL",
        "Signal is not used: 'hit'",
        "Without a cache no part asks whether a window is in the cache.",
    ),
    (
        "UNUSEDSIGNAL",
        "Signal is not used: 'commands__*'",
        "A part that passes lines on has the whole stream of commands as a port.",
    ),
    (
        "UNUSEDSIGNAL",
        "Signal is not used: 'bases'",
        "Without outer memory no address is added to, but the port stays.",
    ),
    (
        "UNUSEDSIGNAL",
        "Signal is not used: 'axi__aw*'",
        "A memory on the chip takes one word after the other and needs no lengths of bursts.",
    ),
    (
        "UNUSEDSIGNAL",
        "Signal is not used: 'release_*'",
        "Without packets no row is held back, so none is released.",
    ),
    (
        "UNUSEDSIGNAL",
        "Signal is not used: '_*_'",
        "Yosys makes this signal when it splits an expression, and nothing reads its result.",
    ),
    (
        "CMPCONST",
        "Comparison is constant due to limited range*",
        "A limit may be the greatest number that the signal can hold, for instance 63 of 6 bits.",
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
