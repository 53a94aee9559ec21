"""What memories begin with: RTLIL has a cell for each, and a text may be had without some.

amaranth gives contents to every memory, zeros where none were asked for. Which of them are left out
is a question of where the text goes, so each place that asks has its own answer.
"""

import re
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
    """Those of one memory.

    Attributes
    ----------
    style : str
        The RAM that the memory asks for, its ``ram_style``; empty when it does not.
    words : int
        Entries of the memory.
    zeros : bool
        Every bit is 0.
    """

    style: str
    words: int
    zeros: bool


def without_contents(text, which):
    """RTLIL in which some memories begin with anything in them.

    Parameters
    ----------
    text : str
    which : callable
        From the :class:`Contents` of a memory to whether they are left out.
    """
    return "\nend\n".join(_left(module, which) for module in text.split("\nend\n"))


def _left(module, which):
    """The text of one module; no two memories there have the same name."""
    styles = {name: style for style, name in _STYLE.findall(module)}

    def cell(found):
        name, words, data = found.groups()
        zeros = _ZEROS.fullmatch(data) is not None
        contents = Contents(style=styles.get(name, ""), words=int(words), zeros=zeros)
        return "" if which(contents) else found[0]

    return _CELL.sub(cell, module)
