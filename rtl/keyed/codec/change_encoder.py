"""The common part of encoders that compare each value with the value before."""

from amaranth.lib import wiring

from rtl.keyed.codec.codec import Encoder
from rtl.memory.bank import Bank
from rtl.stream.handshake import handshakes
from rtl.stream.register import StreamRegister


class ChangeEncoder(Encoder):
    """Finds the symbol of each value from the value before and from a state of the key.

    ::

        i --> value before --> change --> its zeros --> state of the key --> choice --> symbol --> o
              (a Bank)                                  (a Bank)

    The two banks do not depend on each other, nor on the fill of blocks. So each bank is a loop of
    its own, and values of one key may come in successive cycles. An encoder defines the stages from
    the change to the symbol.

    Attributes
    ----------
    previous_values : Bank
        Holds the previous value of each key.
    """

    def __init__(self, codec, entries, passenger=0):
        super().__init__(codec, entries, passenger)
        self.previous_values = Bank(codec.width, entries, self.i.p.shape())

    def _connect(self, m, **stages):
        """Connects the handshakes of the bank of previous values, the stages, and the output.

        A stage is a component, or the layout of a register's payload. Returns the stages by name.
        """
        parts = {
            name: part if isinstance(part, wiring.Component) else StreamRegister(part)
            for name, part in stages.items()
        }
        m.submodules.previous_values = self.previous_values
        for name, part in parts.items():
            m.submodules[name] = part
        *_, last = parts.values()
        m.d.comb += handshakes(self.i, self.previous_values, *parts.values())
        wiring.connect(m, last.o, wiring.flipped(self.o))
        return parts

    def _read_previous(self, m):
        """Replaces the previous value of the key; returns the item and its previous value."""
        bank = self.previous_values
        item = bank.o.p.passenger
        m.d.comb += [
            bank.i.p.index.eq(self.i.p.entry),
            bank.i.p.passenger.eq(self.i.p),
            bank.next.eq(item.value),
            bank.update.eq(item.valid),
        ]
        return item, bank.o.p.entry
