"""Compares the model of a pool's cycles with the cycles in which the hardware takes blocks."""

import numpy as np
import pytest
from amaranth.hdl import signed
from amaranth.lib import data

from golden.codecs import xor as model
from golden.codecs.blocks import compress, decompress, is_coded
from rtl.aggregate.count import Count
from rtl.keyed.codec.block_steps import change_steps
from rtl.keyed.codec.change_decoder import ChangeDecoder
from rtl.keyed.codec.decoder_pool import DecoderPool
from rtl.keyed.codec.decoder_times import BlockWork, DecoderTimes
from rtl.keyed.codec.fold import Fold
from rtl.keyed.codec.xor import Xor
from tb.bench.unit import run_streams


def drawn_blocks(changes):
    """Returns blocks of values of which a share changes, and the steps of each block."""
    rng = np.random.default_rng(7)
    values = np.repeat(rng.integers(0, 1 << 32, 6000), rng.geometric(changes, 6000))
    blocks = compress(model.Xor(32), [int(value) for value in values])[:20]
    contents = [decompress(model.Xor(32), block) for block in blocks]
    inputs = [
        {"block": block, "coded": is_coded(block), "count": len(values), "skip": 0, "last": 0}
        for block, values in zip(blocks, contents, strict=True)
    ]
    steps = [
        change_steps(values, raw=not is_coded(block))
        for block, values in zip(blocks, contents, strict=True)
    ]
    return inputs, steps


def test_sums_occupy_the_adder_and_have_a_tail():
    """One decoder takes blocks of 10 steps, whose sums need the adder for 25 levels.

    The first block begins in cycle 1, and nothing is known of the next one: it is complete after
    25 cycles and the tail, and its slot is free in cycle 26. The second begins in cycle 3 and
    shares the adder with the first until cycle 49. The third and the fourth share it afterwards,
    until cycles 99 and 103.
    """
    times, work = DecoderTimes(1), BlockWork(10, levels=25, tail=8)
    cycles, decoded = zip(*(times.take(0, work) for _ in range(4)), strict=True)
    assert cycles == (0, 2, 4, 27)
    assert decoded == (26 + 8, 53 + 8, 99 + 8, 103 + 8)


def test_a_block_alone_has_the_adder_for_itself():
    """Blocks of 20 levels that come every 30 cycles are decoded after 21 cycles each."""
    times, work = DecoderTimes(1), BlockWork(5, levels=20)
    assert [times.take(30 * k, work)[1] for k in range(5)] == [30 * k + 21 for k in range(5)]


def test_nodes_leave_block_by_block():
    """Blocks of a step with 10 cycles for their nodes: 8 are inside, then one every 10 cycles.

    The first block is decoded after its step of 2 cycles; each later block waits for the nodes of
    the block before.
    """
    times, work = DecoderTimes(1), BlockWork(1, levels=2, nodes=10)
    cycles, decoded = zip(*(times.take(0, work) for _ in range(16)), strict=True)
    assert cycles[:9] == (0, 2, 4, 6, 8, 10, 12, 14, 16)
    assert np.diff(cycles[10:]).tolist() == [10] * 5
    assert decoded == tuple(range(3, 3 + 16 * 10, 10))


def test_steps_by_hand():
    """The blocks of 10 steps of the docstring; a block that comes late is taken when it comes."""
    times = DecoderTimes(1)
    assert [times.take(0, BlockWork(10))[0] for _ in range(7)] == [0, 2, 4, 22, 24, 42, 44]
    assert times.take(1000, BlockWork(10)) == (1000, 1000 + 1 + 20)
    assert [times.take(0, BlockWork(1))[0] for _ in range(2)] == [1002, 1004]


def test_the_slowest_part_bounds_the_rate():
    assert BlockWork(14, levels=27, nodes=10, tail=40).cycles == 27
    assert BlockWork(28, levels=27, nodes=10).cycles == 28
    assert BlockWork(14, levels=2, nodes=15).cycles == 15


def test_large_and_small_blocks_share_the_adder():
    """In turn 5 and 45 levels: 25 cycles for a block, though the slots are occupied unequally."""
    times = DecoderTimes(1)
    cycles = [times.take(0, BlockWork(2, levels=5 + 40 * (k % 2)))[0] for k in range(101)]
    assert (cycles[-1] - cycles[20]) / 80 == 25


def test_a_share_of_a_block_has_a_step_and_the_whole_tail():
    work = BlockWork(10, levels=25, nodes=10, tail=8)
    assert work.of_share(0.2) == BlockWork(2, levels=5, nodes=2, tail=8)
    assert BlockWork(3).of_share(0.1) == BlockWork(1)


@pytest.mark.parametrize(
    ("values", "most", "tail"),
    [
        (200, 50, 30 - 2 * 6),
        (1 << 20, 1, 0),
        (50, 64, 30),
        (200, 4, 6),  # the last of 4 values goes up a level on average
        (4, 200, 12),  # and at most two levels
        (1, 200, 0),
    ],
)
def test_the_sums_of_a_small_window_have_fewer_levels(values, most, tail):
    work = BlockWork(10, levels=25, tail=30)
    assert work.for_window(values, most) == work._replace(tail=tail)


@pytest.mark.in_turn
@pytest.mark.parametrize("decoders", [1, 3])
@pytest.mark.parametrize("changes", [0.1, 1.0])
def test_blocks_are_taken_as_computed(decoders, changes):
    """The blocks come as fast as the pool takes them; a block may be a cycle early."""
    inputs, steps = drawn_blocks(changes)
    row = data.StructLayout({"x": signed(32)})
    fold = Fold(row=row, operators=(Count(10),), tuples=600, decoders=decoders)
    dut = DecoderPool(ChangeDecoder, Xor(32), fold, 0)
    run = run_streams(dut, {"i": inputs}, {"o": len(inputs)})
    cycles = np.array(run["i"].cycles)
    times = DecoderTimes(decoders)
    computed = np.array([times.take(0, BlockWork(count))[0] for count in steps])
    assert np.abs(computed - (cycles - cycles[0])).max() <= 1
