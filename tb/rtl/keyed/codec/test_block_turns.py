"""Checks the alternation of two blocks.

The test's blocks have no contents. A block is its number, and the number of steps that are left,
the next step included.
"""

import random

import pytest
from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.codec.block_turns import BlockTurns
from tb.bench.unit import run_streams

STEPS = range(8)
BLOCK = data.StructLayout({"number": 8, "left": STEPS})


class Counting(wiring.Component):
    """Outputs for each step the number of its block, the remaining steps and the slot."""

    def __init__(self):
        step = data.StructLayout({"block": BLOCK, "slot": 1})
        super().__init__({"i": In(stream.Signature(BLOCK)), "o": Out(stream.Signature(step))})

    def elaborate(self, platform):
        m = Module()
        m.submodules.turns = turns = BlockTurns()
        first, second, remaining = Signal(BLOCK), Signal(BLOCK), Signal(BLOCK)
        m.d.comb += [
            turns.i.valid.eq(self.i.valid),
            self.i.ready.eq(turns.i.ready),
            remaining.number.eq(second.number),
            remaining.left.eq(second.left - 1),
            turns.ends.eq(second.left == 1),
            self.o.valid.eq(turns.o.valid),
            turns.o.ready.eq(self.o.ready),
            self.o.p.slot.eq(turns.o.p),
            self.o.p.block.eq(second),
        ]
        with m.If(turns.advance):
            m.d.sync += [second.eq(first), first.eq(Mux(turns.recirculate, remaining, self.i.p))]
        return m


def run(blocks, stall=0):
    inputs = [{"number": number, "left": steps} for number, steps in enumerate(blocks)]
    outputs = {"o": sum(blocks)}
    return run_streams(Counting(), {"i": inputs}, outputs, stall_in=stall, stall_out=stall, seed=1)


def test_steps_come_in_the_cycles_of_the_example():
    """The blocks of 3 steps and of 1 step are those of the docstring of `BlockTurns`.

    A third block, of 1 step, enters in cycle 6 and leaves 2 cycles later.
    """
    received = run([3, 1, 1])
    begin = received["i"].cycles[0]
    assert [cycle - begin for cycle in received["i"].cycles] == [0, 1, 6]
    steps = [(p["slot"], p["block"]["number"]) for p in received["o"].payloads]
    assert steps == [(0, 0), (1, 1), (0, 0), (0, 0), (0, 2)]
    assert [cycle - begin for cycle in received["o"].cycles] == [2, 3, 4, 6, 8]


@pytest.mark.parametrize("stall", [0, 0.3, 0.7])
def test_slots_have_their_blocks_in_order_and_whole(stall):
    rng = random.Random(stall)
    blocks = [rng.choice((1, 1, 2, 3, 7)) for _ in range(200)]
    received = run(blocks, stall)
    payloads = received["o"].payloads
    for slot in range(2):
        steps = [tuple(p["block"].values()) for p in payloads if p["slot"] == slot]
        numbers = range(slot, len(blocks), 2)
        assert steps == [(k, left) for k in numbers for left in range(blocks[k], 0, -1)]
    # A block enters only when the block before in its slot has left, or takes its last step.
    steps = zip(payloads, received["o"].cycles, strict=True)
    leaves = {payload["block"]["number"]: cycle for payload, cycle in steps}
    enters = received["i"].cycles
    assert all(enters[k + 2] >= leaves[k] for k in range(len(blocks) - 2))
