"""Checks the alternation of two chains; a block of the test consists of its number of steps."""

import random

import pytest
from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.codec.chained.chain_turns import ChainTurns
from tb.bench.unit import run_streams

#: ``total``, the state of a slot: the steps of the chain so far.
BLOCK = data.StructLayout({"number": 8, "left": 4, "head": 1, "total": 12})


class Counting(wiring.Component):
    """Outputs the block and the slot of each step."""

    def __init__(self):
        step = data.StructLayout({"block": BLOCK, "slot": 1})
        blocks = {f"i{k}": In(stream.Signature(BLOCK)) for k in range(2)}
        super().__init__({**blocks, "o": Out(stream.Signature(step))})

    def elaborate(self, platform):
        m = Module()
        m.submodules.turns = turns = ChainTurns()
        first, second, remaining, loaded = (Signal(BLOCK, name=f"b{k}") for k in range(4))
        source = Signal(BLOCK)
        m.d.comb += [
            turns.i0.valid.eq(self.i0.valid),
            turns.i1.valid.eq(self.i1.valid),
            turns.i0.p.eq(self.i0.p.head),
            turns.i1.p.eq(self.i1.p.head),
            self.i0.ready.eq(turns.i0.ready),
            self.i1.ready.eq(turns.i1.ready),
            source.eq(Mux(turns.o.p, self.i1.p, self.i0.p)),
            remaining.eq(second),
            remaining.left.eq(second.left - 1),
            remaining.total.eq(second.total + self.o.valid),
            loaded.eq(source),
            loaded.total.eq(Mux(source.head, 0, remaining.total)),
            turns.ends.eq(second.left == 1),
            self.o.valid.eq(turns.o.valid),
            turns.o.ready.eq(self.o.ready),
            self.o.p.slot.eq(turns.o.p),
            self.o.p.block.eq(second),
        ]
        with m.If(turns.advance):
            m.d.sync += [second.eq(first), first.eq(Mux(turns.enters, loaded, remaining))]
        return m


def run(chains, stall=0.0):
    """Sends chains, lists of the steps of each block, to slots 0 and 1 in turn."""
    inputs, number = {"i0": [], "i1": []}, 0
    for index, chain in enumerate(chains):
        for place, steps in enumerate(chain):
            block = {"number": number, "left": steps, "head": place == 0, "total": 0}
            inputs[f"i{index % 2}"].append(block)
            number += 1
    outputs = {"o": sum(map(sum, chains))}
    return run_streams(Counting(), inputs, outputs, stall_in=stall, stall_out=stall, seed=1)


def test_blocks_enter_in_the_cycles_of_the_example():
    received = run([[1, 1], [1], [1], [1]])
    begin = received["i0"].cycles[0]
    assert [cycle - begin for cycle in received["i0"].cycles] == [0, 2, 4]
    assert [cycle - begin for cycle in received["i1"].cycles] == [1, 5]
    steps = [(p["slot"], p["block"]["number"]) for p in received["o"].payloads]
    assert steps == [(0, 0), (1, 2), (0, 1), (0, 3), (1, 4)]
    assert received["o"].cycles[0] == begin + ChainTurns.latency


@pytest.mark.parametrize("stall", [0, 0.3, 0.7])
def test_slots_have_their_chains_in_order_and_whole(stall):
    rng = random.Random(stall)
    chains = [
        [rng.choice((1, 1, 2, 5)) for _ in range(rng.choice((1, 1, 2, 6)))] for _ in range(60)
    ]
    received = run(chains, stall)["o"].payloads
    expected, number, place = ([], []), 0, {}
    for index, chain in enumerate(chains):
        total = 0
        for steps in chain:
            place[number] = index
            for remaining_steps in range(steps, 0, -1):
                expected[index % 2].append((number, remaining_steps, total))
                total += 1
            number += 1
    names = ("number", "left", "total")
    for slot in range(2):
        steps = [p["block"] for p in received if p["slot"] == slot]
        assert [tuple(step[name] for name in names) for step in steps] == expected[slot]
    # No chain takes a step before the last step of the second last and the third last chain.
    order = [place[p["block"]["number"]] for p in received]
    for index in range(len(chains) - 3):
        end = max(at for at, k in enumerate(order) if k == index)
        assert end < order.index(index + 2)
        assert end < order.index(index + 3)
