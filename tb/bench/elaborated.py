"""Elaborates components that a test only inspects."""

from amaranth.hdl import Fragment


def elaborated(component):
    """Elaborates a component with all parts, and returns it.

    A component that is never elaborated causes a warning, which fails a test.
    """
    Fragment.get(component, None)
    return component
