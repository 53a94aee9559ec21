"""Computes the interval of the working values that are within the bound of a value."""

from amaranth.hdl import C, Cat, Module, Mux, Signal, Value, signed
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.codec.sz.interval_ends import BOUND_BITS, end_sizes, relative_ends, signed_ends
from rtl.stream.stages import Stages

#: Width of a working value, in bits.
WORKING_BITS = 32
WORKING = signed(WORKING_BITS)
#: By the width of a float: bits of its fraction, bits of its exponent, and additional bits of its
#: size. A relative bound of nearly 1 leaves 1 / 65536 of the value, so a value of up to 2^16 times
#: the greatest working value may have a working value within the bound. The greatest working value
#: is below 2^24 for a float of 32 bits, so its size needs 41 bits: 24, and 17 additional bits. For
#: a double it is below 2^31, and the 53 bits of the size suffice for 2^47.
FLOATS = {64: (52, 11, 0), 32: (23, 8, 17)}
#: Bits of compared numbers; a longer number is beyond all working values.
_CLIPPED = WORKING_BITS + 2
_SHIFT_BITS = 7


def bound_layout():
    """Layout of the greatest error of a decompressed value.

    ``relative``, a part of the value, in 1 / 65536; ``absolute``, in units of a working value, or
    for :class:`~rtl.keyed.codec.sz.scaled_interval.ScaledSzInterval` the upper bits of a float. The
    greater bound counts.
    """
    return data.StructLayout({"relative": BOUND_BITS, "absolute": WORKING_BITS - 1})


def interval_layout(passenger):
    """Layout of an interval: the working values within the bound of a value, and ``passenger``.

    They are the working values from ``low`` to ``high``; ``nearest`` is the one nearest to the
    value. ``some`` is low if no working value is within the bound.
    """
    ends = dict.fromkeys(("low", "nearest", "high"), WORKING)
    return data.StructLayout({"some": 1, **ends, "passenger": passenger})


