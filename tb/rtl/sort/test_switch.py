"""Checks the shared tree: lists of several sources leave merged, in the order of the turns."""

import random

import pytest
from amaranth.hdl import Module
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import Out

from rtl.sort.switch import TreeSwitch
from rtl.stream.beat import beat
from tb.bench.unit import run_streams
from tb.rtl.sort.lists import ORDER, beats_of, random_list


class TaggedSwitch(wiring.Component):
    """A switch whose beats have the tag in their payload."""

    def __init__(self, lanes, sources):
        self._switch = TreeSwitch(ORDER, lanes, sources, 6)
        members = self._switch.signature.members
        self._inputs = [name for name in members if name not in ("o", "tag")]
        shape = data.StructLayout({"beat": beat(ORDER.row, lanes), "tag": 6})
        inputs = {name: members[name] for name in self._inputs}
        super().__init__(inputs | {"o": Out(stream.Signature(shape))})

    def elaborate(self, platform):
        m = Module()
        m.submodules.switch = switch = self._switch
        for name in self._inputs:
            wiring.connect(m, getattr(switch, name), wiring.flipped(getattr(self, name)))
        m.d.comb += [
            self.o.valid.eq(switch.o.valid),
            switch.o.ready.eq(self.o.ready),
            self.o.p.beat.eq(switch.o.p),
            self.o.p.tag.eq(switch.tag),
        ]
        return m


@pytest.mark.in_turn
@pytest.mark.parametrize("stalls", [{}, {"stall_in": 0.4, "stall_out": 0.4}])
@pytest.mark.parametrize(("lanes", "sources"), [(1, 2), (2, 1), (4, 2), (4, 3)])
def test_lists_in_the_order_of_their_turns(lanes, sources, stalls):
    rng = random.Random(f"{lanes} {sources}")
    queues = [[[] for _ in range(lanes)] for _ in range(sources)]
    turns, expected = [], []
    for tag in range(40):
        source = rng.randrange(sources)
        if rng.random() < 0.2:
            turns.append({"source": source, "tag": tag, "empty": 1})
            expected.append([])
            continue
        length = rng.randrange(1, 9)
        parts = [sorted(random_list(rng, length)) for _ in range(lanes)]
        for queue, part in zip(queues[source], parts, strict=True):
            queue.append(part)
        turns.append({"source": source, "tag": tag, "empty": 0})
        expected.append(sorted(item for part in parts for item in part))
    dut = TaggedSwitch(lanes, sources)
    inputs = {
        f"source{s}_leaf{k}": beats_of(lists, 1)
        for s, queue in enumerate(queues)
        for k, lists in enumerate(queue)
        if lists
    }
    beats = sum(max(1, len(items) // lanes) for items in expected)
    runs = run_streams(dut, {"turns": turns, **inputs}, {"o": beats}, seed=1, **stalls)
    merged, items = [], []
    for payload in runs["o"].payloads:
        turn, received = turns[len(merged)], payload["beat"]
        assert payload["tag"] == turn["tag"]
        assert received["valid"] == (0 if turn["empty"] else (1 << lanes) - 1)
        items += [] if turn["empty"] else [(t["key"], t["value"]) for t in received["tuples"]]
        if received["last"]:
            merged.append(items)
            items = []
    assert merged == expected
