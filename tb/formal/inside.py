"""The inner parts of an elaborated component, by name, so that invariants can speak of them."""

from amaranth.hdl import Fragment


class Inside:
    """A component, elaborated once: a submodule for the bench, and a way to its inner parts.

    Parameters
    ----------
    component : wiring.Component
    """

    def __init__(self, component):
        self.component = component
        self.fragment = Fragment.get(component, None)

    def _fragment(self, path):
        found = self.fragment
        for name in path.split(".") if path else ():
            found = next(part for part, named, _ in found.subfragments if named == name)
        return found

    def part(self, path):
        """The component that ``path``, names of submodules with dots between, leads to."""
        return self._fragment(path).origins[0]

    def signal(self, path, name):
        """The register ``name`` in the part at ``path``."""
        statements = self._fragment(path).statements.get("sync", [])
        driven = {s.name: s for statement in statements for s in statement._lhs_signals()}
        return driven[name]
