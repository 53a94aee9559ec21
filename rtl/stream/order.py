"""The order of values: integers by value, floats by IEEE-754 totalOrder with -0 < +0.

Hardware compares *order keys*: integers in the same order as the values. An integer is its own key.
The key of a float is its bits, all inverted when the sign bit is set, otherwise with only the sign
bit inverted: the unsigned order of the keys is totalOrder.
"""

from amaranth.hdl import Cat, Value


def encode(value, floating):
    """Returns the order key of ``value``; the same width."""
    if not floating:
        return value
    return value ^ Cat(value[-1].replicate(len(value) - 1), 1)


def decode(key, floating):
    """Returns the value whose order key is ``key``; the same width."""
    if not floating:
        return key
    return key ^ Cat((~key[-1]).replicate(len(key) - 1), 1)


def equal(left, right, also=1):
    """Returns a bit: two values are equal and ``also`` is high. Takes one LUT for three bits, and a
    carry chain.

    A carry passes through all of a number only if the number is all ones. So the result is the
    carry out of ``parts + 1``: each bit of ``parts`` is high if three bits are equal, and the
    highest bit is ``also``. For values of 6 bits::

        left 101 110, right 101 110, also 1    parts 111    111 + 1 = 1000, carry 1: equal
        left 101 110, right 101 010, also 1    parts 110    110 + 1 = 0111, carry 0: not

    A synthesis tool by itself makes a tree of LUTs: more LUTs, and three levels deep.

    The result is combined with ``also`` once more: in simulation one undefined bit of ``parts``
    makes all of the sum undefined, and values that do not count, because ``also`` is low, may be
    undefined.
    """
    parts = [left[k : k + 3] == right[k : k + 3] for k in range(0, len(left), 3)]
    return (Cat(parts, also) + 1)[len(parts) + 1] & also


def rank(value, floating):
    """Returns an unsigned number of the same width, whose order is the order of the values."""
    key = encode(value, floating)
    return Cat(key[:-1], ~key[-1]) if key.shape().signed else key


def unranked(number, shape, floating):
    """Returns the value of ``shape`` with the rank ``number``: the reverse of :func:`rank`."""
    if floating:
        return decode(number, True)
    return Cat(number[:-1], ~number[-1]).as_signed() if shape.signed else number


def descends(left, right, order):
    """Returns a bit: ``right`` belongs before ``left``. Like :func:`equal` it uses a carry chain.

    ``order`` maps names of fields to whether they are floating, the most significant field first.
    The highest group of three bits that differs decides. A carry begins where left is greater, and
    passes where both are the same: it is the carry out of ``greater + (greater | same)``, with a
    bit of both for each group. For one field of 6 bits::

        left 101 110, right 101 010    same 10, greater 01    01 + 11 = 100, carry 1: descends
        left 001 110, right 101 010    same 00, greater 01    01 + 01 = 010, carry 0: does not
    """
    equal_groups = []
    greater = []
    for name, floating in reversed(order.items()):
        a = Value.cast(left[name])
        b = Value.cast(right[name])
        high = rank(a, floating)
        low = rank(b, floating)
        for k in range(0, len(a), 3):  # the same groups of bits as in `equal`, to share its LUTs
            equal_groups.append(a[k : k + 3] == b[k : k + 3])
            greater.append(high[k : k + 3] > low[k : k + 3])
    return (Cat(greater) + Cat(g | s for g, s in zip(greater, equal_groups, strict=True)))[
        len(equal_groups)
    ]


def is_nan(bits):
    """Returns a bit: the IEEE-754 value of 32 or 64 ``bits`` is not a number."""
    exponent = {32: 8, 64: 11}[len(bits)]
    fraction = len(bits) - 1 - exponent
    return bits[fraction:-1].all() & bits[:fraction].any()
