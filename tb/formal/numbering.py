"""Numbers tuples, so that order and completeness become claims about numbers.

The bench numbers the tuples as they enter. Each tuple carries its number and the number of its
stream, both modulo a power of two greater than the component's capacity, and its position in the
stream modulo the lanes. Components move tuples without reading them, so a proof for numbers holds
for all tuples.

"Every valid tuple once and in order" then means: the next tuple at the output has the next number.
A :class:`Tally` has the next numbers at a point of the component. The invariants proceed from the
output to the input: for each register they claim which tuples it stores, and advance the tally by
these tuples. At the input the tally must equal the numbers that enter next, so no tuple is lost
inside.
"""

from dataclasses import dataclass

from amaranth.hdl import Mux, Signal, Value
from amaranth.lib import data


def item_shape(lanes, capacity):
    """Returns the layout of a numbered tuple, for ``capacity`` tuples and streams in flight."""
    bits = capacity.bit_length()
    return data.StructLayout({"number": bits, "stream": bits, "lane": (lanes - 1).bit_length()})


def count(bits):
    """Returns the number of high bits."""
    return sum((bit for bit in bits), start=Value.cast(0))


@dataclass(frozen=True)
class Tally:
    """Number, stream and lane of the next tuple at a point.

    ``nonempty`` is high if the stream of the next tuple has had a tuple before. ``m`` is the
    bench's module, to which the methods add statements.
    """

    m: object
    number: Value
    stream: Value
    lane: Value
    nonempty: Value

    @classmethod
    def register(cls, m, item, name):
        """Creates a tally in registers of the bench, which are 0 after reset."""
        fields = {key: Signal(item[key].width, name=f"{name}_{key}") for key, _ in item}
        return cls(m, **fields, nonempty=Signal(name=f"{name}_nonempty"))

    def advanced(self, name, tuples, last):
        """Returns the tally after ``tuples`` tuples and, if ``last`` is high, the stream's end."""
        number, stream, lane, nonempty = (
            Signal.like(Value.cast(getattr(self, key)), name=f"{name}_{key}")
            for key in ("number", "stream", "lane", "nonempty")
        )
        self.m.d.comb += [
            number.eq(self.number + tuples),
            stream.eq(self.stream + last),
            lane.eq(Mux(last, 0, self.lane + tuples)),
            nonempty.eq(~last & (self.nonempty | (tuples != 0))),
        ]
        return Tally(self.m, number, stream, lane, nonempty)

    def load(self, next_tally, when):
        """Stores ``next_tally`` in this tally's registers while ``when`` is high."""
        with self.m.If(when):
            self.m.d.sync += [
                getattr(self, key).eq(getattr(next_tally, key))
                for key in ("number", "stream", "lane", "nonempty")
            ]

    def is_at(self, item, ahead):
        """Returns a bit: ``item`` is ``ahead`` tuples after the next tuple, in the same stream."""
        return (
            (item.number == (self.number + ahead)[: len(self.number)])
            & (item.stream == self.stream)
            & (item.lane == (self.lane + ahead)[: len(self.lane)])
        )

    def equals(self, other):
        """Returns a bit: number, stream and lane are equal; ``nonempty`` may differ."""
        return (
            (self.number == other.number)
            & (self.stream == other.stream)
            & (self.lane == other.lane)
        )
