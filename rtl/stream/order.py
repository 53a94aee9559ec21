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
    """Whether two values are equal and ``also`` is high: one LUT for three bits, and a carry chain.

    A carry goes all the way through a number that is all ones, and through no other. So the result
    is the carry out of ``parts + 1``, where each bit of ``parts`` says that three bits are equal,
    and ``also`` is the last of them. For values of 6 bits::

        left 101 110, right 101 110, also 1    parts 111    111 + 1 = 1000, carry 1: equal
        left 101 110, right 101 010, also 1    parts 110    110 + 1 = 0111, carry 0: not

    What is left to a synthesis tool becomes a tree of LUTs: more of them, and three levels deep.

    ``also`` is applied once more to the result: in simulation one undefined bit of ``parts`` makes
    all of the sum undefined, and values of which ``also`` says that they do not count may be so.
    """
    parts = [left[k : k + 3] == right[k : k + 3] for k in range(0, len(left), 3)]
    return (Cat(parts, also) + 1)[len(parts) + 1] & also


def is_nan(bits):
    """The IEEE-754 value of 32 or 64 ``bits`` is not a number."""
    exponent = {32: 8, 64: 11}[len(bits)]
    fraction = len(bits) - 1 - exponent
    return bits[fraction:-1].all() & bits[:fraction].any()
