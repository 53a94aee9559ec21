"""The order of values: integers by value, floats by IEEE-754 totalOrder with -0 < +0.

Hardware compares *order keys*: integers whose order is that of the values. An integer is its own
key. A float's key is its bits, all flipped when the sign bit is set, else the sign bit alone: then
plain unsigned order is totalOrder.
"""

from amaranth.hdl import Cat, Value


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


def rank(value, floating):
    """Unsigned number of the same width, whose order is that of the values."""
    key = encode(value, floating)
    return Cat(key[:-1], ~key[-1]) if key.shape().signed else key


def descends(left, right, order):
    """Whether ``right`` belongs before ``left``: like :func:`equal`, on a carry chain.

    ``order`` maps names of fields to whether they are floating, the one that says most first. Of
    three bits each, from the highest down, the first that differ decide. A carry begins where left
    is more, and passes where both are the same: it comes out of ``more + (more | same)``, with a
    bit of either for three bits. For one field of 6 bits::

        left 101 110, right 101 010    same 10, more 01    01 + 11 = 100, carry 1: descends
        left 001 110, right 101 010    same 00, more 01    01 + 01 = 010, carry 0: does not
    """
    same, more = [], []
    for name, floating in reversed(order.items()):
        a, b = Value.cast(left[name]), Value.cast(right[name])
        high, low = rank(a, floating), rank(b, floating)
        for k in range(0, len(a), 3):  # the very bits that `equal` looks at, to share its LUTs
            same.append(a[k : k + 3] == b[k : k + 3])
            more.append(high[k : k + 3] > low[k : k + 3])
    return (Cat(more) + Cat(m | s for m, s in zip(more, same, strict=True)))[len(same)]


def is_nan(bits):
    """The IEEE-754 value of 32 or 64 ``bits`` is not a number."""
    exponent = {32: 8, 64: 11}[len(bits)]
    fraction = len(bits) - 1 - exponent
    return bits[fraction:-1].all() & bits[:fraction].any()
