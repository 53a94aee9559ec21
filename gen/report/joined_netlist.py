"""Joins the netlists of blocks to one netlist, to compute the depth and clock of the design."""

import json
from collections.abc import Mapping

from gen.report.blocks import Block


def join(top: Block, netlists: Mapping[str, str]) -> dict:
    """Returns one Yosys JSON netlist with all cells of all blocks in its module ``top``.

    No logic is optimised: a cell stays even if the block above ties its input to a constant. For
    instance ``top`` with two instances of a block of 10 cells, and 3 cells of its own, has 23
    cells; ``q.c`` is the cell ``c`` of the instance ``q``.

    Parameters
    ----------
    top : gen.report.blocks.Block
    netlists : mapping of str to str
        Netlist of each distinct block by its digest, as JSON with the module ``top``, after
        technology mapping: its cells are LUTs, registers and others of the chip, and blocks.

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
    """Collects the cells and nets of all instances of blocks, and merges connected bits.

    A *node* is a bit of an instance, as (number of the instance, bit), or a constant: "0", "1", "x"
    or "z". Nodes that ports connect are merged into a set, and the set has one number; a set with a
    constant stands for the constant.
    """

    def __init__(self, modules):
        self._modules = modules
        self._instance_count = 0
        self._parents = {}  # of merged nodes: each leads towards the node that stands for its set
        self._numbers = {}  # by the node that stands for a set; Yosys numbers bits from 2
        self._cells = {}
        self._nets = {}

    def add(self, block, path, connections):
        """Adds an instance of ``block``, whose names begin with ``path``, and the blocks below it.

        ``connections`` has for each connected port the nodes outside of the block.
        """
        instance = self._instance_count
        module = self._modules[block.digest]
        self._instance_count += 1
        for name, bits in connections.items():
            port = module["ports"][name]["bits"]
            for outer, inner in zip(bits, port, strict=True):
                self._merge(outer, self._node(instance, inner))
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
        """Returns cells and nets, with a number or a constant for each set of merged nodes."""
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
        """Returns the bit of the netlist for a bit of an instance: a number or a constant."""
        return self._number(self._node(instance, bit))

    @staticmethod
    def _node(instance, bit):
        return bit if isinstance(bit, str) else (instance, bit)

    def _root_of(self, node):
        """Returns the node that stands for the set of ``node``, and shortens the way to it."""
        while (next_ := self._parents.get(node, node)) != node:
            self._parents[node] = self._parents.get(next_, next_)
            node = next_
        return node

    def _merge(self, a, b):
        """Joins the sets of two nodes.

        A constant stands for its set. Two different constants stay apart: such a contradiction in
        the netlists is not an error here.
        """
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
