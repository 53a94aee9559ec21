"""Verilog without the wires that nothing reads.

amaranth gives every field of every structure a wire of its own, most of which only name a part of
another wire; those without any width it writes as ``wire [-1:0]``, which is a range of two bits.
Yosys leaves all of them, as it cleans no module in which there are blocks.
"""

import re
from collections import Counter, defaultdict

_MODULE = re.compile(r"^(?=module )", re.MULTILINE)
_DECLARED = re.compile(r"  wire (?:signed )?(?:\[[-0-9:]+\] )?(\w+);")
_ASSIGNED = re.compile(r"  assign (\w+)(?:\[[0-9:]+\])? = (.*);")
_ATTRIBUTE = re.compile(r"  \(\*.*\*\)")
#: A number, a text, an instance's port, or a name of the module itself; only the last is kept.
_NAME = re.compile(r"\d+'s?[bdho][0-9a-fA-FxXzZ?_]+|\"[^\"]*\"|\.\w+|([A-Za-z_][\w$]*)")


def without_unused(text):
    """The text without wires that are only assigned, and without what assigns them.

    A wire that is read by nothing but such wires is one of them, too. Ports stay, and so does
    every register and every instance: what is left computes the same.

    Parameters
    ----------
    text : str
        Verilog as Yosys writes it: a declaration or assignment a line, no escaped names.
    """
    return "".join(map(_cleaned, _MODULE.split(text)))


def _cleaned(module):
    lines = module.split("\n")
    declared, assigned, reads = {}, defaultdict(list), Counter()
    for place, line in enumerate(lines):
        if found := _DECLARED.fullmatch(line):
            declared[found[1]] = place
        elif found := _ASSIGNED.fullmatch(line):
            assigned[found[1]].append(place)
            reads.update(_names(found[2]))
        else:  # a port is named here also by its direction, and so it is always read
            reads.update(_names(line))
    unread = [name for name in declared if not reads[name]]
    gone = set()
    while unread:
        name = unread.pop()
        gone.update(_with_attributes(lines, declared[name]), assigned[name])
        for place in assigned[name]:
            for source in _names(_ASSIGNED.fullmatch(lines[place])[2]):
                reads[source] -= 1
                if not reads[source] and source in declared:
                    unread.append(source)
    return "\n".join(line for place, line in enumerate(lines) if place not in gone)


def _names(text):
    return [name for name in _NAME.findall(text) if name]


def _with_attributes(lines, place):
    """The place of a declaration, and those of the attributes before it."""
    first = place
    while _ATTRIBUTE.fullmatch(lines[first - 1]):
        first -= 1
    return range(first, place + 1)
