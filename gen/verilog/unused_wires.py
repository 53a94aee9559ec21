"""Removes the wires of a Verilog text that nothing reads.

Amaranth gives every field of every structure a wire of its own, and most of these wires only name a
part of another wire. A field of width 0 becomes ``wire [-1:0]``, which is a range of two bits.
Yosys keeps all of these wires, because it cleans no module with ``always`` blocks.
"""

import re
from collections import Counter, defaultdict

_MODULE = re.compile(r"^(?=module )", re.MULTILINE)
_DECLARED = re.compile(r"  wire (?:signed )?(?:\[[-0-9:]+\] )?(\w+);")
_ASSIGNED = re.compile(r"  assign (\w+)(?:\[[0-9:]+\])? = (.*);")
_ATTRIBUTE = re.compile(r"  \(\*.*\*\)")
#: A number, a text, an instance's port, or the name of a signal, which is the only group.
_NAME = re.compile(r"\d+'s?[bdho][0-9a-fA-FxXzZ?_]+|\"[^\"]*\"|\.\w+|([A-Za-z_][\w$]*)")


def without_unused(text: str) -> str:
    """Returns the text without unused wires and their assignments.

    A wire is unused if nothing reads it, or only unused wires read it. Ports, registers and
    instances stay, so the module computes the same values.

    Parameters
    ----------
    text : str
        Verilog as Yosys writes it: one declaration or assignment in each line, no escaped names.
    """
    return "".join(map(_cleaned, _MODULE.split(text)))


def _cleaned(module):
    lines = module.split("\n")
    declared, assigned, reads = {}, defaultdict(list), Counter()
    for place, line in enumerate(lines):
        if match := _DECLARED.fullmatch(line):
            declared[match[1]] = place
        elif match := _ASSIGNED.fullmatch(line):
            assigned[match[1]].append(place)
            reads.update(_names(match[2]))
        else:  # the declaration of a port's direction is such a line, so every port counts as read
            reads.update(_names(line))
    unread = [name for name in declared if not reads[name]]
    removed = set()
    while unread:
        name = unread.pop()
        removed.update(_with_attributes(lines, declared[name]), assigned[name])
        for place in assigned[name]:
            for source in _names(_ASSIGNED.fullmatch(lines[place])[2]):
                reads[source] -= 1
                if not reads[source] and source in declared:
                    unread.append(source)
    return "\n".join(line for place, line in enumerate(lines) if place not in removed)


def _names(text):
    return [name for name in _NAME.findall(text) if name]


def _with_attributes(lines, place):
    """Returns the line numbers of a declaration and of the attributes before it."""
    first = place
    while _ATTRIBUTE.fullmatch(lines[first - 1]):
        first -= 1
    return range(first, place + 1)
