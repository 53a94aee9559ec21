"""Checks that plans are prefix networks, with the sizes and depths of the literature."""

import pytest

from rtl.network.plan import SHAPES, covers, log2, plan

LANES = [1, 2, 4, 8, 16, 32, 64]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("lanes", LANES)
def test_gives_prefixes(shape, lanes):
    state = [chr(0x100 + lane) for lane in range(lanes)]
    for level in plan(shape, lanes):
        previous = list(state)
        for source, target in level:
            state[target] = previous[source] + previous[target]
    letters = "".join(chr(0x100 + lane) for lane in range(lanes))
    assert state == [letters[: lane + 1] for lane in range(lanes)]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("lanes", LANES)
def test_one_node_for_a_lane_and_level(shape, lanes):
    for level in plan(shape, lanes):
        targets = [target for _, target in level]
        assert len(set(targets)) == len(targets)
        assert all(0 <= source < target < lanes for source, target in level)


# Figures of the literature, for 16 lanes (L = 4). The fan-out here counts only nodes that read a
# lane as their source, and so is one less than in the table of rtl/network/plan.py.
@pytest.mark.parametrize(
    ("shape", "levels", "nodes", "fan_out"),
    [("kogge-stone", 4, 49, 1), ("sklansky", 4, 32, 8), ("brent-kung", 7, 26, 1)],
)
def test_size_by_hand(shape, levels, nodes, fan_out):
    network = plan(shape, 16)
    assert len(network) == levels
    assert sum(map(len, network)) == nodes
    sources = [[source for source, _ in level] for level in network]
    assert max(level.count(s) for level in sources for s in level) == fan_out


@pytest.mark.parametrize("lanes", LANES[1:])
def test_size_formulas(lanes):
    levels = lanes.bit_length() - 1
    size = {shape: sum(map(len, plan(shape, lanes))) for shape in SHAPES}
    depth = {shape: len(plan(shape, lanes)) for shape in SHAPES}
    assert size == {
        "kogge-stone": lanes * levels - lanes + 1,
        "sklansky": lanes * levels // 2,
        "brent-kung": 2 * lanes - 2 - levels,
    }
    assert depth == {
        "kogge-stone": levels,
        "sklansky": levels,
        "brent-kung": max(levels, 2 * levels - 1),
    }


def test_sklansky_by_hand():
    assert plan("sklansky", 4) == (((0, 1), (2, 3)), ((1, 2), (1, 3)))


def test_covers_by_hand():
    assert covers(plan("sklansky", 4), 4) == ((1, 2, 1, 2), (1, 2, 3, 4))
    assert covers(plan("brent-kung", 4), 4) == ((1, 2, 1, 2), (1, 2, 1, 4), (1, 2, 3, 4))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("lanes", LANES[1:])
def test_covers_end_with_prefixes(shape, lanes):
    assert covers(plan(shape, lanes), lanes)[-1] == tuple(range(1, lanes + 1))


@pytest.mark.parametrize("lanes", [0, 3, 6, -4, 4.0, "4"])
def test_refuses_lanes(lanes):
    with pytest.raises(ValueError, match=f"^lanes must be a power of two, not {lanes!r}$"):
        log2(lanes)


def test_refuses_shape():
    message = "^scan must be one of brent-kung, kogge-stone, sklansky, not 'ladner-fischer'$"
    with pytest.raises(ValueError, match=message):
        plan("ladner-fischer", 4)
