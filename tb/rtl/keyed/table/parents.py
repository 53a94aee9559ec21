"""Parents of banks and tables: the update of an entry, in hardware and in Python."""

from amaranth.hdl import Module
from amaranth.lib import data, wiring
from amaranth.lib.wiring import connect, flipped

#: ``count``: number of updates of an entry; ``mix``: a hash of the numbers, which depends on their
#: order.
STATE = data.StructLayout({"count": 9, "mix": 11})


def mixed(state, number):
    """Returns the state after an update by ``number``; a missing member counts as 0."""
    return {
        "count": (state.get("count", 0) + 1) % 2**9,
        "mix": (state.get("mix", 0) * 5 + number) % 2**11,
    }


class Parent(wiring.Component):
    """A Bank or HashTable whose parent mixes ``passenger``, a number, into each lookup's state.

    ``state_name`` is the name of the state in ``o.p``. A Bank is not updated if the number is even.
    """

    def __init__(self, dut, state_name):
        self._dut, self._state_name = dut, state_name
        ports = dut.signature.members
        super().__init__({"i": ports["i"], "o": ports["o"]})

    def elaborate(self, platform):
        m = Module()
        m.submodules.dut = dut = self._dut
        connect(m, flipped(self.i), dut.i)
        connect(m, dut.o, flipped(self.o))
        state = dut.o.p[self._state_name]
        m.d.comb += [
            dut.next.count.eq(state.count + 1),
            dut.next.mix.eq(state.mix * 5 + dut.o.p.passenger),
        ]
        if hasattr(dut, "update"):
            m.d.comb += dut.update.eq(dut.o.p.passenger[0])
        return m
