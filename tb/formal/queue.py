"""One tuple wide: what a register level or a skid buffer takes, it gives once and in order."""

from amaranth.hdl import Assert, Module, Signal

from rtl.stream.register import StreamRegister
from rtl.stream.skid import SkidBuffer
from tb.formal.inside import Inside

BITS = 2  # numbers modulo 4; at most 2 are inside


def register_bench(cls=StreamRegister, *, invariants=True):
    """Payloads that come numbered leave numbered."""
    m, inside, entered, given = _numbered(cls)
    if invariants:
        _claim(m, (entered - given)[:BITS] == inside.component.o.valid)
    return m, _ports(inside.component)


def skid_bench(cls=SkidBuffer, *, invariants=True):
    """The same of the skid buffer, whose second register is the younger."""
    m, inside, entered, given = _numbered(cls)
    if invariants:
        front_valid, skid_valid = inside.component.o.valid, ~inside.component.i.ready
        _claim(m, (entered - given)[:BITS] == (front_valid + skid_valid))
        _claim(m, ~skid_valid | front_valid)
        _claim(m, ~skid_valid | (inside.signal("", "skid") == (given + 1)[:BITS]))
    return m, _ports(inside.component)


def _numbered(cls):
    m = Module()
    inside = Inside(cls(BITS))
    m.submodules.dut = inside.fragment
    dut = inside.component
    entered, given = (Signal(BITS, name=name) for name in ("entered", "given"))
    m.d.comb += dut.i.payload.eq(entered)
    with m.If(dut.i.valid & dut.i.ready):
        m.d.sync += entered.eq(entered + 1)
    with m.If(dut.o.valid & dut.o.ready):
        m.d.sync += given.eq(given + 1)
    _claim(m, ~dut.o.valid | (dut.o.payload == given))
    return m, inside, entered, given


def _claim(m, condition):
    m.d.comb += Assert(condition)


def _ports(dut):
    return dut.i.valid, dut.o.ready
