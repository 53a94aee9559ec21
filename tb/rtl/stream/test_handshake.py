"""Checks a pipeline whose handshakes are connected apart from its payloads."""

import pytest
from amaranth.hdl import Module
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.stream.handshake import handshake, handshakes
from rtl.stream.register import StreamRegister
from tb.bench.unit import run_stream


class AddTwo(wiring.Component):
    """Adds 1 before each of two registers."""

    i: In(stream.Signature(8))
    o: Out(stream.Signature(8))

    def elaborate(self, platform):
        m = Module()
        m.submodules.first, m.submodules.second = first, second = (
            StreamRegister(8),
            StreamRegister(8),
        )
        m.d.comb += [
            *handshakes(self.i, first, second),
            *handshake(second.o, self.o),
            first.i.p.eq(self.i.p + 1),
            second.i.p.eq(first.o.p + 1),
            self.o.p.eq(second.o.p),
        ]
        return m


@pytest.mark.parametrize("stall", [0, 0.5])
def test_each_payload_passes_both_registers_once(stall):
    values = list(range(100))
    run = run_stream(AddTwo(), values, expected=100, stall_in=stall, stall_out=stall, seed=1)
    assert run.payloads == [value + 2 for value in values]
