"""Which working values may stand for a value: what SZ knows of it before it looks at others."""

from amaranth.hdl import C, Cat, Module, Mux, Signal, Value, signed
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

#: A working value, and the parts of 1 that a relative bound has.
WORKING_BITS, BOUND_BITS = 32, 16
WORKING = signed(WORKING_BITS)
#: By the width of a float: bits of its fraction and of its exponent, and how many bits of a larger
#: value a bound of nearly 1 makes up for.
FLOATS = {64: (52, 11, 0), 32: (23, 8, 17)}
#: Bits of the numbers that are compared: what is more is none that may stand for a value.
_CLIPPED = WORKING_BITS + 2
_CHUNK = 16
_SHIFT_BITS = 7


def bound_layout():
    """Layout of how far from a value one may be that stands for it.

    ``relative``, a part of the value, in 1 / 65536; ``absolute``, in working values. The greater of
    both holds.
    """
    return data.StructLayout({"relative": BOUND_BITS, "absolute": WORKING_BITS - 1})


def interval_layout(passenger):
    """Layout of the working values ``low`` to ``high`` that may stand for a value, if ``some`` do.

    ``nearest`` of them is the nearest one. ``passenger``.
    """
    ends = dict.fromkeys(("low", "nearest", "high"), WORKING)
    return data.StructLayout({"some": 1, **ends, "passenger": passenger})


