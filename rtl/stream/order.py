"""The order of values: integers by value, floats by IEEE-754 totalOrder with -0 < +0.

Hardware compares *order keys*: integers whose order is that of the values. An integer is its own
key. A float's key is its bits, all flipped when the sign bit is set, else the sign bit alone: then
plain unsigned order is totalOrder.
"""

from amaranth.hdl import Cat


def encode(value, floating):
    """Order key of ``value``; the same width."""
    if not floating:
        return value
    return value ^ Cat(value[-1].replicate(len(value) - 1), 1)


def decode(key, floating):
    """The value whose order key is ``key``; the same width."""
    if not floating:
        return key
    return key ^ Cat((~key[-1]).replicate(len(key) - 1), 1)


def equal(left, right, also=1):
    """Whether two values are equal and ``also`` is high; three bits to a LUT, and a carry chain.

    What is left to a synthesis tool becomes a tree of LUTs: more of them, and three levels deep.
    In simulation an undefined bit makes a whole sum undefined; hence ``also`` has a say behind it
    once more, and what is compared in vain may be anything.
    """
    parts = [left[k : k + 3] == right[k : k + 3] for k in range(0, len(left), 3)]
    return (Cat(parts, also) + 1)[len(parts) + 1] & also


def is_nan(bits):
    """The IEEE-754 value of 32 or 64 ``bits`` is not a number."""
    exponent = {32: 8, 64: 11}[len(bits)]
    fraction = len(bits) - 1 - exponent
    return bits[fraction:-1].all() & bits[:fraction].any()
