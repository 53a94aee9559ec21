"""Proves that a lookup in a bank returns the entry after all earlier updates, with any stalls.

The bench models each entry by a register, which changes at the transfer that updates the entry. The
entry that the bank offers must equal the model's. The bank's memory is made of registers, too; a
read of an address that is written in the same cycle returns an arbitrary value. A reset in any
cycle changes neither the memory nor the model.

Invariants: memory and model agree, and a lookup in the fetch stage would return the model's entry
if no further entry were written. The bank's note is a function of the offered entry and its
passenger, here their exclusive or.
"""

import operator
from unittest.mock import patch

from amaranth.hdl import Array, Assert, Module, Mux, Signal, Value
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from rtl.memory.bank import Bank
from rtl.memory.fed_bank import FedBank
from tb.formal.component_parts import ComponentParts
from tb.formal.rules import hold_rules

DEPTH, BITS = 4, 2


class PlainMemory(wiring.Component):
    """Implements BlockMemory's contract with registers.

    A read of an address that is written in the same cycle returns ``anything``, which the solver
    chooses. ``rows`` are the contents.
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
    """Claims that a bank offers the entry after all earlier transfers, with the entry's note.

    Returns the bench and its free ports, like :func:`fed_bank_bench`.
    """
    m, parts, model = _bench(cls, passenger=BITS, note=operator.xor)
    dut, current = parts.component, Array(model)
    with m.If(dut.o.valid & dut.o.ready & dut.update):
        m.d.sync += current[dut.o.p.index].eq(dut.next)
    m.d.comb += Assert(~dut.o.valid | (dut.o.p.entry == current[dut.o.p.index]))
    m.d.comb += Assert(~dut.o.valid | (dut.note == (dut.o.p.entry ^ dut.o.p.passenger)))
    if invariants:
        written_index, wrote, latest = (
            parts.signal("", name) for name in ("updated_index", "updated", "latest")
        )
        index = _fetched(parts)
        missed = wrote & (written_index == index)
        fetched_entry = Mux(missed, latest, parts.part("store").read_data)
        _claim(m, ~parts.signal("", "fetching") | (fetched_entry == current[index]))
        _rows(m, parts, model)
    return m, (*_ports(parts), Value.cast(dut.next), dut.update)


def fed_bank_bench(cls=FedBank, *, invariants=True):
    """Claims that a bank offers the entry that was fed back last before the first cycle of the
    offer."""
    m, parts, model = _bench(cls)
    dut, current = parts.component, Array(model)
    fed = dut.feedback
    advances = ~dut.o.valid | dut.o.ready  # a lookup moves from the fetch stage to the output
    index = Signal(range(DEPTH))
    expected = Signal(BITS)
    with m.If(dut.i.valid & dut.i.ready):
        m.d.sync += index.eq(dut.i.p.index)
    with m.If(fed.valid):
        m.d.sync += current[fed.p.index].eq(fed.p.entry)
    with m.If(advances):
        hits = fed.valid & (fed.p.index == index)
        m.d.sync += expected.eq(Mux(hits, fed.p.entry, current[index]))
    m.d.comb += Assert(~dut.o.valid | (dut.o.p.entry == expected))
    if invariants:
        caught = parts.signal("", "has_feedback")
        caught_entry = parts.signal("", "saved_entry")
        fetching = parts.signal("", "fetching")
        read = parts.part("store").read_data
        _claim(m, ~fetching | (_fetched(parts) == index))
        _claim(m, ~fetching | (Mux(caught, caught_entry, read) == current[index]))
        _rows(m, parts, model)
    return m, (*_ports(parts), fed.valid, Value.cast(fed.p))


def _bench(cls, passenger=0, **options):
    """Builds a bank over a :class:`PlainMemory`, and a model of its entries."""
    m = Module()
    with patch.dict(cls.__init__.__globals__, BlockMemory=PlainMemory):
        parts = ComponentParts(cls(BITS, DEPTH, passenger, **options))
    m.submodules.dut = parts.fragment
    hold_rules(m, parts.component.o, "o")
    return m, parts, [Signal(BITS, name=f"model{k}", reset_less=True) for k in range(DEPTH)]


def _fetched(parts):
    """Returns the index of the lookup in the fetch stage."""
    return parts.component.i.p.shape()(parts.signal("", "fetch")).index


def _rows(m, parts, model):
    """Claims equal contents of memory and model."""
    for row, expected in zip(parts.part("store").rows, model, strict=True):
        _claim(m, row == expected)


def _ports(parts):
    dut = parts.component
    anything = parts.part("store").anything
    return dut.i.valid, Value.cast(dut.i.p), dut.o.ready, anything


def _claim(m, condition):
    m.d.comb += Assert(condition)