class SzInterval(wiring.Component):
    """Computes the working values that are within the bound of each value.

    A *working value* is a whole number w of 32 bits, which stands for w * 2^``codec.exponent``
    (:class:`~rtl.keyed.codec.sz.sz.Sz`). The *size* of a value is its absolute value; the interval
    is computed from the size, and gets the sign at the end.

    ::

        i --> size --> relative --> size +, - --> / 2^exponent --> wider of --> apply --> o
              and sign bound        that bound    floor, ceiling   2 bounds     sign

    The arithmetic is exact: the greater end is rounded down, and the lesser end up. The size of a
    float is its fraction, shifted by the difference of its exponent and ``codec.exponent``. For
    instance with exponent 0 the value 1000 and a relative bound of 655 / 65536, which is 9.99 of
    1000, have the interval 991 to 1009, and -1000 has -1009 to -991. No working value is within the
    bound of NaN, an infinity, or a too large value.

    Order is kept. All stages advance together. Latency 9 cycles, initiation interval 1 cycle. A
    stall at ``o`` stalls ``i`` once ``o`` is valid.

    Parameters
    ----------
    codec : Sz
    passenger : ShapeLike

    Members
    -------
    i : In(stream.Signature(data.StructLayout(...)))
        ``value``, ``bound`` (:func:`bound_layout`) and ``passenger``.
    o : Out(stream.Signature(interval_layout(passenger)))

    Source: seed 000, section 2.1; the arithmetic is ours.
    """

    latency = 9
    initiation_interval = 1

    def __init__(self, codec, passenger=0):
        self._codec = codec
        source = {"value": codec.width, "bound": bound_layout(), "passenger": passenger}
        super().__init__(
            {
                "i": In(stream.Signature(data.StructLayout(source))),
                "o": Out(stream.Signature(interval_layout(passenger))),
            }
        )

    def elaborate(self, platform):
        m = Module()
        source = self.i.p
        stages = Stages(m, self.i, self.o, self.latency)
        register = stages.register
        m.d.comb += Value.cast(self.o.p.passenger).eq(
            register(Value.cast(source.passenger), "passenger", self.latency)
        )
        size, shift, negative, has_none = self._size(m, register)
        ends = relative_ends(register, size, register(source.bound.relative, "part"))
        divided = self._divided(register, ends, register(shift, "shift", 3))
        absolute = register(source.bound.absolute, "absolute", 6)
        negative = register(negative, "n", 5)
        sizes = self._sizes(register, *divided, absolute, negative)
        self._limit(
            m, register, *sizes, register(negative, "negative"), register(has_none, "has_none", 7)
        )
        return m

    def _size(self, m, register):
        """Returns size, shift amount, sign, and a bit that is high if no working value fits."""
        codec = self._codec
        value = self.i.p.value
        if codec.kind != "float":
            negative = value[-1] & (codec.kind == "signed")
            size = Mux(negative, -value, value)[: codec.width]
            return register(size, "size"), C(0, 1), register(negative, "sign"), C(0, 1)
        fraction, exponent, extra_bits = FLOATS[codec.width]
        power = value[fraction:-1]
        normal = value[fraction:-1].any()
        bias = (1 << exponent - 1) - 1
        most = (1 << _SHIFT_BITS) - 1
        shift_down = Signal(signed(exponent + 3))
        m.d.comb += shift_down.eq(codec.exponent + bias + fraction + extra_bits - (power | ~normal))
        return (
            register(Cat(C(0, extra_bits), value[:fraction], normal), "size"),
            register(Mux(shift_down > most, most, shift_down)[:_SHIFT_BITS], "shift_down"),
            register(value[-1], "sign"),
            register(power.all() | shift_down[-1], "none"),
        )

    def _divided(self, register, numbers, shift):
        """Returns each number as whole working values, the first fraction bit, and OR of the rest.

        A float is shifted in two cycles: by the three upper bits of ``shift``, and then by its four
        lower bits. The exponent of integers is constant, so integers need no shift. For instance an
        integer of 13 with exponent 3 is 1.625 working values: 1, the bit 1, and 1 for the rest.
        """
        point = BOUND_BITS + (0 if self._codec.kind == "float" else self._codec.exponent)
        shifts = (shift, register(shift, "shift_behind"))
        parts = []
        steps = (range(4, _SHIFT_BITS), range(4))
        for name, number in numbers.items():
            remainder = C(0, 1)
            for cycle, (bits, amount) in enumerate(zip(steps, shifts, strict=True)):
                for bit in reversed(bits) if self._codec.kind == "float" else ():
                    remainder = remainder | (amount[bit] & number[: 1 << bit].any())
                    number = Mux(amount[bit], number >> (1 << bit), number)
                number = register(number, f"{name}_moved{cycle}")
                remainder = register(remainder, f"{name}_rest{cycle}")
            has_rest = number[: point - 1].any() | remainder
            parts.append((number[point:], number[point - 1], has_rest))
        return parts

    def _sizes(self, register, outer, inner, plain, absolute, negative):
        """Returns the sizes of the far end, the near end, and the nearest working value.

        ``outer`` and ``inner`` are the ends by the relative bound: the far end is rounded down, and
        the near end up, so that both are within the bound.
        """
        (most, _, _), (least, *fraction), number = (
            (_clipped(integer), *remainder) for integer, *remainder in (outer, inner, plain)
        )
        sizes = end_sizes(most, least + Cat(fraction).any(), number, absolute, negative)
        return tuple(register(size, name) for name, size in sizes.items())

    def _limit(self, m, register, far, near, nearest, negative, has_none):
        """Applies the sign, and limits the interval to working values of the column's type."""
        codec = self._codec
        o = self.o.p
        ends = signed_ends(register, far, near, nearest, negative, codec.least, codec.most)
        m.d.comb += [
            o.some.eq(register((ends["low"] <= ends["high"]) & ~has_none, "some")),
            o.low.eq(register(ends["low"][:WORKING_BITS], "low_end")),
            o.high.eq(register(ends["high"][:WORKING_BITS], "high_end")),
            o.nearest.eq(register(ends["nearest"][:WORKING_BITS], "limited")),
        ]


def _clipped(integer):
    """Returns the number, or a number beyond all working values if it is larger."""
    return Mux(integer[_CLIPPED - 1 :].any(), 1 << _CLIPPED - 1, integer[: _CLIPPED - 1])
