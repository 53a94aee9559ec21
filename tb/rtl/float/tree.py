"""The order in which windows of keys add floating-point numbers: a plain model."""

from tb.rtl.float.adding import numpy_sums


def tree_sum(format_, values):
    """The sum of bits by the numbers of their tuples: halves of a tree over all numbers.

    Halved where the numbers first differ: 3 to 9 (0011 to 1001) at 8.
    """
    if len(values) == 1:
        return next(iter(values.values()))
    places = max(min(values) ^ max(values), 1).bit_length() - 1
    middle = max(values) >> places << places
    halves = [
        tree_sum(format_, {n: bits for n, bits in values.items() if (n >= middle) == right})
        for right in (False, True)
    ]
    return numpy_sums(format_, [halves])[0]
