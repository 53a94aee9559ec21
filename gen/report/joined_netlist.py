"""The netlists of blocks as the netlist of the whole, which is what depth and clock are of."""

import json


def join(top, netlists):
    """One Yosys JSON netlist, with all cells of all blocks in its module ``top``.

    Nothing is optimised: an input that is constant in the block above stays an input.

    Parameters
    ----------
    top : gen.report.blocks.Block
    netlists : mapping of str to str
        The mapped netlist of each distinct block by its digest, as JSON; its module is ``top``.

    Returns
    -------
    dict
        Of the structure of Yosys's JSON.
    """
    modules = {digest: json.loads(text)["modules"]["top"] for digest, text in netlists.items()}
    joined = _Joined(modules)
    joined.add(top, "", {})
    module = modules[top.digest]
    ports = {
        name: port | {"bits": [joined.bit(0, bit) for bit in port["bits"]]}
        for name, port in module["ports"].items()
    }
    attributes = module["attributes"]
    whole = {"attributes": attributes, "ports": ports, **joined.contents()}
    return {"creator": "joined of blocks", "modules": {"top": whole}}


class _Joined:
    """Cells and nets of blocks; each place of a block has bits of its own, some the same."""

    def __init__(self, modules):
        self._modules, self._places = modules, 0
        self._same, self._numbers = {}, {}
        self._cells, self._nets = {}, {}

    def add(self, block, path, outside):
        """A place of ``block``, of whose ports ``outside`` has the bits by name."""
        place, module = self._places, self._modules[block.digest]
        self._places += 1
        for name, bits in outside.items():
            port = module["ports"][name]["bits"]
            for outer, inner in zip(bits, port, strict=True):
                self._join(outer, self._node(place, inner))
        for name, cell in module["cells"].items():
            bits = {
                port: [self._node(place, bit) for bit in wired]
                for port, wired in cell["connections"].items()
            }
            if cell["type"] in block.below:
                self.add(block.below[cell["type"]], f"{path}{name}.", bits)
            else:
                self._cells[path + name] = cell | {"connections": bits}
        for name, net in module["netnames"].items():
            if not net.get("hide_name"):
                nodes = [self._node(place, bit) for bit in net["bits"]]
                self._nets[path + name] = net | {"bits": nodes}

    def contents(self):
        """Cells and nets, with numbers for the bits as they are after all has been joined."""
        cells = {
            name: cell
            | {
                "connections": {
                    port: [self._number(node) for node in nodes]
                    for port, nodes in cell["connections"].items()
                }
            }
            for name, cell in self._cells.items()
        }
        nets = {
            name: net | {"bits": [self._number(node) for node in net["bits"]]}
            for name, net in self._nets.items()
        }
        return {"cells": cells, "netnames": nets}

    def bit(self, place, bit):
        """What a bit of a block is in the whole: a number, or ``"0"``, ``"1"``, ``"x"``."""
        return self._number(self._node(place, bit))

    @staticmethod
    def _node(place, bit):
        return bit if isinstance(bit, str) else (place, bit)

    def _found(self, node):
        while (next_ := self._same.get(node, node)) != node:
            self._same[node] = self._same.get(next_, next_)
            node = next_
        return node

    def _join(self, a, b):
        a, b = self._found(a), self._found(b)
        if isinstance(a, str):
            a, b = b, a
        if a != b and not isinstance(a, str):
            self._same[a] = b

    def _number(self, node):
        found = self._found(node)
        if isinstance(found, str):
            return found
        return self._numbers.setdefault(found, len(self._numbers) + 2)
