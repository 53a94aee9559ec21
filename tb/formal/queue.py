"""Proves that a register or a skid buffer returns each payload once and in order."""

from amaranth.hdl import Assert, Module, Signal

from rtl.stream.register import StreamRegister
from rtl.stream.skid import SkidBuffer
from tb.formal.component_parts import ComponentParts

BITS = 2  # numbers modulo 4; the component stores at most 2 payloads


def register_bench(cls=StreamRegister, *, invariants=True):
    """Builds a bench of a register: numbered payloads must leave in the order of their numbers."""
    m, parts, entered, returned = _numbered(cls)
    if invariants:
        _claim(m, (entered - returned)[:BITS] == parts.component.o.valid)
    return m, _ports(parts.component)


def skid_bench(cls=SkidBuffer, *, invariants=True):
    """Builds the same bench of a skid buffer, whose second register has the younger payload."""
    m, parts, entered, returned = _numbered(cls)
    if invariants:
        front_valid, skid_valid = parts.component.o.valid, ~parts.component.i.ready
        _claim(m, (entered - returned)[:BITS] == (front_valid + skid_valid))
        _claim(m, ~skid_valid | front_valid)
        _claim(m, ~skid_valid | (parts.signal("", "skid") == (returned + 1)[:BITS]))
    return m, _ports(parts.component)


def _numbered(cls):
    """Builds a bench whose counters number the payloads at the input and at the output."""
    m = Module()
    parts = ComponentParts(cls(BITS))
    m.submodules.dut = parts.fragment
    dut = parts.component
    entered, returned = (Signal(BITS, name=name) for name in ("entered", "given"))
    m.d.comb += dut.i.payload.eq(entered)
    with m.If(dut.i.valid & dut.i.ready):
        m.d.sync += entered.eq(entered + 1)
    with m.If(dut.o.valid & dut.o.ready):
        m.d.sync += returned.eq(returned + 1)
    _claim(m, ~dut.o.valid | (dut.o.payload == returned))
    return m, parts, entered, returned


def _claim(m, condition):
    m.d.comb += Assert(condition)


def _ports(dut):
    return dut.i.valid, dut.o.ready