class SzInterval(wiring.Component):
    """Gives the working values that are within the bound of each value.

    ::

        i --> size, and --> relative --> size + and - --> / 2^exponent --> wider of --> with --> o
              its sign      of it        that             floor, ceiling   the two      sign

    All of that is exact. It is worked out of the value's size; a float is its fraction, which is
    moved to where the exponents say. For instance 1000 and 655 / 65536, which is 9.99 of it: 991 to
    1009; -1000: -1009 to -991. None may stand for NaN, an infinity, or what is too large.

    Order is kept. It moves as one. Latency 9 cycles, initiation interval 1 cycle. A stall at ``o``
    stalls ``i`` once something is on offer.

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
        goes = {"value": codec.width, "bound": bound_layout(), "passenger": passenger}
        super().__init__(
            {
                "i": In(stream.Signature(data.StructLayout(goes))),
                "o": Out(stream.Signature(interval_layout(passenger))),
            }
        )

    def elaborate(self, platform):
        m = Module()
        step, valid, goes = Signal(), Signal(self.latency), self.i.p

        def register(value, name, cycles=1):
            for cycle in range(cycles):
                kept = Signal(value.shape(), name=f"{name}{cycle}", reset_less=True)
                with m.If(step):
                    m.d.sync += kept.eq(value)
                value = kept
            return value

        m.d.comb += [
            step.eq(~valid[-1] | self.o.ready),
            self.i.ready.eq(step),
            self.o.valid.eq(valid[-1]),
            Value.cast(self.o.p.passenger).eq(
                register(Value.cast(goes.passenger), "passenger", self.latency)
            ),
        ]
        with m.If(step):
            m.d.sync += valid.eq(Cat(self.i.valid, valid[:-1]))
        size, shift, negative, never = self._size(m, register)
        around = self._around(register, size, register(goes.bound.relative, "part"))
        divided = self._divided(register, around, register(shift, "shift", 3))
        absolute, negative = (
            register(goes.bound.absolute, "absolute", 6),
            register(negative, "n", 5),
        )
        wide = self._widest(register, *divided, absolute, negative)
        self._choose(
            m, register, *wide, register(negative, "negative"), register(never, "never", 7)
        )
        return m

    def _size(self, m, register):
        """Of a value the size, by how many bits that is to be moved down, the sign, and whether it
        is none that working values stand for."""
        codec, value = self._codec, self.i.p.value
        if codec.kind != "float":
            negative = value[-1] & (codec.kind == "signed")
            size = Mux(negative, -value, value)[: codec.width]
            return register(size, "size"), C(0, 1), register(negative, "sign"), C(0, 1)
        fraction, exponent, more = FLOATS[codec.width]
        power, normal = value[fraction:-1], value[fraction:-1].any()
        bias, most = (1 << exponent - 1) - 1, (1 << _SHIFT_BITS) - 1
        down = Signal(signed(exponent + 3))
        m.d.comb += down.eq(codec.exponent + bias + fraction + more - (power | ~normal))
        return (
            register(Cat(C(0, more), value[:fraction], normal), "size"),
            register(Mux(down > most, most, down)[:_SHIFT_BITS], "down"),
            register(value[-1], "sign"),
            register(power.all() | down[-1], "none"),
        )

    def _around(self, register, size, part):
        """What is ``part`` more than the size, what is less, and the size; with 16 bits more."""
        chunks = [size[k : k + _CHUNK] for k in range(0, len(size), _CHUNK)]
        products = [register(chunk * part, f"product{k}") for k, chunk in enumerate(chunks)]
        product = register(sum(p << _CHUNK * k for k, p in enumerate(products)), "product")
        plain = Cat(C(0, BOUND_BITS), register(size, "size_behind", 2))
        made = {"outer": plain + product, "inner": plain - product, "plain": plain}
        return {name: register(v[: len(plain) + 1], name) for name, v in made.items()}

    def _divided(self, register, numbers, shift):
        """Each in working values: what is whole, the half, and whether there is more behind it.

        Of integers the exponent is built in, so nothing moves.
        """
        point = BOUND_BITS + (0 if self._codec.kind == "float" else self._codec.exponent)
        shifts, found = (shift, register(shift, "shift_behind")), []
        steps = (range(4, _SHIFT_BITS), range(4))
        for name, number in numbers.items():
            rest = C(0, 1)
            for cycle, (bits, by) in enumerate(zip(steps, shifts, strict=True)):
                for bit in reversed(bits) if self._codec.kind == "float" else ():
                    rest = rest | (by[bit] & number[: 1 << bit].any())
                    number = Mux(by[bit], number >> (1 << bit), number)
                number = register(number, f"{name}_moved{cycle}")
                rest = register(rest, f"{name}_rest{cycle}")
            below = number[: point - 1].any() | rest
            found.append((number[point:], number[point - 1], below))
        return found

    def _widest(self, register, outer, inner, plain, absolute, negative):
        """Sizes of the interval's ends, the nearer one less than 0 if 0 is inside; the nearest."""
        (most, _, _), (least, *behind), (whole, half, below) = (
            (_clipped(whole), *rest) for whole, *rest in (outer, inner, plain)
        )
        up, down = whole + absolute, (whole + (half | below)) - absolute
        least = least + Cat(behind).any()
        far, near = Mux(up > most, up, most), Mux(down < least, down, least)
        # Of two the upper one.
        nearest = whole + (half & (~negative | below))
        sizes = {"far": far, "near": near, "nearest": nearest}
        return tuple(register(size, name) for name, size in sizes.items())

    def _choose(self, m, register, far, near, nearest, negative, never):
        """Working values from sizes, and of them those that are values."""
        least, most, o = self._codec.least, self._codec.most, self.o.p
        low, high = Mux(negative, -far, near), Mux(negative, -near, far)
        low = register(Mux(low < least, least, low), "low")
        high = register(Mux(high > most, most, high), "high")
        nearest = register(Mux(negative, -nearest, nearest), "signed")
        inside = Mux(nearest < low, low, Mux(nearest > high, high, nearest))
        m.d.comb += [
            o.some.eq(register((low <= high) & ~never, "some")),
            o.low.eq(register(low[:WORKING_BITS], "low_end")),
            o.high.eq(register(high[:WORKING_BITS], "high_end")),
            o.nearest.eq(register(inside[:WORKING_BITS], "inside")),
        ]


def _clipped(whole):
    """The number, or if it is larger one that is none a working value is compared with."""
    return Mux(whole[_CLIPPED - 1 :].any(), 1 << _CLIPPED - 1, whole[: _CLIPPED - 1])
