"""A lookup in a bank sees every earlier update, and nothing else, whatever the stalls.

The bench has a register for each entry, which is changed at the very transfer that changes the
entry: what is offered must be what is there. The memory of the bank is one of registers, too, that
gives anything where it is read while it is written. A reset, in any cycle, leaves both as they are.
The invariants say that the memory has what the model has, and that what a lookup in the fetch would
take is right if nothing more is written. Its note is told of what is offered, whatever that is.
"""

import operator
from unittest.mock import patch

from amaranth.hdl import Array, Assert, Module, Mux, Signal, Value
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from rtl.memory.bank import Bank
from rtl.memory.fed_bank import FedBank
from tb.formal.inside import Inside
from tb.formal.rules import hold_rules

DEPTH, BITS = 4, 2


class PlainMemory(wiring.Component):
    """What BlockMemory promises, in registers: what is read while it is written may be anything.

    ``anything`` is free for the solver; ``rows`` are what is in the memory.
    """

    def __init__(self, width, depth, kind="block"):
        self.rows = [Signal(width, name=f"row{k}", reset_less=True) for k in range(depth)]
        self.anything = Signal(width, name="anything")
        super().__init__(
            {
                "write_address": In(range(depth)),
                "write_data": In(width),
                "write_enable": In(1),
                "read_address": In(range(depth)),
                "read_enable": In(1),
                "read_data": Out(width),
            }
        )

    def elaborate(self, platform):
        m = Module()
        rows = Array(self.rows)
        collides = self.write_enable & (self.write_address == self.read_address)
        with m.If(self.read_enable):
            m.d.sync += self.read_data.eq(Mux(collides, self.anything, rows[self.read_address]))
        with m.If(self.write_enable):
            m.d.sync += rows[self.write_address].eq(self.write_data)
        return m


def bank_bench(cls=Bank, *, invariants=True):
    """The entry that is offered is what the lookups transferred before have left, and its note."""
    m, inside, model = _bench(cls, passenger=BITS, note=operator.xor)
    dut, current = inside.component, Array(model)
    with m.If(dut.o.valid & dut.o.ready & dut.update):
        m.d.sync += current[dut.o.p.index].eq(dut.next)
    m.d.comb += Assert(~dut.o.valid | (dut.o.p.entry == current[dut.o.p.index]))
    m.d.comb += Assert(~dut.o.valid | (dut.note == (dut.o.p.entry ^ dut.o.p.passenger)))
    if invariants:
        at, wrote, latest = (inside.signal("", name) for name in ("at", "wrote", "latest"))
        index = _fetched(inside)
        missed = wrote & (at == index)
        would = Mux(missed, latest, inside.part("store").read_data)
        _claim(m, ~inside.signal("", "fetching") | (would == current[index]))
        _rows(m, inside, model)
    return m, (*_ports(inside), Value.cast(dut.next), dut.update)


def fed_bank_bench(cls=FedBank, *, invariants=True):
    """The entry that is offered is what was fed back until the cycle before it was."""
    m, inside, model = _bench(cls)
    dut, current = inside.component, Array(model)
    fed = dut.feedback
    step = ~dut.o.valid | dut.o.ready
    index, wanted = Signal(range(DEPTH)), Signal(BITS)
    with m.If(dut.i.valid & dut.i.ready):
        m.d.sync += index.eq(dut.i.p.index)
    with m.If(fed.valid):
        m.d.sync += current[fed.p.index].eq(fed.p.entry)
    with m.If(step):
        hits = fed.valid & (fed.p.index == index)
        m.d.sync += wanted.eq(Mux(hits, fed.p.entry, current[index]))
    m.d.comb += Assert(~dut.o.valid | (dut.o.p.entry == wanted))
    if invariants:
        caught, kept = inside.signal("", "caught"), inside.signal("", "kept")
        fetching = inside.signal("", "fetching")
        read = inside.part("store").read_data
        _claim(m, ~fetching | (_fetched(inside) == index))
        _claim(m, ~fetching | (Mux(caught, kept, read) == current[index]))
        _rows(m, inside, model)
    return m, (*_ports(inside), fed.valid, Value.cast(fed.p))


def _bench(cls, passenger=0, **built):
    """A bank over a plain memory, and registers that hold what is in it by the contract."""
    m = Module()
    with patch.dict(cls.__init__.__globals__, BlockMemory=PlainMemory):
        inside = Inside(cls(BITS, DEPTH, passenger, **built))
    m.submodules.dut = inside.fragment
    hold_rules(m, inside.component.o, "o")
    return m, inside, [Signal(BITS, name=f"model{k}", reset_less=True) for k in range(DEPTH)]


def _fetched(inside):
    return inside.component.i.p.shape()(inside.signal("", "fetch")).index


def _rows(m, inside, model):
    for row, wanted in zip(inside.part("store").rows, model, strict=True):
        _claim(m, row == wanted)


def _ports(inside):
    dut = inside.component
    anything = inside.part("store").anything
    return dut.i.valid, Value.cast(dut.i.p), dut.o.ready, anything


def _claim(m, condition):
    m.d.comb += Assert(condition)
