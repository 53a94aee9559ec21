"""The rules of streams, as assertions."""

from amaranth.hdl import Assert, Assume, Module, Signal, Value

from tb.formal.inside import Inside


def hold_rules(m, stream, name, claim=Assert):
    """Claims that ``valid`` and the payload stay while ``valid & ~ready``; a reset ends it."""
    payload = Value.cast(stream.payload)
    stalled = Signal(name=f"{name}_stalled")
    offered = Signal(len(payload), name=f"{name}_offered")
    m.d.sync += [stalled.eq(stream.valid & ~stream.ready), offered.eq(payload)]
    m.d.comb += claim(~stalled | (stream.valid & (payload == offered)))


def rules_bench(component, *, assumed=False):
    """A bench in which ``component.o`` keeps the rules, whatever comes at ``component.i``.

    Parameters
    ----------
    component : wiring.Component
        With the streams ``i`` and ``o``.
    assumed : bool
        The input keeps the rules, too: for a component that shows its input at the output.

    Returns
    -------
    Module, tuple of Value
        The bench and its free ports.
    """
    m = Module()
    m.submodules.dut = Inside(component).fragment
    hold_rules(m, component.o, "o")
    if assumed:
        hold_rules(m, component.i, "i", Assume)
    return m, (component.i.valid, Value.cast(component.i.payload), component.o.ready)
