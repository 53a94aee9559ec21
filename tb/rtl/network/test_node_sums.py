"""Checks the sums of windows of blocks against the tree over the numbers of tuples."""

import random

import pytest

from rtl.float.format import DOUBLE, HALF, SINGLE
from rtl.network.node_sums import NodeSums
from rtl.network.nodes import NodePlan
from tb.bench.unit import run_streams
from tb.rtl.float.tree import tree_sum
from tb.rtl.network.node_values import drawn, node_sums

REGRESS = pytest.mark.regress


def block_beat(rng, plan, begin, values):
    """Returns a block; the places of nodes that it does not have hold any bits."""
    counts, width = {"left": plan.top, "right": plan.top + 1}, plan.format_.width
    nodes = {side: [rng.getrandbits(width) for _ in range(n)] for side, n in counts.items()}
    for side, level, bits in node_sums(plan, begin, values):
        nodes[side][level] = bits
    number = begin % (1 << plan.number_bits)
    return {"nodes": nodes, "number": number, "values": len(values)}


def drawn_window(rng, plan, gaps):
    """Returns the blocks of a window, and its values by their numbers."""
    span = rng.choice((1, 2, plan.tuples, rng.randint(1, plan.tuples)))
    begin = at = rng.randrange(4 << plan.number_bits)
    blocks, values = [], {}
    while at < begin + span:
        remaining = begin + span - at
        if gaps and blocks and remaining > 1 and rng.random() < 0.3:
            at += rng.randint(1, remaining - 1)
            continue
        count = min(remaining, rng.choice((1, 2, plan.block, rng.randint(1, plan.block))))
        part = [drawn(rng, plan.format_) for _ in range(count)]
        blocks.append(block_beat(rng, plan, at, part))
        values |= dict(enumerate(part, at))
        at += count
    if rng.random() < 0.2:  # a last block without values, as of another slide
        blocks.append(block_beat(rng, plan, at + rng.randrange(9), []))
    return blocks, values


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("stalls", "gaps"),
    [
        ((0.0, 0.0), False),
        ((0.3, 0.4), True),
        pytest.param((0.0, 0.0), True, marks=REGRESS),
        pytest.param((0.3, 0.4), False, marks=REGRESS),
    ],
    ids=str,
)
@pytest.mark.parametrize(
    ("format_", "block", "tuples"),
    [
        (HALF, 4, 4),
        (HALF, 6, 40),
        pytest.param(HALF, 5, 5, marks=REGRESS),
        pytest.param(SINGLE, 33, 33, marks=REGRESS),
        pytest.param(DOUBLE, 20, 64, marks=REGRESS),
    ],
    ids=str,
)
def test_windows_back_to_back(format_, block, tuples, stalls, gaps):
    """Windows begin at any number, in blocks of any size."""
    rng = random.Random(f"{format_} {block} {stalls} {gaps}")
    plan = NodePlan(format_=format_, block=block, tuples=tuples)
    windows = [drawn_window(rng, plan, gaps) for _ in range(60)]
    beats = [
        beat | {"last": n == len(blocks) - 1, "passenger": k % 16}
        for k, (blocks, _) in enumerate(windows)
        for n, beat in enumerate(blocks)
    ]
    stall_in, stall_out = stalls
    dut = NodeSums(plan, 4)
    run = run_streams(
        dut, {"i": beats}, {"o": len(windows)}, stall_in=stall_in, stall_out=stall_out, seed=1
    )
    sums = run["o"].payloads
    assert [s["passenger"] for s in sums] == [k % 16 for k in range(len(windows))]
    assert [s["sum"] for s in sums] == [tree_sum(format_, values) for _, values in windows]
    if not (gaps or stall_in or stall_out):
        assert run["i"].cycles[-1] == len(beats) - 1
        assert run["o"].cycles[-1] == run["i"].cycles[-1] + dut.latency


