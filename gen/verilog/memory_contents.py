"""Removes initial contents of memories from RTLIL.

amaranth writes initial contents for every memory, zeros by default. Tools that read the RTLIL
differ in the contents that they accept, so each caller passes its own test. For instance UltraRAM
cannot have initial contents.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

_STYLE = re.compile(
    r'  attribute \\ram_style "(\w+)"\n(?:  attribute [^\n]*\n)*  memory [^\n]* (\S+)\n'
)
_CELL = re.compile(
    r'  cell \$meminit_v2 .*\n    parameter \\MEMID "\\(\S+)"\n(?:    .*\n)*?'
    r"    parameter \\WORDS (\d+)\n(?:    .*\n)*?    connect \\DATA (.*)\n(?:    .*\n)*?  end\n"
)
_ZEROS = re.compile(r"\d+'0+")


@dataclass(frozen=True, kw_only=True)
class Contents:
    """Initial contents of one memory.

    Attributes
    ----------
    style : str
        Kind of RAM that the memory requests by ``ram_style``; empty without a request.
    words : int
        Number of the memory's entries.
    zeros : bool
        True if every bit is 0.
    """

    style: str
    words: int
    zeros: bool


def without_contents(text: str, is_dropped: Callable[[Contents], bool]) -> str:
    """Returns RTLIL in which some memories have no initial contents.

    Parameters
    ----------
    text : str
    is_dropped : callable
        Returns true for the :class:`Contents` of a memory if they must be removed.
    """
    return "\nend\n".join(_module_without(module, is_dropped) for module in text.split("\nend\n"))


def _module_without(module, is_dropped):
    """Returns one module without the dropped contents.

    A memory's name is unique within its module only, so each module is treated by itself.
    """
    styles = {name: style for style, name in _STYLE.findall(module)}

    def cell(match):
        name, words, data = match.groups()
        zeros = _ZEROS.fullmatch(data) is not None
        contents = Contents(style=styles.get(name, ""), words=int(words), zeros=zeros)
        return "" if is_dropped(contents) else match[0]

    return _CELL.sub(cell, module)
