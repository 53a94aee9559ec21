"""A large design as blocks that are synthesised one by one, and each only once.

Yosys takes minutes for a thousand LUTs more when it has ten thousand already. So the hierarchy is
cut: a module whose text, with all below it, is longer than :data:`PART` is a block of its own, and
what is below such a block stays with it. For instance with lengths in thousands::

    top 900 -- table 90                     blocks: top with queue, table, memory, port
            -- queue 10                     memory is cut where it has port twice:
            -- memory 300 -- port 140       both are the same text, so one block
                          -- port 140

Each block knows the blocks below it by their ports alone. Two of the same text are one block.
"""

import re
from collections import Counter
from dataclasses import dataclass, field

from caching.entries import content_key

#: Characters of RTLIL from which on a module is a block of its own.
PART = 60_000

_MODULE = re.compile(r"(?:^attribute [^\n]*\n)*^module \\(\S+)\n.*?^end\n", re.M | re.S)
_CELL = re.compile(r"^  cell \\(\S+) \\(\S+)$", re.M)
_PLACE = re.compile(r"^  cell \\(\S+) \\\S+\n.*?^  end\n", re.M | re.S)
#: What amaranth calls a port whose signal has its name elsewhere: the number is the design's.
_NUMBERED = re.compile(r"\\port\$\d+\$\d+(?=\s)")
_WIRED = re.compile(r"^(    connect )(\\\S+)", re.M)
_PORT = re.compile(r"^  wire (?:width \d+ )?(?:input|output) \d+ [^\n]*\n", re.M)


@dataclass(frozen=True)
class Block:
    """A part of a design.

    Attributes
    ----------
    text : str
        RTLIL in which the block is ``top``, and the blocks below it have no more than ports.
    below : dict of str to Block
        By the cell type that stands for each in ``text``.
    """

    text: str = field(repr=False)
    below: dict

    @property
    def digest(self):
        return content_key(self.text)

    def all(self):
        """Each distinct block from here on down by its digest, this one last, and how often."""
        found, times = {}, Counter()
        self._count(found, times)
        return found, times

    def _count(self, found, times):
        for block in self.below.values():
            block._count(found, times)
        found.setdefault(self.digest, self)
        times[self.digest] += 1


def blocks_of(text):
    """The top block of a design.

    Parameters
    ----------
    text : str
        RTLIL as amaranth writes it: modules are called by their path, from ``top`` on.
    """
    modules = _with_own_numbers({found[1]: found[0] for found in _MODULE.finditer(text)})
    children = {
        name: [kind for kind, _ in _CELL.findall(module) if kind in modules]
        for name, module in modules.items()
    }
    length = {}

    def measure(name):
        length[name] = len(modules[name]) + sum(measure(child) for child in children[name])
        return length[name]

    def cut(root):
        inside, below, waiting = [], {}, [root]
        while waiting:
            name = waiting.pop()
            inside.append(modules[name])
            for child in children[name]:
                if length[child] > PART:
                    below[child] = cut(child)
                    inside.append(_ports_alone(modules[child], child))
                else:
                    waiting.append(child)
        renamed = re.compile(rf"\\{re.escape(root)}(?=[.\s])")
        return Block(
            text=renamed.sub(lambda _: r"\top", "".join(inside)),
            below={f"top{name[len(root) :]}": block for name, block in below.items()},
        )

    measure("top")
    return cut("top")


def _with_own_numbers(modules):
    """The modules with ports that are numbered in each by itself, so that equal ones look so."""
    numbers = {
        name: {port: f"\\numbered${k}" for k, port in enumerate(_found(_NUMBERED, module))}
        for name, module in modules.items()
    }

    def renamed(name, module):
        def place(found):
            known = numbers.get(found[1], {})
            return _WIRED.sub(lambda port: port[1] + known.get(port[2], port[2]), found[0])

        module = _PLACE.sub(place, module)
        return _NUMBERED.sub(lambda port: numbers[name][port[0]], module)

    return {name: renamed(name, module) for name, module in modules.items()}


def _found(pattern, text):
    """What of a text fits, each once, in order."""
    return tuple(dict.fromkeys(pattern.findall(text)))


def _ports_alone(module, name):
    return f"attribute \\blackbox 1\nmodule \\{name}\n{''.join(_PORT.findall(module))}end\n"
