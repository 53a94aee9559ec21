"""Compares the model of a pool's cycles with the cycles in which the hardware takes blocks."""

import numpy as np
import pytest
from amaranth.hdl import signed
from amaranth.lib import data

from golden.codecs.blocks import compress, is_coded
from golden.codecs.xor_chained import XorChained as Model
from rtl.aggregate.count import Count
from rtl.keyed.codec.block_steps import change_steps
from rtl.keyed.codec.chained.chain_decoder import ChainDecoder
from rtl.keyed.codec.chained.chain_pool import ChainPool
from rtl.keyed.codec.chained.chain_times import ChainTimes
from rtl.keyed.codec.decoder_times import BlockWork
from rtl.keyed.codec.fold import Fold
from rtl.keyed.codec.xor_chained import CHAIN, XorChained
from tb.bench.unit import run_streams
from tb.rtl.keyed.codec.chained.chained_windows import seed_of, states_of


def drawn_blocks(changes, length):
    """Returns windows of ``length`` blocks, and (steps, head) of each block."""
    rng, model = np.random.default_rng(7), Model(32)
    values = np.repeat(rng.integers(0, 1 << 32, 9000), rng.geometric(changes, 9000))
    blocks = compress(model, [int(value) for value in values])[: 12 * length]
    inputs, sizes = [], []
    for number, (block, decoded, state) in enumerate(
        zip(blocks, *states_of(model, blocks), strict=True)
    ):
        coded = is_coded(block, model)
        dependent = coded and block >> 505 & 1
        opens = number % length == 0
        flags = {"opens": opens, "last": number % length == length - 1, "dependent": dependent}
        start = {"seed": 0 if state is None else seed_of(state), "known": 1}
        inputs.append(
            {"block": block, "coded": coded, "count": len(decoded), "skip": 0, "start": start}
            | flags
        )
        steps = change_steps(decoded, raw=not coded) + bool(opens and dependent)
        sizes.append((steps, bool(opens or not dependent)))
    return inputs, sizes


def test_the_cycles_of_the_docstring():
    times = ChainTimes(1, 4)
    assert [
        times.take(cycle, BlockWork(10), head)[1]
        for cycle, head in ((0, True), (1, False), (2, True))
    ] == [
        24,
        44,
        27,
    ]


def test_a_full_queue_and_a_full_pool_by_hand():
    """Blocks of one chain whose queue has 2 places, and 9 chains for 4 in each of 2 slots.

    The blocks begin in cycles 4, 24, 44 and so on, and are read in even cycles: the first two in 2
    and 6, each other one after the block before it has begun, in 26 and 46. The first chain of 100
    steps ends in cycle 204, and its state leaves 6 cycles later.
    """
    times = ChainTimes(1, 2)
    pairs = [times.take(0, BlockWork(10), head) for head in (True, *[False] * 4)]
    assert pairs == [(0, 24), (1, 44), (2, 64), (6, 84), (26, 104)]
    times = ChainTimes(1, 100)
    cycles = [times.take(0, BlockWork(100), True)[0] for _ in range(9)]
    assert cycles == [*range(8), 210]


@pytest.mark.in_turn
@pytest.mark.parametrize("decoders", [1, pytest.param(3, marks=pytest.mark.regress)])
@pytest.mark.parametrize(("changes", "length"), [(0.1, 4), (0.1, 1), (1.0, 2)])
def test_blocks_are_taken_as_computed(decoders, changes, length):
    """The blocks come as fast as the pool takes them."""
    inputs, sizes = drawn_blocks(changes, length)
    row = data.StructLayout({"x": signed(32)})
    fold = Fold(row=row, operators=(Count(14),), tuples=9000, decoders=decoders, chain=CHAIN)
    dut = ChainPool(ChainDecoder, XorChained(32), fold, data.StructLayout({"m3": 1}))
    chains = sum(head for _, head in sizes)
    run = run_streams(dut, {"i": inputs}, {"o": chains})
    cycles = np.array(run["i"].cycles)
    times = ChainTimes(decoders, CHAIN)
    computed = [times.take(0, BlockWork(steps), head) for steps, head in sizes]
    ends = max(end for _, end in computed)
    assert abs(run["o"].cycles[-1] - cycles[0] - ends) <= 16
    difference = np.array([cycle for cycle, _ in computed]) - (cycles - cycles[0])
    # A chain waits with its last block for a place in the pool; the model lets the first one wait.
    assert np.abs(difference).max() <= 0.2 * ends
