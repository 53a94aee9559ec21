"""Finds inner components and registers of an elaborated component by name, for invariants."""

from amaranth.hdl import Fragment


class ComponentParts:
    """A component that is elaborated once, with access to its inner parts.

    ``fragment`` is the submodule for the bench.

    Parameters
    ----------
    component : wiring.Component
    """

    def __init__(self, component):
        self.component = component
        self.fragment = Fragment.get(component, None)

    def _fragment(self, path):
        fragment = self.fragment
        for name in path.split(".") if path else ():
            fragment = next(
                part for part, part_name, _ in fragment.subfragments if part_name == name
            )
        return fragment

    def part(self, path):
        """Returns the component at ``path``: names of submodules, separated by dots."""
        return self._fragment(path).origins[0]

    def signal(self, path, name):
        """Returns the register ``name`` of the component at ``path``."""
        statements = self._fragment(path).statements.get("sync", [])
        driven = {s.name: s for statement in statements for s in statement._lhs_signals()}
        return driven[name]
