"""Parents for the banks and the table: what becomes of an entry, in hardware and in Python."""

from amaranth.hdl import Module
from amaranth.lib import data, wiring
from amaranth.lib.wiring import connect, flipped

#: How often an entry was met, and a mixture of what came by, which tells their order.
STATE = data.StructLayout({"count": 9, "mix": 11})


def mixed(state, number):
    """The state after ``number`` came by; what is not there yet is 0."""
    return {
        "count": (state.get("count", 0) + 1) % 2**9,
        "mix": (state.get("mix", 0) * 5 + number) % 2**11,
    }


class Parent(wiring.Component):
    """A Bank or HashTable with ``passenger``, a number, mixed into what is found in each lookup.

    ``found`` is the name of that in ``o.p``. A Bank's update is left out where the number is even.
    """

    def __init__(self, dut, found):
        self._dut, self._found = dut, found
        ports = dut.signature.members
        super().__init__({"i": ports["i"], "o": ports["o"]})

    def elaborate(self, platform):
        m = Module()
        m.submodules.dut = dut = self._dut
        connect(m, flipped(self.i), dut.i)
        connect(m, dut.o, flipped(self.o))
        state = dut.o.p[self._found]
        m.d.comb += [
            dut.next.count.eq(state.count + 1),
            dut.next.mix.eq(state.mix * 5 + dut.o.p.passenger),
        ]
        if hasattr(dut, "update"):
            m.d.comb += dut.update.eq(dut.o.p.passenger[0])
        return m
