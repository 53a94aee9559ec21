"""Computes the ends of an interval around a value, from the size of the value and its bounds.

The *size* of a value is its absolute value. An interval has a *far* end, whose size is greater than
the value's, and a *near* end, whose size is less. For instance 1000 with a relative bound of
655 / 65536, which is 9.99, and an absolute bound of 20: far 1020, near 980; for -1000 the far end
is -1020, the low end.

The parameter ``register(value, name)`` is a function that returns a value one pipeline stage later.
"""

from amaranth.hdl import C, Cat, Mux

#: Width of a relative bound, a part of the value in units of 1 / 65536.
BOUND_BITS = 16
#: Width of the pieces of a size that are multiplied by the relative bound, in bits.
_CHUNK = 16


def relative_ends(register, size, part):
    """Returns ``outer``, ``inner``, ``plain``: size plus ``part`` of the size, size minus it, size.

    ``part`` is in units of 1 / 65536. The results are 3 stages later, and have :data:`BOUND_BITS`
    bits below the binary point, so they are exact. For instance size 1000 and part 655: 1009.99,
    990.01 and 1000.
    """
    chunks = [size[k : k + _CHUNK] for k in range(0, len(size), _CHUNK)]
    products = [register(chunk * part, f"product{k}") for k, chunk in enumerate(chunks)]
    product = register(sum(p << _CHUNK * k for k, p in enumerate(products)), "product")
    delayed_size = register(register(size, "size_delayed0"), "size_delayed1")
    plain = Cat(C(0, BOUND_BITS), delayed_size)
    sums = {"outer": plain + product, "inner": plain - product, "plain": plain}
    return {name: register(v[: len(plain) + 1], name) for name, v in sums.items()}


def end_sizes(highest, lowest, number, absolute, negative):
    """Returns the sizes ``far`` and ``near`` of both ends, and ``nearest``, the rounded size.

    The wider of both bounds counts. The near size is negative if 0 is inside of the interval.

    Parameters
    ----------
    highest, lowest : Value
        Sizes of the ends by the relative bound.
    number : tuple of Value
        Size of the value: its integer, the first bit of its fraction, and a bit that is high if the
        fraction has further bits that are not 0.
    absolute : Value
        Absolute bound.
    negative : Value
        Sign of the value. A tie is rounded up, so for a negative value to the smaller size.
    """
    integer, half, has_rest = number
    up = integer + absolute
    down = (integer + (half | has_rest)) - absolute
    return {
        "far": Mux(up > highest, up, highest),
        "near": Mux(down < lowest, down, lowest),
        "nearest": integer + (half & (~negative | has_rest)),
    }


def signed_ends(register, far, near, nearest, negative, least, most, suffix=""):
    """Returns the signed ``low``, ``nearest`` and ``high`` within ``least`` and ``most``, by name.

    The results are a stage later. If ``low`` is greater than ``high``, the interval is empty.
    ``suffix`` ends the names of the registers.
    """
    low = Mux(negative, -far, near)
    high = Mux(negative, -near, far)
    low = register(Mux(low < least, least, low), f"low{suffix}")
    high = register(Mux(high > most, most, high), f"high{suffix}")
    nearest = register(Mux(negative, -nearest, nearest), f"signed{suffix}")
    limited = Mux(nearest < low, low, Mux(nearest > high, high, nearest))
    return {"low": low, "nearest": limited, "high": high}
