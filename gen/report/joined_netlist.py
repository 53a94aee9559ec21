"""Joins the netlists of blocks to the netlist of a design, for its depth and clock."""

import json
from collections.abc import Mapping

from gen.report.blocks import Block


def join(top: Block, netlists: Mapping[str, str]) -> dict:
    """Returns one Yosys JSON netlist with all cells of all blocks in its module ``top``.

    No logic is optimised: an input with a constant in the block above stays an input.

    Parameters
    ----------
    top : gen.report.blocks.Block
    netlists : mapping of str to str
        Mapped netlist of each distinct block by its digest, as JSON with the module ``top``.

    Returns
    -------
    dict
        The structure of Yosys's JSON.
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
    joined_module = {"attributes": attributes, "ports": ports, **joined.contents()}
    return {"creator": "joined of blocks", "modules": {"top": joined_module}}


class _Joined:
    """Cells and nets of blocks. Each instance of a block has its own bits; joined bits merge."""

    def __init__(self, modules):
        self._modules = modules
        self._instance_count = 0
        self._parents = {}  # of merged bits: each leads towards the bit that stands for all
        self._numbers = {}
        self._cells = {}
        self._nets = {}

    def add(self, block, path, connections):
        """Adds an instance of ``block`` with the outer bits of its ports in ``connections``."""
        instance = self._instance_count
        module = self._modules[block.digest]
        self._instance_count += 1
        for name, bits in connections.items():
            port = module["ports"][name]["bits"]
            for outer, inner in zip(bits, port, strict=True):
                self._join(outer, self._node(instance, inner))
        for name, cell in module["cells"].items():
            bits = {
                port: [self._node(instance, bit) for bit in wired]
                for port, wired in cell["connections"].items()
            }
            if cell["type"] in block.below:
                self.add(block.below[cell["type"]], f"{path}{name}.", bits)
            else:
                self._cells[path + name] = cell | {"connections": bits}
        for name, net in module["netnames"].items():
            if not net.get("hide_name"):
                nodes = [self._node(instance, bit) for bit in net["bits"]]
                self._nets[path + name] = net | {"bits": nodes}

    def contents(self):
        """Returns cells and nets, with a number for each set of merged bits."""
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

    def bit(self, instance, bit):
        """Returns the joined bit of an instance's bit: a number, ``"0"``, ``"1"`` or ``"x"``."""
        return self._number(self._node(instance, bit))

    @staticmethod
    def _node(instance, bit):
        return bit if isinstance(bit, str) else (instance, bit)

    def _root_of(self, node):
        while (next_ := self._parents.get(node, node)) != node:
            self._parents[node] = self._parents.get(next_, next_)
            node = next_
        return node

    def _join(self, a, b):
        a, b = self._root_of(a), self._root_of(b)
        if isinstance(a, str):
            a, b = b, a
        if a != b and not isinstance(a, str):
            self._parents[a] = b

    def _number(self, node):
        root = self._root_of(node)
        if isinstance(root, str):
            return root
        return self._numbers.setdefault(root, len(self._numbers) + 2)
