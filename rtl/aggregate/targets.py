"""Computes targets of percentiles: the rank ceil(p * n), from 1, among n sorted values."""

from fractions import Fraction

from amaranth.hdl import Array, Cat, Const, Module, Signal
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import bits_for

#: Bits of a count that one look-up table multiplies by a compiled-in fraction.
DIGIT = 5
#: Fraction bits of a p that is set at run time.
FRACTION_BITS = 16


def scaled(fraction, n_max):
    """Returns (m, s) with ``ceil(m * n / 2**s) == ceil(fraction * n)`` for n from 0 to ``n_max``.

    Let a / b be the fraction. m is a * 2**s / b rounded down, with remainder r. So the product
    m * n / 2**s is less than a * n / b by n * r / (b * 2**s). If the difference is below 1 / b, no
    multiple of 1 / b, and so no integer, lies between the two: s is the least number with
    n_max * r < 2**s.

    For 9/10 and n up to 7: s = 6, 576 / 10 is m = 57 with r = 6, and 7 * 6 < 64. So 0.9 * 7 = 6.3
    becomes 57 * 7 / 64 = 6.23, and both round up to 7.
    """
    a = fraction.numerator
    b = fraction.denominator
    s = 0
    while n_max * ((a << s) % b) >= 1 << s:
        s += 1
    return (a << s) // b, s


def wait_of(targets, n_max):
    """Returns the latency of the targets of several percentiles, in cycles.

    Each target is a compiled-in p (Fraction) or the name of an input that holds p; all targets must
    be of one kind.
    """
    kinds = {isinstance(target, Fraction) for target in targets}
    if len(kinds) != 1:
        raise ValueError(f"targets must be all of one kind, not {tuple(targets)}")
    return CompiledTargets.latency if kinds.pop() else RunTimeTargets.latency_of(n_max)


def compiled_target(fraction, n_max, count):
    """Returns ``ceil(fraction * count)`` for a compiled-in fraction, and counts up to ``n_max``.

    No multiplier: the count is cut into digits of 5 bits. A digit's product with the constant takes
    one LUT per bit, and the products are added.
    """
    multiple, shift = scaled(fraction, n_max)
    return (_product(multiple, count) + ((1 << shift) - 1)) >> shift


def _product(multiple, count):
    if multiple & (multiple - 1) == 0:
        return count << (multiple.bit_length() - 1)
    digits = [count[low : low + DIGIT] for low in range(0, len(count), DIGIT)]
    return sum(_table(multiple, digit) << DIGIT * k for k, digit in enumerate(digits))


def _table(multiple, digit):
    """Returns the product of a digit and the constant, from a look-up table per bit."""
    products = [k * multiple for k in range(1 << len(digit))]
    return Cat(
        Const(
            sum((product >> bit & 1) << k for k, product in enumerate(products)), len(products)
        ).bit_select(digit, 1)
        for bit in range(products[-1].bit_length())
    )


class CompiledTargets(wiring.Component):
    """Computes ``ceil(p * n)`` for a compiled-in p and one n per lane.

    See :func:`compiled_target`. While ``enable`` is low all registers hold. Latency 1 enabled
    cycle, initiation interval 1.

    Parameters
    ----------
    fraction : Fraction
        p, with 0 < p <= 1.
    lanes : int
    n_max : int
        The greatest n, at least 1.

    Members
    -------
    enable : In(1)
    counts : In(data.ArrayLayout(bits_for(n_max), lanes))
    targets : Out(data.ArrayLayout(bits_for(n_max), lanes))
    """

    latency = 1
    initiation_interval = 1

    def __init__(self, fraction, lanes, n_max):
        if not 0 < fraction <= 1:
            raise ValueError(f"fraction must be above 0 and at most 1, not {fraction}")
        self._fraction = fraction
        self._n_max = n_max
        numbers = data.ArrayLayout(bits_for(n_max), lanes)
        super().__init__({"enable": In(1), "counts": In(numbers), "targets": Out(numbers)})

    def elaborate(self, platform):
        m = Module()
        for count, target in zip(self.counts, self.targets, strict=True):
            with m.If(self.enable):
                m.d.sync += target.eq(compiled_target(self._fraction, self._n_max, count))
        return m


class RunTimeTargets(wiring.Component):
    """Computes ``ceil(p * n)`` for an input p and one n per lane.

    No multiplier: n is processed two bits at a time, lowest bits first, in two steps per register
    level. The total starts at 65535/65536, which rounds up. Each step adds 0, p, 2p or 3p to the
    total and then drops the total's two lowest bits, as long as they are fraction bits: so the
    adders for the lowest 16 bits of n have at most 19 bits, 2 more than p. For n = 10 and p = 1/2
    the total is (10 * 32768 + 65535) / 65536 = 5.99..., and the target 5.

    While ``enable`` is low all registers hold. Latency ``1 + ceil(bits of n / 4)`` enabled cycles,
    initiation interval 1.

    Parameters
    ----------
    lanes : int
    n_max : int
        The greatest n.

    Members
    -------
    enable : In(1)
    fraction : In(17)
        p in units of 1/65536, at most 65536.
    counts : In(data.ArrayLayout(bits_for(n_max), lanes))
    targets : Out(data.ArrayLayout(bits_for(n_max), lanes))
    """

    initiation_interval = 1

    def __init__(self, lanes, n_max):
        self._n_max = n_max
        numbers = data.ArrayLayout(bits_for(n_max), lanes)
        super().__init__(
            {"enable": In(1), "fraction": In(17), "counts": In(numbers), "targets": Out(numbers)}
        )

    @staticmethod
    def latency_of(n_max):
        """Latency in cycles: one, and one more for every four bits of n."""
        return 1 + -(-bits_for(n_max) // 4)

    @property
    def latency(self):
        return self.latency_of(self._n_max)

    def elaborate(self, platform):
        m = Module()
        once = self._register(m, self.fraction, "once")
        thrice = self._register(m, self.fraction + (self.fraction << 1), "thrice")
        counts = [
            self._register(m, count, f"count{lane}") for lane, count in enumerate(self.counts)
        ]
        totals = [Const((1 << FRACTION_BITS) - 1)] * len(counts)
        for level in range(self.latency - 1):
            for lane, count in enumerate(counts):
                for digit in range(2):
                    bits = count[2 * digit : 2 * digit + 2]
                    product = Array([0, once, once << 1, thrice])[bits]
                    totals[lane] = self._add(totals[lane], product, 2 * level + digit)
                totals[lane] = self._register(m, totals[lane], f"total{level}_{lane}")
                counts[lane] = self._register(m, count[4:], f"count{level}_{lane}")
            once = self._register(m, once, f"once{level}")
            thrice = self._register(m, thrice, f"thrice{level}")
        fraction_left = max(0, FRACTION_BITS - 4 * (self.latency - 1))
        for total, target in zip(totals, self.targets, strict=True):
            m.d.comb += target.eq(total >> fraction_left)
        return m

    def _register(self, m, value, name):
        out = Signal(value.shape(), name=name, reset_less=True)
        with m.If(self.enable):
            m.d.sync += out.eq(value)
        return out

    @staticmethod
    def _add(total, product, digit):
        """Returns the sum without its two lowest bits, if they are fraction bits."""
        if 2 * digit < FRACTION_BITS:
            return (total + product)[2:19]  # below 65536, as the first total
        return total + (product << 2 * digit - FRACTION_BITS)
