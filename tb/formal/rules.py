"""Asserts the rules of streams."""

from amaranth.hdl import Assert, Assume, Module, Signal, Value
from amaranth.lib import data

from rtl.network.boundaries import GroupBoundaries
from tb.formal.component_parts import ComponentParts


def hold_rules(m, stream, name, claim=Assert):
    """Claims that ``valid`` and the payload remain while ``valid & ~ready``, until a reset."""
    payload = Value.cast(stream.payload)
    stalled = Signal(name=f"{name}_stalled")
    offered = Signal(len(payload), name=f"{name}_offered")
    m.d.sync += [stalled.eq(stream.valid & ~stream.ready), offered.eq(payload)]
    m.d.comb += claim(~stalled | (stream.valid & (payload == offered)))


def rules_bench(component, *, assumed=False):
    """Builds a bench that asserts the rules of ``component.o``, with arbitrary ``component.i``.

    Parameters
    ----------
    component : wiring.Component
        Must have the streams ``i`` and ``o``.
    assumed : bool
        True if the input follows the rules, too. A component whose output depends on its input
        within the cycle needs this assumption.

    Returns
    -------
    Module, tuple of Value
        The bench and its free ports.
    """
    m = Module()
    m.submodules.dut = ComponentParts(component).fragment
    hold_rules(m, component.o, "o")
    if assumed:
        hold_rules(m, component.i, "i", Assume)
    return m, (component.i.valid, Value.cast(component.i.payload), component.o.ready)


def boundaries_bench(component=GroupBoundaries):
    """Builds the bench of group boundaries with two lanes, whose input follows the rules."""
    row = data.StructLayout({"key": 2, "x": 1})
    return rules_bench(component(row, 2, key="key", distinct=("x",)), assumed=True)
