"""Cuts a large design into blocks that are synthesised one by one, each only once.

Beyond ten thousand LUTs Yosys takes minutes for each further thousand. So the hierarchy is cut: a
module whose text, with all modules below it, is longer than :data:`PART` is a block of its own.
Shorter modules below a block belong to the block. For instance with lengths in thousands of
characters, each with all modules below::

    top 900 -- table 90                     blocks: top with queue, table, memory, port
            -- queue 10                     memory has port twice: both have the
            -- memory 300 -- port 140       same text, so they are one block
                          -- port 140

In the text of a block, each block below is a black box: a module with ports and nothing else.
Blocks of the same text are one block.
"""

import re
from collections import Counter
from dataclasses import dataclass, field

from caching.entries import content_key

#: Length of RTLIL, in characters, above which a module is a block of its own.
PART = 60_000

_MODULE = re.compile(r"(?:^attribute [^\n]*\n)*^module \\(\S+)\n.*?^end\n", re.M | re.S)
_CELL = re.compile(r"^  cell \\(\S+) \\(\S+)$", re.M)
_CELL_BODY = re.compile(r"^  cell \\(\S+) \\\S+\n.*?^  end\n", re.M | re.S)
#: Name that amaranth gives a port whose signal has its name in another module. The name has a
#: number that is unique in the design, so equal modules have different texts.
_NUMBERED = re.compile(r"\\port\$\d+\$\d+(?=\s)")
_WIRED = re.compile(r"^(    connect )(\\\S+)", re.M)
_PORT = re.compile(r"^  wire (?:width \d+ )?(?:input|output) \d+ [^\n]*\n", re.M)


@dataclass(frozen=True)
class Block:
    """A part of a design that is synthesised by itself.

    Attributes
    ----------
    text : str
        RTLIL in which the block is ``top``, and the blocks below are black boxes.
    below : dict of str to Block
        Blocks below, by the names of their black boxes in ``text``.
    """

    text: str = field(repr=False)
    below: dict

    @property
    def digest(self) -> str:
        """Hash of the text: equal blocks have equal digests."""
        return content_key(self.text)

    def all(self) -> tuple[dict[str, "Block"], Counter]:
        """Returns two mappings by digest: distinct blocks, this block last, and instance counts.

        Includes all blocks below this block, at any depth.
        """
        distinct: dict[str, Block] = {}
        times: Counter = Counter()
        self._count(distinct, times)
        return distinct, times

    def _count(self, distinct, times):
        for block in self.below.values():
            block._count(distinct, times)
        distinct.setdefault(self.digest, self)
        times[self.digest] += 1


def blocks_of(text: str) -> Block:
    """Returns the top block of a design.

    Parameters
    ----------
    text : str
        RTLIL as amaranth writes it: the name of a module is its path, beginning with ``top``.
    """
    modules = _with_own_numbers({match[1]: match[0] for match in _MODULE.finditer(text)})
    children = {
        name: [kind for kind, _ in _CELL.findall(module) if kind in modules]
        for name, module in modules.items()
    }
    length = {}

    def measure(name):
        length[name] = len(modules[name]) + sum(measure(child) for child in children[name])
        return length[name]

    def cut(root):
        modules_inside, below, to_visit = [], {}, [root]
        while to_visit:
            name = to_visit.pop()
            modules_inside.append(modules[name])
            for child in children[name]:
                if length[child] > PART:
                    below[child] = cut(child)
                    modules_inside.append(_ports_alone(modules[child], child))
                else:
                    to_visit.append(child)
        renamed = re.compile(rf"\\{re.escape(root)}(?=[.\s])")
        return Block(
            text=renamed.sub(lambda _: r"\top", "".join(modules_inside)),
            below={f"top{name[len(root) :]}": block for name, block in below.items()},
        )

    measure("top")
    return cut("top")


def _with_own_numbers(modules):
    """Returns the modules with ports numbered from 0 in each module, so that equal modules match.

    The cells of other modules connect to the ports under their new names.
    """
    numbers = {
        name: {port: f"\\numbered${k}" for k, port in enumerate(_distinct(_NUMBERED, module))}
        for name, module in modules.items()
    }

    def renamed(name, module):
        def place(match):
            own_numbers = numbers.get(match[1], {})
            return _WIRED.sub(lambda port: port[1] + own_numbers.get(port[2], port[2]), match[0])

        module = _CELL_BODY.sub(place, module)
        return _NUMBERED.sub(lambda port: numbers[name][port[0]], module)

    return {name: renamed(name, module) for name, module in modules.items()}


def _distinct(pattern, text):
    """Returns the distinct matches of a pattern in a text, in order."""
    return tuple(dict.fromkeys(pattern.findall(text)))


def _ports_alone(module, name):
    """Returns the black box of a module, which has only the ports."""
    return f"attribute \\blackbox 1\nmodule \\{name}\n{''.join(_PORT.findall(module))}end\n"
