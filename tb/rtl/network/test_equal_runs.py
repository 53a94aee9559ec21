"""Checks joined runs of blocks in two slots."""

import random
from itertools import groupby

from amaranth.hdl import Module
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.float.format import HALF
from rtl.network.equal_runs import BLOCKS, EqualRuns, joined_payload, run_payload
from rtl.network.nodes import NodePlan
from tb.bench.unit import run_streams

PLAN = NodePlan(format_=HALF, block=40, tuples=40)


class Freed(wiring.Component):
    """An EqualRuns whose numbers of blocks are free again when their blocks end."""

    def __init__(self):
        self.runs = EqualRuns(PLAN, 3)
        arriving, joined = run_payload(PLAN, 3), joined_payload(PLAN)
        super().__init__({"i": In(stream.Signature(arriving)), "o": Out(stream.Signature(joined))})

    def elaborate(self, platform):
        m = Module()
        m.submodules.runs = runs = self.runs
        wiring.connect(m, wiring.flipped(self.i), runs.i)
        wiring.connect(m, runs.o, wiring.flipped(self.o))
        m.d.sync += runs.taken.eq((runs.taken | runs.begins) & ~runs.ends)
        return m


def test_runs_of_equal_values_are_joined():
    rng, beats, expected = random.Random(1), [], [[] for _ in range(BLOCKS)]
    for pair in range(40):
        slots = []
        for slot in range(2):
            begin = rng.randrange(64)
            runs = [(rng.choice((5, 6)), rng.randint(0, 3)) for _ in range(rng.randint(1, 8))]
            slots.append(
                [{"value": v, "times": t, "last": 0, "slot": slot, "begin": begin} for v, t in runs]
            )
            slots[slot][-1]["last"] = 1
            place, block = begin, 2 * (pair % 4) + slot
            for value, equal in groupby(v for v, t in runs for _ in range(t)):
                end = place + len(list(equal))
                expected[block].append((value, place, end))
                place = end
        while any(slots):
            beats.append(rng.choice([runs for runs in slots if runs]).pop(0))
    count = sum(map(len, expected))
    for stall in (0.0, 0.4):
        run = run_streams(Freed(), {"i": beats}, {"o": count}, stall_in=stall, stall_out=stall)
        for block, joined in enumerate(expected):
            received = [p for p in run["o"].payloads if p["block"] == block]
            assert [(p["value"], p["first"], p["end"]) for p in received] == joined
