"""Computes the working values within the bound of a floating-point value, in two scales."""

from amaranth.hdl import C, Cat, Module, Mux, Value, signed
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.codec.sz.interval import FLOATS, bound_layout
from rtl.keyed.codec.sz.interval_ends import BOUND_BITS, end_sizes, relative_ends, signed_ends
from rtl.stream.stages import Stages

#: Bits of a working value.
WORKING_BITS = 24
#: Bits of a scale.
SCALE_BITS = 8
WORKING = signed(WORKING_BITS)
WORKING_MAX = (1 << WORKING_BITS - 1) - 1
#: The unit of a scale is 2^8 times as large as the unit of the scale below, so a scale is the upper
#: bits of an exponent, without its lowest STEP_BITS bits.
STEP_BITS = 3
STEP = 1 << STEP_BITS
#: Finest scale, because the units of the scales below are subnormal.
SCALE_MIN = 3
#: A key in the scale above a value's natural scale keeps this scale at an outlier only if the
#: outlier has at least 2^12 of its units; else the key changes to the natural scale.
COARSE_BITS = 12
#: Bits of the shift of a value; larger shifts count as the largest one, which leaves nothing but 0.
_SHIFT_BITS = 7
#: Bits of the shift of the absolute bound; larger shifts count as the largest one, too.
_BOUND_SHIFT_BITS = 5


def allowed_layout():
    """Layout of the allowed working values of a scale, from ``low`` to ``high``.

    ``nearest`` is the nearest one to the value. If no working value is allowed, ``some`` is low,
    and the others are 0.
    """
    return data.StructLayout({"some": 1} | dict.fromkeys(("low", "nearest", "high"), WORKING))


def scaled_layout(passenger):
    """Layout of the allowed working values of a value, and ``passenger``.

    ``natural`` and ``coarse``: the allowed working values in the value's natural scale, ``scale``,
    and in the scale above, ``scale_above``. ``zero`` is high if 0 is allowed in every scale.
    ``fine`` is high if an outlier may stay in the scale above (:data:`COARSE_BITS`).
    """
    scales = dict.fromkeys(("scale", "scale_above"), SCALE_BITS)
    allowed = dict.fromkeys(("natural", "coarse"), allowed_layout())
    return data.StructLayout({**scales, **allowed, "zero": 1, "fine": 1, "passenger": passenger})


