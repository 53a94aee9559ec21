"""The formulation in which order and completeness are proved: tuples that know their number.

The bench numbers the tuples as they enter: each bears its number modulo a power of two greater than
what fits into the component, the number of its stream, and its position in the stream modulo the
lanes. Components move tuples and never look at them, so what holds for numbers holds for any.

"Every valid tuple once and in order" is then: the next tuple at the output bears the next number.
The invariants walk from the output to the input with a :class:`Tally`, the numbers that are next
*there*, and say of each register which tuples are in it. At the input the tally must have come to
the numbers that enter next: so nothing is lost inside, not even at the very end.
"""

from dataclasses import dataclass

from amaranth.hdl import Mux, Signal, Value
from amaranth.lib import data


def item_shape(lanes, capacity):
    """Layout of a numbered tuple, for at most ``capacity`` tuples and streams in flight."""
    bits = capacity.bit_length()
    return data.StructLayout({"number": bits, "stream": bits, "lane": (lanes - 1).bit_length()})


def count(bits):
    """How many of ``bits`` are high."""
    return sum((bit for bit in bits), start=Value.cast(0))


@dataclass(frozen=True)
class Tally:
    """The number, stream and lane of the next tuple at a point, and whether its stream had any."""

    m: object
    number: Value
    stream: Value
    lane: Value
    some: Value

    @classmethod
    def register(cls, m, item, name):
        """A tally that the bench keeps, all 0 after reset."""
        fields = {key: Signal(item[key].width, name=f"{name}_{key}") for key, _ in item}
        return cls(m, **fields, some=Signal(name=f"{name}_some"))

    def moved(self, name, tuples, last):
        """The tally behind ``tuples`` more and then, where ``last`` is high, the stream's end."""
        number, stream, lane, some = (
            Signal.like(Value.cast(getattr(self, key)), name=f"{name}_{key}")
            for key in ("number", "stream", "lane", "some")
        )
        self.m.d.comb += [
            number.eq(self.number + tuples),
            stream.eq(self.stream + last),
            lane.eq(Mux(last, 0, self.lane + tuples)),
            some.eq(~last & (self.some | (tuples != 0))),
        ]
        return Tally(self.m, number, stream, lane, some)

    def keep(self, next_tally, when):
        """Clocks ``next_tally`` into this one, a register, when ``when`` is high."""
        with self.m.If(when):
            self.m.d.sync += [
                getattr(self, key).eq(getattr(next_tally, key))
                for key in ("number", "stream", "lane", "some")
            ]

    def is_at(self, item, ahead):
        """``item`` is the tuple that comes ``ahead`` after the next one, in the same stream."""
        return (
            (item.number == (self.number + ahead)[: len(self.number)])
            & (item.stream == self.stream)
            & (item.lane == (self.lane + ahead)[: len(self.lane)])
        )

    def equals(self, other):
        """Number, stream and lane are the same."""
        return (
            (self.number == other.number)
            & (self.stream == other.stream)
            & (self.lane == other.lane)
        )
