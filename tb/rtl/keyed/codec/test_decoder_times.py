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


@pytest.mark.in_turn(10)
@pytest.mark.parametrize("decoders", [1, 3])
@pytest.mark.parametrize("changes", [0.1, 1.0])
def test_blocks_are_taken_as_computed(decoders, changes):
    """The blocks come as fast as the pool takes them; a block may be a cycle early."""
    inputs, steps = drawn_blocks(changes)
    row = data.StructLayout({"x": signed(32)})
    fold = Fold(row=row, operators=(Count(10),), tuples=600, decoders=decoders)
    dut = DecoderPool(ChangeDecoder, Xor(32), fold, 0)
    run = run_streams(dut, {"i": inputs}, {"o": len(inputs)})
    taken = np.array(run["i"].cycles)
    times = DecoderTimes(decoders)
    computed = np.array([times.take(0, BlockWork(count))[0] for count in steps])
    assert np.abs(computed - (taken - taken[0])).max() <= 1