class ScaledSzInterval(wiring.Component):
    """Computes the working values that are within the bound of each floating-point value.

    ::

        i --> greater exponent --> natural --> distances to  --> size +, -    --> floor and --> o
              of value, bound      scale       the scale's top   relative, >>     ceiling in
                                                                                  both scales

    The natural scale is the finest scale in which value and absolute bound have at most 23 bits.
    The scale above has the same numbers without their lowest 8 bits, so one shift serves both. The
    arithmetic is exact, except that the absolute bound is rounded down to whole units of a scale.

    For instance the double 1000.0 with a relative bound of 655 / 65536, here 9.99: scale 129 with
    units of 2^-7, and 126,721 to 129,279; scale 130 with units of 2, and 496 to 504. No working
    value is allowed for NaN, an infinity, and, with a relative bound of 1 % alone, most values that
    are smaller than 50 units of the finest scale.

    Order is kept. All stages advance together. Latency 9 cycles, initiation interval 1 cycle. A
    stall at ``o`` stalls ``i`` once ``o`` is valid.

    Parameters
    ----------
    codec : ScaledSz
    passenger : ShapeLike

    Members
    -------
    i : In(stream.Signature(data.StructLayout(...)))
        ``value``, ``bound`` (:func:`~rtl.keyed.codec.sz.interval.bound_layout`) and ``passenger``.
        The absolute bound is the upper 31 bits, without the sign, of a number of the value's type.
    o : Out(stream.Signature(scaled_layout(passenger)))

    Source: seed 000, section 2.1; scales and arithmetic are ours.
    """

    latency = 9
    initiation_interval = 1

    def __init__(self, codec, passenger=0):
        self._codec = codec
        source = {"value": codec.width, "bound": bound_layout(), "passenger": passenger}
        super().__init__(
            {
                "i": In(stream.Signature(data.StructLayout(source))),
                "o": Out(stream.Signature(scaled_layout(passenger))),
            }
        )

    def elaborate(self, platform):
        m = Module()
        source = self.i.p
        o = self.o.p
        stages = Stages(m, self.i, self.o, self.latency)
        register = stages.register
        m.d.comb += Value.cast(o.passenger).eq(
            register(Value.cast(source.passenger), "passenger", self.latency)
        )
        power = self._power
        absolute = self._absolute
        scale, fine = self._scale(register)
        size_shift, bound_shift = self._shifts(register, scale)
        size = register(Cat(source.value[: self._fraction], power.any()), "size")
        negative = register(source.value[-1], "sign", 6)
        late_negative = register(negative, "late_sign")
        infinite = register(power.all(), "infinite", 8)
        zero = register(self._zero(register), "zero", 5)
        part = register(source.bound.relative, "part")
        numbers, lost_bits = self._shifted(
            register, relative_ends(register, size, part), size_shift
        )
        absolute = register(self._moved_bound(register, absolute, bound_shift), "bound", 2)
        m.d.comb += [
            o.scale.eq(register(scale, "scale", 7)),
            o.scale_above.eq(register((scale + 1)[:SCALE_BITS], "above", 7)),
            o.fine.eq(register(fine, "fine", 7)),
            o.zero.eq(register(zero, "late_zero")),
        ]
        for name, steps in (("natural", 0), ("coarse", STEP)):
            sizes = self._sizes(
                register, numbers, lost_bits, absolute >> steps, steps, negative, name
            )
            limited = self._limited(register, *sizes, late_negative, infinite, zero, name)
            m.d.comb += (o[name][member].eq(value) for member, value in limited.items())
        return m

    @property
    def _fraction(self):
        """Bits of the fraction of a value."""
        return FLOATS[self._codec.width][0]

    @property
    def _power(self):
        """The biased exponent of the value."""
        return self.i.p.value[self._fraction : -1]

    @property
    def _bound_power(self):
        """The biased exponent of the absolute bound."""
        return self.i.p.bound.absolute[-len(self._power) :]

    @property
    def _absolute(self):
        """The absolute bound, or 0 if it is subnormal."""
        absolute = self.i.p.bound.absolute
        return Mux(self._bound_power.any(), absolute, 0)

    def _scale(self, register):
        """Returns the natural scale and the flag ``fine``, 2 cycles later."""
        power = self._power
        bound_power = self._bound_power
        greater = register(Mux(power > bound_power, power, bound_power), "greater")
        above = greater + 1
        scale = above[STEP_BITS:][:SCALE_BITS]
        distance = above[:STEP_BITS]
        normal = scale >= SCALE_MIN
        is_fine = normal & (distance >= STEP - (WORKING_BITS - 1 - STEP - COARSE_BITS))
        return register(Mux(normal, scale, SCALE_MIN), "scale_of"), register(is_fine, "is_fine")

    def _shifts(self, register, scale):
        """Returns by how many bits value and absolute bound lie below the scale's top, 3 cycles
        later.

        A number whose highest bit is the top bit of a working value has the exponent 8 scale + 6.
        """
        top = Cat(C(STEP - 2, STEP_BITS), scale)
        power = register(self._power | ~self._power.any(), "power", 2)
        bound_power = register(self._bound_power, "bound_power", 2)
        return (
            register(_clipped(top - power, _SHIFT_BITS), "size_shift"),
            register(_clipped(top - bound_power, _BOUND_SHIFT_BITS), "bound_shift"),
        )

    def _zero(self, register):
        """Returns a bit that is high if the value's size is at most the absolute bound, 3 cycles
        later."""
        value = self.i.p.value[:-1]
        absolute = self._absolute
        high = register(value[-len(absolute) :], "high_size")
        has_rest = register(value[: -len(absolute)].any(), "size_rest")
        absolute = register(absolute, "absolute")
        less = register(high < absolute, "less")
        equal = register((high == absolute) & ~has_rest, "equal")
        return register(less | equal, "at_most")

    def _shifted(self, register, numbers, shift):
        """Returns each number shifted down, and whether a 1 was shifted out of it, by name."""
        shifts = register(shift, "shift0"), register(shift, "shift1", 2)
        steps = (range(4, _SHIFT_BITS), range(4))
        lost_bits = dict.fromkeys(numbers, C(0, 1))
        for cycle, (bits, amount) in enumerate(zip(steps, shifts, strict=True)):
            for name, number in numbers.items():
                shifted = number
                lost = lost_bits[name]
                for bit in reversed(bits):
                    lost = lost | (amount[bit] & shifted[: 1 << bit].any())
                    shifted = Mux(amount[bit], shifted >> (1 << bit), shifted)
                numbers[name] = register(shifted, f"{name}_shifted{cycle}")
                lost_bits[name] = register(lost, f"{name}_lost{cycle}")
        return numbers, lost_bits

    def _moved_bound(self, register, absolute, shift):
        """Returns the absolute bound in units of the natural scale, rounded down, 4 cycles later.

        ``shift`` is 3 cycles late. With floats of 32 bits the significand has 24 bits, one more
        than the size of a working value, so its lowest bit is dropped. With doubles it has 21 bits.
        """
        fraction = len(absolute) - len(self._power)
        significand = register(Cat(absolute[:fraction], absolute[fraction:].any()), "absolute1", 3)
        below = WORKING_BITS - 1 - len(significand)
        aligned = Cat(C(0, below), significand) if below >= 0 else significand[-below:]
        return register(aligned >> shift, "bound_moved")

    def _sizes(self, register, numbers, lost_bits, absolute, steps, negative, scale):
        """Returns the sizes of the far end, the near end, and the nearest working value.

        ``steps`` is the number of bits that the scale is above the natural scale.
        """
        point = BOUND_BITS + self._fraction + 2 - WORKING_BITS + steps
        highest = numbers["outer"][point:]
        lowest = numbers["inner"][point:] + (numbers["inner"][:point].any() | lost_bits["inner"])
        plain = numbers["plain"]
        number = plain[point:], plain[point - 1], plain[: point - 1].any() | lost_bits["plain"]
        sizes = end_sizes(highest, lowest, number, absolute, negative)
        return tuple(register(size, f"{name}_{scale}") for name, size in sizes.items())

    def _limited(self, register, far, near, nearest, negative, infinite, zero, scale):
        """Returns the members of :func:`allowed_layout`: the signed ends and the nearest value.

        They are limited to working values, and are 0 if no working value is within the bound.
        """
        ends = signed_ends(
            *(register, far, near, nearest, negative, -WORKING_MAX, WORKING_MAX, f"_{scale}")
        )
        within = (ends["low"] <= ends["high"]) & ~infinite
        members = {name: Mux(within, end, 0)[:WORKING_BITS] for name, end in ends.items()}
        members["some"] = within | zero
        return {name: register(bits, f"{name}_of_{scale}") for name, bits in members.items()}


def _clipped(number, bits):
    """Returns the number in ``bits`` bits; a larger number becomes the largest one."""
    return Mux(number[bits:].any(), (1 << bits) - 1, number[:bits])
