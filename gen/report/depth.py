"""The longest combinational path of a netlist, counted in LUTs.

A path starts at an output of a register, block RAM or clocked memory, and ends at any input of one
(data, enable and reset alike) but its clock. Each LUT on the way counts 1; carry cells, the
multiplexers that join LUTs (MUXF7, PFUMX, ...) and multipliers count 0. Paths from or to a port of
the top are counted apart.
"""

import json
from collections import defaultdict
from dataclasses import dataclass

from gen.report.cells import paths


@dataclass(frozen=True)
class Depth:
    """The longest paths of a netlist.

    Attributes
    ----------
    registers : int
        LUTs on the longest path from register to register; 0 when there is none.
    ports : int
        The same over the paths that start or end at a port.
    path : tuple of str
        The longest path from register to register: its register, the types of the cells on the
        way, and the register that it ends at.
    """

    registers: int
    ports: int
    path: tuple[str, ...]


def depth(netlist):
    """Depth of the one module of a Yosys JSON netlist, given as text.

    Raises ValueError for unknown cells and combinational loops.
    """
    (module,) = (
        module
        for module in json.loads(netlist)["modules"].values()
        if not int(module["attributes"].get("blackbox", "0"), 2)
    )
    graph = _Graph(module)
    reg_to_reg = graph.longest(graph.register_out, graph.register_in)
    everything = graph.register_out | graph.port_in
    from_port = graph.longest(graph.port_in, set(graph.register_in) | graph.port_out)
    to_port = graph.longest(everything, graph.port_out)
    return Depth(
        registers=reg_to_reg[0],
        ports=max(from_port[0], to_port[0]),
        path=graph.named(reg_to_reg[1]),
    )


class _Graph:
    """Bits as nodes, arcs of cells as edges, in topological order."""

    def __init__(self, module):
        self.module = module
        self.register_out, self.register_in = set(), {}
        self.incoming = defaultdict(list)  # bit -> (source bit, weight, cell type)
        for cell in module["cells"].values():
            self._add(cell)
        ports = module["ports"].values()
        self.port_in = {b for p in ports if p["direction"] == "input" for b in p["bits"]}
        self.port_out = {b for p in ports if p["direction"] == "output" for b in p["bits"]}
        self.order = self._order()

    def _add(self, cell):
        sides = {"input": {}, "output": {}}
        for name, bits in cell["connections"].items():
            sides[cell["port_directions"][name]][name] = bits
        found = paths(cell["type"], sides["input"], sides["output"], cell["parameters"])
        self.register_out.update(bit for bit in found.starts if isinstance(bit, int))
        held = next((bit for bit in found.starts if isinstance(bit, int)), None)
        self.register_in.update({bit: held for bit in found.ends if isinstance(bit, int)})
        for source, target, weight in found.arcs:
            if isinstance(source, int) and isinstance(target, int):
                self.incoming[target].append((source, weight, cell["type"]))

    def _order(self):
        waiting = {target: len(arcs) for target, arcs in self.incoming.items()}
        outgoing = defaultdict(list)
        for target, arcs in self.incoming.items():
            for source, _, _ in arcs:
                outgoing[source].append(target)
        ready = [bit for bit in outgoing if bit not in waiting]
        order = []
        while ready:
            for target in outgoing[ready.pop()]:
                waiting[target] -= 1
                if not waiting[target]:
                    order.append(target)
                    ready.append(target)
        if len(order) < len(waiting):
            loop = sorted(target for target, arcs in waiting.items() if arcs)
            raise ValueError(f"netlist must have no combinational loop, not {self.named(loop[:8])}")
        return order

    def longest(self, starts, ends):
        """Greatest sum of weights from a bit of ``starts`` to one of ``ends``, and its bits."""
        arrival, before = dict.fromkeys(starts, 0), {}
        for target in self.order:
            for source, weight, kind in self.incoming[target]:
                reached = arrival.get(source)
                if reached is not None and reached + weight > arrival.get(target, -1):
                    arrival[target], before[target] = reached + weight, (source, kind)
        reached = [bit for bit in ends if bit in arrival]
        if not reached:
            return 0, ()
        end = max(sorted(reached), key=arrival.__getitem__)
        bit, kinds = end, []
        while bit in before:
            bit, kind = before[bit]
            kinds.append(kind)
        return arrival[end], (bit, *reversed(kinds), self.register_in.get(end, end))

    def named(self, steps):
        """Bits by a name of their net, the most telling one; what is no bit stays."""
        names = {}
        for name, net in self.module["netnames"].items():
            for index, bit in enumerate(net["bits"]):
                label = f"{name}[{index}]" if len(net["bits"]) > 1 else name
                rank = (net.get("hide_name", 0), len(label), label)
                if bit not in names or rank < names[bit]:
                    names[bit] = rank
        return tuple(names[s][2] if s in names else str(s) for s in steps)
