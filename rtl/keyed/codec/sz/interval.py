"""Interval of the working values that are within the bound of a value."""

from amaranth.hdl import C, Cat, Module, Mux, Signal, Value, signed
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

#: Bits of a working value, and bits of the fraction that a relative bound is.
WORKING_BITS, BOUND_BITS = 32, 16
WORKING = signed(WORKING_BITS)
#: By the width of a float: bits of its fraction, bits of its exponent, and additional bits for
#: values that are larger than a working value but, with a bound of nearly 1, still have one.
FLOATS = {64: (52, 11, 0), 32: (23, 8, 17)}
#: Bits of compared numbers; a longer number is not within the bound of any working value.
_CLIPPED = WORKING_BITS + 2
_CHUNK = 16
_SHIFT_BITS = 7


def bound_layout():
    """Layout of the greatest error of a decompressed value.

    ``relative``, a part of the value, in 1 / 65536; ``absolute``, in working values. The greater
    one counts.
    """
    return data.StructLayout({"relative": BOUND_BITS, "absolute": WORKING_BITS - 1})


def interval_layout(passenger):
    """Layout of the working values from ``low`` to ``high`` that are within the bound of a value.

    ``nearest`` is the nearest one to the value. ``some`` is low if no working value is within the
    bound. ``passenger``.
    """
    ends = dict.fromkeys(("low", "nearest", "high"), WORKING)
    return data.StructLayout({"some": 1, **ends, "passenger": passenger})


class SzInterval(wiring.Component):
    """Computes the working values that are within the bound of each value.

    ::

        i --> size, and --> relative --> size + and - --> / 2^exponent --> wider of --> with --> o
              its sign      of it        that             floor, ceiling   the two      sign

    The arithmetic is exact. The size of a float is its fraction, shifted by the difference of the
    exponents. For instance 1000 and 655 / 65536 of 1000, which is 9.99: 991 to 1009; for -1000:
    -1009 to -991. No working value is within the bound of NaN, an infinity, or a too large value.

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
        step, valid, source = Signal(), Signal(self.latency), self.i.p

        def register(value, name, cycles=1):
            for cycle in range(cycles):
                stage = Signal(value.shape(), name=f"{name}{cycle}", reset_less=True)
                with m.If(step):
                    m.d.sync += stage.eq(value)
                value = stage
            return value

        m.d.comb += [
            step.eq(~valid[-1] | self.o.ready),
            self.i.ready.eq(step),
            self.o.valid.eq(valid[-1]),
            Value.cast(self.o.p.passenger).eq(
                register(Value.cast(source.passenger), "passenger", self.latency)
            ),
        ]
        with m.If(step):
            m.d.sync += valid.eq(Cat(self.i.valid, valid[:-1]))
        size, shift, negative, has_none = self._size(m, register)
        bounds = self._bounds(register, size, register(source.bound.relative, "part"))
        divided = self._divided(register, bounds, register(shift, "shift", 3))
        absolute, negative = (
            register(source.bound.absolute, "absolute", 6),
            register(negative, "n", 5),
        )
        ends = self._ends(register, *divided, absolute, negative)
        self._limit(
            m, register, *ends, register(negative, "negative"), register(has_none, "has_none", 7)
        )
        return m

    def _size(self, m, register):
        """Returns size, shift amount, sign, and a bit that is high if no working value fits."""
        codec, value = self._codec, self.i.p.value
        if codec.kind != "float":
            negative = value[-1] & (codec.kind == "signed")
            size = Mux(negative, -value, value)[: codec.width]
            return register(size, "size"), C(0, 1), register(negative, "sign"), C(0, 1)
        fraction, exponent, extra_bits = FLOATS[codec.width]
        power, normal = value[fraction:-1], value[fraction:-1].any()
        bias, most = (1 << exponent - 1) - 1, (1 << _SHIFT_BITS) - 1
        shift_down = Signal(signed(exponent + 3))
        m.d.comb += shift_down.eq(codec.exponent + bias + fraction + extra_bits - (power | ~normal))
        return (
            register(Cat(C(0, extra_bits), value[:fraction], normal), "size"),
            register(Mux(shift_down > most, most, shift_down)[:_SHIFT_BITS], "shift_down"),
            register(value[-1], "sign"),
            register(power.all() | shift_down[-1], "none"),
        )

    def _bounds(self, register, size, part):
        """Returns size plus ``part`` of the size, size minus ``part``, and size, 16 bits longer."""
        chunks = [size[k : k + _CHUNK] for k in range(0, len(size), _CHUNK)]
        products = [register(chunk * part, f"product{k}") for k, chunk in enumerate(chunks)]
        product = register(sum(p << _CHUNK * k for k, p in enumerate(products)), "product")
        plain = Cat(C(0, BOUND_BITS), register(size, "size_behind", 2))
        sums = {"outer": plain + product, "inner": plain - product, "plain": plain}
        return {name: register(v[: len(plain) + 1], name) for name, v in sums.items()}

    def _divided(self, register, numbers, shift):
        """Returns each number as whole working values, the first fraction bit, and OR of the rest.

        The exponent of integers is constant, so integers need no shift.
        """
        point = BOUND_BITS + (0 if self._codec.kind == "float" else self._codec.exponent)
        shifts, parts = (shift, register(shift, "shift_behind")), []
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

    def _ends(self, register, outer, inner, plain, absolute, negative):
        """Returns the sizes of both ends of the interval, and of the nearest working value.

        The size of the nearer end is negative if 0 is inside of the interval.
        """
        (most, _, _), (least, *fraction), (integer, half, has_rest) = (
            (_clipped(integer), *remainder) for integer, *remainder in (outer, inner, plain)
        )
        up, shift_down = integer + absolute, (integer + (half | has_rest)) - absolute
        least = least + Cat(fraction).any()
        far, near = Mux(up > most, up, most), Mux(shift_down < least, shift_down, least)
        # A tie is rounded up.
        nearest = integer + (half & (~negative | has_rest))
        sizes = {"far": far, "near": near, "nearest": nearest}
        return tuple(register(size, name) for name, size in sizes.items())

    def _limit(self, m, register, far, near, nearest, negative, has_none):
        """Applies the sign, and limits the interval to working values of the column's type."""
        least, most, o = self._codec.least, self._codec.most, self.o.p
        low, high = Mux(negative, -far, near), Mux(negative, -near, far)
        low = register(Mux(low < least, least, low), "low")
        high = register(Mux(high > most, most, high), "high")
        nearest = register(Mux(negative, -nearest, nearest), "signed")
        limited = Mux(nearest < low, low, Mux(nearest > high, high, nearest))
        m.d.comb += [
            o.some.eq(register((low <= high) & ~has_none, "some")),
            o.low.eq(register(low[:WORKING_BITS], "low_end")),
            o.high.eq(register(high[:WORKING_BITS], "high_end")),
            o.nearest.eq(register(limited[:WORKING_BITS], "limited")),
        ]


def _clipped(integer):
    """Returns the number, or a number beyond all working values if it is larger."""
    return Mux(integer[_CLIPPED - 1 :].any(), 1 << _CLIPPED - 1, integer[: _CLIPPED - 1])