def test_a_window_in_every_cycle():
    """Windows of one block: their last blocks follow each other without a pause."""
    rng = random.Random(1)
    plan = NodePlan(format_=HALF, block=20, tuples=20)
    beats, expected = [], []
    for begin in range(40):
        values = [drawn(rng, HALF) for _ in range(1 + begin % 20)]
        beats.append(block_beat(rng, plan, begin, values) | {"last": 1, "passenger": 0})
        expected.append(tree_sum(HALF, dict(enumerate(values, begin))))
    run = run_streams(NodeSums(plan, 4), {"i": beats}, {"o": len(beats)})
    assert run["i"].cycles == list(range(len(beats)))
    assert [s["sum"] for s in run["o"].payloads] == expected


def of_windows(rng, plan, windows):
    """Returns the beats of windows: of each block its first number and its values."""
    return [
        block_beat(rng, plan, begin, values) | {"last": n == len(blocks) - 1, "passenger": 0}
        for blocks in windows
        for n, (begin, values) in enumerate(blocks)
    ]


@pytest.mark.parametrize("stall", [0.0, 0.5])
def test_a_complete_window(stall):
    """A window whose first blocks fill a node of the topmost level: tuples 3 to 7, and none.

    Cycles without a block between the two blocks change nothing.
    """
    rng = random.Random(1)
    plan = NodePlan(format_=HALF, block=5, tuples=5)
    values = [[drawn(rng, HALF) & 0x3FFF for _ in range(5)] for _ in range(20)]
    beats = of_windows(rng, plan, [[(3, part), (8, [])] for part in values])
    run = run_streams(NodeSums(plan, 4), {"i": beats}, {"o": 20}, stall_in=stall, seed=2)
    expected = [tree_sum(HALF, dict(enumerate(part, 3))) for part in values]
    assert [s["sum"] for s in run["o"].payloads] == expected


def test_a_last_block_without_values_may_have_any_number():
    """No gap comes before such a block: a block goes in in every cycle."""
    rng = random.Random(2)
    plan = NodePlan(format_=HALF, block=5, tuples=20)
    windows, expected = [], []
    for begin in range(40):
        values = [drawn(rng, HALF) for _ in range(1 + begin % 5)]
        windows.append([(begin, values), (rng.getrandbits(plan.number_bits), [])])
        expected.append(tree_sum(HALF, dict(enumerate(values, begin))))
    beats = of_windows(rng, plan, windows)
    run = run_streams(NodeSums(plan, 4), {"i": beats}, {"o": 40})
    assert run["i"].cycles == list(range(len(beats)))
    assert [s["sum"] for s in run["o"].payloads] == expected


def test_the_sum_of_a_window_without_values():
    """The sum is -0, and not what the window before has left."""
    rng = random.Random(3)
    plan = NodePlan(format_=HALF, block=5, tuples=20)
    values = [drawn(rng, HALF) & 0x3FFF for _ in range(3)]
    windows = [block for begin in (3, 7) for block in ([(begin, values)], [(5, [])])]
    run = run_streams(NodeSums(plan, 4), {"i": of_windows(rng, plan, windows)}, {"o": 4})
    sums = [tree_sum(HALF, dict(enumerate(values, begin))) for begin in (3, 7)]
    expected = [sums[0], HALF.minus_zero, sums[1], HALF.minus_zero]
    assert [s["sum"] for s in run["o"].payloads] == expected


def test_a_damaged_window_spoils_no_other():
    """Blocks with wrong counts, and then a window of two blocks."""
    rng = random.Random(1)
    plan = NodePlan(format_=HALF, block=8, tuples=20)
    beats, expected = [], []
    for _ in range(30):
        for n in range(3):
            beat = block_beat(rng, plan, rng.randrange(64), [1] * 3)
            damage = {"values": rng.getrandbits(plan.count_bits), "last": n == 2, "passenger": 0}
            beats.append(beat | damage)
        window, values = drawn_window(rng, plan, False)
        for n, beat in enumerate(window):
            beats.append(beat | {"last": n == len(window) - 1, "passenger": 0})
        expected.append(tree_sum(HALF, values))
    run = run_streams(NodeSums(plan, 4), {"i": beats}, {"o": 60})
    assert [s["sum"] for s in run["o"].payloads][1::2] == expected
