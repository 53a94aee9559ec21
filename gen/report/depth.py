"""Finds the longest combinational path of a netlist, counted in LUTs.

A path starts at an output of a register, block RAM or clocked memory. It ends at an input of such a
cell: data, enable or reset, but not the clock. Each LUT on the path counts 1. Carry cells, the
multiplexers that join LUTs (MUXF7, PFUMX, ...) and multipliers count 0. Paths from or to a port of
the top have a count of their own.
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
        LUTs on the longest path from register to register; 0 without such a path.
    ports : int
        LUTs on the longest path that starts or ends at a port.
    path : tuple of str
        The longest path from register to register: the first register, the types of the cells on
        the path, and the last register. A register has the name of a net at its output.
    """

    registers: int
    ports: int
    path: tuple[str, ...]


def depth(netlist: str) -> Depth:
    """Returns the depth of a netlist, given as text in the JSON format of Yosys.

    The netlist has one module that is no black box. Raises ValueError for unknown cells and
    combinational loops.
    """
    (module,) = (
        module
        for module in json.loads(netlist)["modules"].values()
        if not int(module["attributes"].get("blackbox", "0"), 2)
    )
    graph = _Graph(module)
    reg_to_reg = graph.longest(graph.register_out, graph.register_in)
    all_starts = graph.register_out | graph.port_in
    from_port = graph.longest(graph.port_in, set(graph.register_in) | graph.port_out)
    to_port = graph.longest(all_starts, graph.port_out)
    return Depth(
        registers=reg_to_reg[0],
        ports=max(from_port[0], to_port[0]),
        path=graph.named(reg_to_reg[1]),
    )


class _Graph:
    """Graph with bits as nodes and arcs of cells as edges.

    ``order`` has all bits with an incoming arc, in topological order.
    """

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
        parts = paths(cell["type"], sides["input"], sides["output"], cell["parameters"])
        self.register_out.update(bit for bit in parts.starts if isinstance(bit, int))
        register = next((bit for bit in parts.starts if isinstance(bit, int)), None)
        self.register_in.update({bit: register for bit in parts.ends if isinstance(bit, int)})
        for source, target, weight in parts.arcs:
            if isinstance(source, int) and isinstance(target, int):
                self.incoming[target].append((source, weight, cell["type"]))

    def _order(self):
        unresolved = {target: len(arcs) for target, arcs in self.incoming.items()}
        outgoing = defaultdict(list)
        for target, arcs in self.incoming.items():
            for source, _, _ in arcs:
                outgoing[source].append(target)
        ready = [bit for bit in outgoing if bit not in unresolved]
        order = []
        while ready:
            for target in outgoing[ready.pop()]:
                unresolved[target] -= 1
                if not unresolved[target]:
                    order.append(target)
                    ready.append(target)
        if len(order) < len(unresolved):
            loop = self._loop({target for target, arcs in unresolved.items() if arcs})
            raise ValueError(f"netlist must have no combinational loop, not {self.named(loop[:8])}")
        return order

    def _loop(self, unresolved):
        """Returns the bits of a loop, given all bits that depend on a loop."""
        walk = [min(unresolved)]
        while walk[-1] not in walk[:-1]:
            sources = (source for source, _, _ in self.incoming[walk[-1]])
            walk.append(next(source for source in sources if source in unresolved))
        return walk[walk.index(walk[-1]) : -1][::-1]

    def longest(self, starts, ends):
        """Returns the greatest sum of weights from ``starts`` to ``ends``, and the path.

        The path is the first bit, the types of the cells, and the last bit, or an output bit of the
        last bit's register. Without a path the result is 0 and an empty tuple.
        """
        arrival, predecessor = dict.fromkeys(starts, 0), {}
        for target in self.order:
            for source, weight, kind in self.incoming[target]:
                reached = arrival.get(source)
                if reached is not None and reached + weight > arrival.get(target, -1):
                    arrival[target], predecessor[target] = reached + weight, (source, kind)
        ends_reached = [bit for bit in ends if bit in arrival]
        if not ends_reached:
            return 0, ()
        end = max(sorted(ends_reached), key=arrival.__getitem__)
        bit, kinds = end, []
        while bit in predecessor:
            bit, kind = predecessor[bit]
            kinds.append(kind)
        return arrival[end], (bit, *reversed(kinds), self.register_in.get(end, end))

    def named(self, steps):
        """Returns the shortest visible name of each bit's net; cell types stay as they are."""
        names = {}
        for name, net in self.module["netnames"].items():
            for index, bit in enumerate(net["bits"]):
                label = f"{name}[{index}]" if len(net["bits"]) > 1 else name
                rank = (net.get("hide_name", 0), len(label), label)
                if bit not in names or rank < names[bit]:
                    names[bit] = rank
        return tuple(names[s][2] if s in names else str(s) for s in steps)
