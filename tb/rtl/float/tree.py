"""A plain model of the order in which windows of keys add floating-point numbers."""

from tb.rtl.float.adding import numpy_sums


def tree_sum(format_, values):
    """Returns the sum of ``values`` (bits by tuple number), as a tree over all numbers.

    The tree splits at the first bit in which the numbers differ: 3 to 9 (0011 to 1001) at 8.
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
