"""Makes plans of prefix networks: the lanes that each level combines.

A plan is a tuple of levels. A level is a tuple of nodes ``(source, target)``, which operate in
parallel: lane ``target`` becomes ``combine(lane source, lane target)``. After the last level lane i
holds the combination of lanes 0 to i.

::

    kogge-stone, 8 lanes     sklansky, 8 lanes        brent-kung, 8 lanes
    0 1 2 3 4 5 6 7          0 1 2 3 4 5 6 7          0 1 2 3 4 5 6 7
    |\\|\\|\\|\\|\\|\\|\\|          |\\| |\\| |\\| |\\|          |\\| |\\| |\\| |\\|
    distance 1               0>1 2>3 4>5 6>7          0>1 2>3 4>5 6>7
    distance 2               1>2 1>3 5>6 5>7          1>3     5>7
    distance 4               3>4 3>5 3>6 3>7          3>7
                                                      3>5
                                                      1>2 3>4 5>6

===========  ======================  =================================
shape        levels                  nodes (P lanes, L = log2 P)
===========  ======================  =================================
kogge-stone  L                       P*L - P + 1, fan-out 2
sklansky     L                       P*L/2, fan-out up to P/2 + 1
brent-kung   2*L - 1                 2*P - 2 - L, fan-out 2
===========  ======================  =================================

The fan-out is the greatest number of readers of a lane in the next level: nodes, or the register of
the lane if the level does not combine the lane. For instance in the last level of sklansky with 8
lanes, lane 3 is read by the nodes of lanes 4 to 7 and by its own register: 5 = P/2 + 1.
"""


def log2(lanes):
    """Returns log2 of ``lanes``; raises ValueError unless ``lanes`` is a power of two."""
    if not isinstance(lanes, int) or lanes < 1 or lanes & (lanes - 1):
        raise ValueError(f"lanes must be a power of two, not {lanes!r}")
    return lanes.bit_length() - 1


def _kogge_stone(lanes):
    for k in range(log2(lanes)):
        yield [(j - 2**k, j) for j in range(2**k, lanes)]


def _sklansky(lanes):
    for k in range(log2(lanes)):
        yield [((j >> k << k) - 1, j) for j in range(lanes) if j >> k & 1]


def _brent_kung(lanes):
    for k in range(log2(lanes)):
        yield [(j - 2**k, j) for j in range(2 ** (k + 1) - 1, lanes, 2 ** (k + 1))]
    for k in reversed(range(log2(lanes) - 1)):
        yield [(j - 2**k, j) for j in range(3 * 2**k - 1, lanes, 2 ** (k + 1))]


SHAPES = {"kogge-stone": _kogge_stone, "sklansky": _sklansky, "brent-kung": _brent_kung}


def plan(shape, lanes):
    """Returns the plan of ``shape`` over ``lanes``, a power of two."""
    if shape not in SHAPES:
        raise ValueError(f"scan must be one of {', '.join(sorted(SHAPES))}, not {shape!r}")
    return tuple(tuple(level) for level in SHAPES[shape](lanes))


def covers(levels, lanes):
    """Returns, for each level, the number of lanes whose items each lane combines after the level.

    For instance kogge-stone with 4 lanes: ``((1, 2, 2, 2), (1, 2, 3, 4))``.
    """
    cover = [1] * lanes
    result = []
    for level in levels:
        previous = list(cover)
        for source, target in level:
            cover[target] += previous[source]
        result.append(tuple(cover))
    return tuple(result)
