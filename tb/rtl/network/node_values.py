"""Random numbers and blocks for the tests of sums by nodes, and the nodes by the plain tree."""

from rtl.network.nodes import block_nodes
from tb.rtl.float.tree import tree_sum


def drawn(rng, format_):
    """Returns a number: mostly of similar magnitude, sometimes a rare one."""
    one = ((1 << (format_.exponent - 1)) - 1) << format_.mantissa
    bits = one + rng.getrandbits(format_.mantissa + 2)
    rare = (0, 1, 3, (1 << format_.mantissa) - 1, 5 << format_.mantissa - 1)
    rare += (format_.infinity, format_.infinity - 1, format_.infinity - (3 << format_.mantissa))
    sign = rng.getrandbits(1) * format_.minus_zero
    return sign | rng.choice((bits, bits, bits, rng.choice(rare)))


def node_sums(plan, begin, values):
    """Returns the sums of the nodes in a block from number ``begin`` on: (side, level, bits)."""
    numbers = dict(enumerate(values, begin))
    found_nodes = block_nodes(begin, begin + len(values), plan.top)
    return [
        (side, level, tree_sum(plan.format_, {n: numbers[n] for n in inside(level, node)}))
        for side, nodes in zip(("left", "right"), found_nodes, strict=True)
        for level, node in nodes
    ]


def inside(level, node):
    """Returns the numbers of the tuples in a node."""
    return range(node << level, node + 1 << level)
