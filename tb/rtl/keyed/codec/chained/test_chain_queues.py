"""Checks that each slot gets its blocks in order, and that its queue holds ``depth`` blocks."""

import random

import pytest
from amaranth.hdl import Module, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.codec.chained.chain_queues import ChainQueues
from tb.bench.unit import run_streams

BLOCK = data.StructLayout({"slot": 2, "number": 12})


class Registered(wiring.Component):
    """Queues with a register behind each slot, which is the stream ``o0``, ``o1``, ..."""

    def __init__(self, slots, depth):
        self._queues = ChainQueues(BLOCK, slots, depth)
        outputs = {f"o{k}": Out(stream.Signature(BLOCK)) for k in range(slots)}
        super().__init__({"i": In(stream.Signature(BLOCK)), **outputs})

    def elaborate(self, platform):
        m = Module()
        m.submodules.queues = queues = self._queues
        wiring.connect(m, wiring.flipped(self.i), queues.i)
        m.d.comb += queues.slot.eq(1 << self.i.p.slot)
        for k in range(len(queues.free)):
            o, full, block = getattr(self, f"o{k}"), Signal(name=f"full{k}"), Signal(BLOCK)
            m.d.comb += [o.valid.eq(full), o.p.eq(block), queues.free[k].eq(~full)]
            with m.If(queues.enters[k]):
                m.d.sync += [full.eq(1), block.eq(queues.o)]
            with m.Elif(o.ready):
                m.d.sync += full.eq(0)
        return m


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("stalls", [(0, 0), (0.3, 0.3), (0, 0.9)])
@pytest.mark.parametrize(("slots", "depth"), [(2, 4), (3, 2), (4, 16)])
def test_each_slot_gets_its_blocks_in_order(slots, depth, stalls):
    rng = random.Random(f"{slots} {stalls}")
    blocks = []
    while len(blocks) < 200:
        slot = rng.randrange(slots)
        blocks += [
            {"slot": slot, "number": len(blocks) + k} for k in range(rng.choice((1, 1, 2, 9)))
        ]
    expected = {f"o{k}": [block for block in blocks if block["slot"] == k] for k in range(slots)}
    run = run_streams(
        Registered(slots, depth),
        {"i": blocks},
        {name: len(part) for name, part in expected.items()},
        stall_in=stalls[0],
        stall_out=stalls[1],
        seed=3,
    )
    assert {name: run[name].payloads for name in expected} == expected


def test_the_cycles_of_the_example():
    """Slot 0 reads in even cycles, slot 1 in odd ones; a block is at ``o`` a cycle after."""
    blocks = [{"slot": slot, "number": n} for n, slot in enumerate((0, 0, 1))]
    run = run_streams(Registered(2, 4), {"i": blocks}, {"o0": 2, "o1": 1})
    begin = run["i"].cycles[0]
    assert run["i"].cycles == [begin, begin + 1, begin + 2]
    # The register of the slot has a block a cycle after ``o``.
    first = run["o0"].cycles[0]
    assert first - begin - 1 in (ChainQueues.latency, ChainQueues.latency + 1)
    assert (run["o1"].cycles[0] - first) % 2 == 1


def test_a_full_queue_holds_up_only_its_own_blocks():
    """With a depth of 4, slot 0 stores 4 blocks and one in its register, and stalls its next block.

    Slot 1 still gets the blocks that come before the stalled block.
    """
    blocks = [{"slot": slot, "number": n} for n, slot in enumerate([0] * 5 + [1] * 3 + [0, 1])]
    run = run_streams(
        Registered(2, 4),
        {"i": blocks},
        {"o0": None, "o1": None},
        stall_out={"o0": 0.999999},
        max_cycles=60,
    )
    assert len(run["i"].payloads) == 8
    assert len(run["o1"].payloads) == 3
