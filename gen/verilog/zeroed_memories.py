"""Adds zeros as the initial contents of block RAM to a Verilog text, for simulators.

Block RAM of an FPGA holds zeros when the device is configured, and designs rely on it: they read
words that were never written. In a simulator a memory without initial contents is undefined, so the
first read of such a word would spread ``x`` through the design.
"""

import re

from gen.verilog.free_name import free_name

#: Memories of at least so many words get a loop of zeros. ``shipped_verilog.py`` removes the zeros
#: of such memories before Yosys writes the text, because Yosys writes a line for each word. Smaller
#: memories keep their lines of zeros.
LOOPED_WORDS = 512

#: Macros that synthesis tools define; the second is that of Quartus.
_SYNTHESIS = ("SYNTHESIS", "ALTERA_RESERVED_QIS")

_MODULE = re.compile(r"^(?=module )", re.MULTILINE)
_MEMORY = re.compile(
    r"^(?P<attributes>(?: *\(\* [^\n]* \*\)\n)*)"
    r"(?P<indent> *)reg (?:\[\d+:0\] )?(?P<name>\w+) \[(?P<last>\d+):0\];\n",
    re.MULTILINE,
)
_CONTENTS = re.compile(r"^ +(\w+)\[\d+\] = ", re.MULTILINE)


def with_zeroed_memories(text: str) -> str:
    """Returns the text with a loop of zeros behind each memory without initial contents.

    Only memories of at least `LOOPED_WORDS` words get a loop. Synthesis tools skip the loop,
    because some of them limit the length of loops (5,000 in Quartus). UltraRAM gets none: designs
    do not rely on its contents, and in a simulator ``x`` shows a design that does.

    Parameters
    ----------
    text : str
        Verilog as Yosys writes it, without escaped names.
    """
    return "".join(map(_zeroed, _MODULE.split(text)))


def _zeroed(module):
    names, filled = set(re.findall(r"\w+", module)), set(_CONTENTS.findall(module))

    def with_loop(match):
        name, indent, words = match["name"], match["indent"], int(match["last"]) + 1
        if words < LOOPED_WORDS or name in filled or '"ultra"' in match["attributes"]:
            return match[0]
        word = free_name(f"{name}_word", names)
        names.add(word)
        lines = (
            *(f"`ifndef {macro}" for macro in _SYNTHESIS),
            f"{indent}integer {word};",
            f"{indent}initial for ({word} = 0; {word} < {words}; {word} = {word} + 1)",
            f"{indent}  {name}[{word}] = 0;",
            *("`endif" for _ in _SYNTHESIS),
        )
        return match[0] + "".join(f"{line}\n" for line in lines)

    return _MEMORY.sub(with_loop, module)
