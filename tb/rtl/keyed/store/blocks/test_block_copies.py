"""Checks commands of blocks, and the blocks that come, against a list of each key's blocks."""

import random

import pytest

from rtl.keyed.dram.lines import LineMap
from rtl.keyed.store.blocks.block_copies import BlockCopies, NoCopies, copies_of
from rtl.keyed.store.lines.second_level import SecondLevel
from tb.bench.unit import run_streams

ENTRIES = 4
#: Copies of each key, and blocks of a ring: in the last two a ring is no power of two.
SIZES = [(1, 8), (4, 4), (4, 12), (2, 6)]


class Traffic:
    """Commands of blocks in any order of keys; what goes to M3, and what comes.

    Blocks of a key are numbered from 0. Block n lies at place ``n % ring_lines`` of its ring, and
    is written when it is closed. A read is of some last blocks of the key, or, if it is not
    ``recent``, of a single older block, as when a block gives way.
    """

    def __init__(self, rng, copies, lines, count):
        self.i, self.commands, self.lines, self.o = [], [], [], []
        self._rng, self._copies, self._map = rng, copies, lines
        self._blocks = {entry: [] for entry in range(ENTRIES)}
        for _ in range(count):
            entry = rng.randrange(ENTRIES)
            closed = self._blocks[entry]
            if not closed or rng.random() < 0.4:
                self._write(entry, closed)
            elif rng.random() < 0.9:
                max_blocks = min(len(closed), lines.ring_lines - 1)
                self._read(entry, closed, rng.randint(1, max_blocks), recent=True)
            else:
                self._read(entry, closed, 1, recent=False)

    def _line(self, entry, number):
        return number % self._map.ring_lines + (entry << self._map.port_bits + self._map.ring_bits)

    def _write(self, entry, closed):
        closed.append(self._rng.getrandbits(512))
        command = {"write": 1, "line": self._line(entry, len(closed) - 1), "data": closed[-1]}
        self.i.append(command)
        self.commands.append(command)

    def _read(self, entry, closed, count, recent):
        first = len(closed) - count
        if not recent:
            oldest = max(0, len(closed) - self._map.ring_lines)
            first = self._rng.randint(oldest, len(closed) - 1)
        command = {"write": 0, "line": self._line(entry, first), "count": count}
        self.i.append(command | {"recent": int(recent)})
        older = max(0, count - self._copies) if recent else count
        if older:
            self.commands.append(command | {"count": older})
        for k in range(count):
            block = {"data": closed[first + k], "error": 0, "first": int(k == 0)}
            if k < older:
                self.lines.append(block | {"last": int(k + 1 == older)})
            self.o.append(block | {"last": int(k + 1 == count), "m3": int(k < older)})


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("stalls", [(0, 0), (0.3, 0.4), ({"i": 0, "lines": 0.9}, 0.1)])
@pytest.mark.parametrize(("copies", "ring_lines"), SIZES)
def test_only_older_blocks_come_from_m3(copies, ring_lines, stalls):
    rng = random.Random(f"{copies} {ring_lines} {stalls}")
    lines = LineMap(rings=ENTRIES, ring_lines=ring_lines)
    traffic = Traffic(rng, copies, lines, 150)
    run = run_streams(
        BlockCopies(lines, SecondLevel(blocks=copies)),
        {"i": traffic.i, "lines": traffic.lines},
        {"commands": len(traffic.commands), "o": len(traffic.o)},
        stall_in=stalls[0],
        stall_out=stalls[1],
        seed=5,
    )
    assert run["o"].payloads == traffic.o
    sent = [
        {name: command[name] for name in expected}
        for command, expected in zip(run["commands"].payloads, traffic.commands, strict=True)
    ]
    assert sent == traffic.commands
    assert any(block["m3"] for block in traffic.o)
    assert not all(block["m3"] for block in traffic.o)


@pytest.mark.parametrize("stalls", [(0, 0), (0.3, 0.4)])
def test_without_copies_all_comes_from_m3(stalls):
    rng, lines = random.Random(1), LineMap(rings=ENTRIES, ring_lines=8)
    traffic = Traffic(rng, 0, lines, 60)
    for k, line in enumerate(traffic.lines):  # errors of the memory pass, too
        line["error"] = traffic.o[k]["error"] = rng.getrandbits(1)
    component = copies_of(lines, SecondLevel())
    assert isinstance(component, NoCopies)
    run = run_streams(
        component,
        {"i": traffic.i, "lines": traffic.lines},
        {"commands": len(traffic.commands), "o": len(traffic.o)},
        stall_in=stalls[0],
        stall_out=stalls[1],
        seed=5,
    )
    assert run["o"].payloads == traffic.o
    assert len(traffic.commands) == len(traffic.i)
    for command, expected in zip(run["commands"].payloads, traffic.commands, strict=True):
        assert {name: command[name] for name in expected} == expected


def test_a_ring_is_a_multiple_of_the_copies():
    lines = LineMap(rings=ENTRIES, ring_lines=6)
    with pytest.raises(ValueError, match="blocks of a ring must be a multiple of 4, not 6"):
        BlockCopies(lines, SecondLevel(blocks=4))
