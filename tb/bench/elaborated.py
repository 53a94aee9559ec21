"""Components that a test asks, and that nothing else would elaborate."""

from amaranth.hdl import Fragment


def elaborated(component):
    """The component, elaborated with all of its parts: one that is made for nothing is an error."""
    Fragment.get(component, None)
    return component
