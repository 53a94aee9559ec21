"""Checks rings whose size is no power of two: where lines lie, and that reads wrap and are cut."""

import random
from dataclasses import dataclass

import pytest

from rtl.keyed.dram.bursts import BurstCutter
from rtl.keyed.dram.lines import LineMap
from tb.bench.unit import run_stream
from tb.rtl.keyed.dram.axi_slave import LINE, PAGE
from tb.rtl.keyed.dram.line_bench import SMALL, LineBench, Read, Write, answers, some_lines

REGRESS = pytest.mark.regress
#: Lines of a ring at each port, and the sizes of the port's segments, by hand.
SEGMENTS = {3: (2, 1), 6: (4, 2), 7: (4, 2, 1), 14: (8, 4, 2), 28: (16, 8, 4), 132: (128, 4)}


def slots_of(lines):
    """Returns the line numbers of a ring: its lines, up to a power of two."""
    return 1 << (lines.ring_lines - 1).bit_length()


def offsets_of(rings, part):
    """Returns the distance of each (ring, place) from the first line of a port.

    The first segments of all rings come first, then all second segments, then all third ones.
    """
    order, start = [], 0
    for size in SEGMENTS[part]:
        order += [(ring, start + k) for ring in range(rings) for k in range(size)]
        start += size
    return {where: offset for offset, where in enumerate(order)}


def unit_of(part, place):
    """Returns the number of the unit of a place: units are segments, or 64 lines of them."""
    starts = [0]
    for size in SEGMENTS[part]:
        starts += [starts[-1] + min(64, size) * (k + 1) for k in range(-(-size // 64))]
    return max(number for number, start in enumerate(starts) if start <= place)


@pytest.mark.parametrize("part", SEGMENTS)
def test_offsets(part):
    lines = LineMap(rings=4, ring_lines=part)
    assert lines.segments.sizes == list(SEGMENTS[part])
    assert lines.port_bytes == 4 * part * LINE
    for (ring, place), offset in offsets_of(4, part).items():
        assert lines.segments.offset(ring, place) == offset
        last = max(p for p in range(part) if unit_of(part, p) == unit_of(part, place))
        assert lines.segments.unit_end(place) == last + 1


@pytest.mark.parametrize(
    ("part", "stall"), [(7, 0.3), (28, 0), *(pytest.param(p, 0.3, marks=REGRESS) for p in (3, 132))]
)
def test_cuts(part, stall):
    """A burst lies in one unit, and stretches wrap after the last line of the ring."""
    rng, lines = random.Random(part), LineMap(rings=2, ring_lines=part)
    stretches, expected = [], []
    for _ in range(150):
        ring, first, count = rng.randrange(2), rng.randrange(part), rng.randint(1, part)
        write = rng.random() < 0.3
        count = 1 if write else count
        line = ring * slots_of(lines) + first
        stretches.append({"write": int(write), "line": line, "more": count - 1})
        bursts = []
        for place in ((first + k) % part for k in range(count)):
            if bursts and place and unit_of(part, place) == unit_of(part, bursts[-1][-1]):
                bursts[-1].append(place)
            else:
                bursts.append([place])
        expected += [(int(write), ring, places[0], places[-1]) for places in bursts]
    result = run_stream(
        BurstCutter(lines), stretches, expected=len(expected), stall_in=stall, stall_out=stall
    )
    actual = []
    for burst in result.payloads:
        begin = burst["unit"] * lines.segments.unit_lines
        ring, first = divmod(begin + burst["first"], slots_of(lines))
        actual.append((burst["write"], ring, first, (begin + burst["last"]) % slots_of(lines)))
        assert burst["more"] == burst["last"] - burst["first"]
    assert actual == expected
    if not stall:
        assert result.cycles[-1] - result.cycles[0] == len(expected) - 1


@dataclass(frozen=True)
class SlotWrite(Write):
    """A write of a line, of which the design knows the number ``slot``."""

    slot: int

    def payload(self, rng):
        return super().payload(rng) | {"line": self.slot}


@dataclass(frozen=True)
class SlotRead(Read):
    """A read from a line on, of which the design knows the number ``slot``."""

    slot: int

    def payload(self, rng):
        return super().payload(rng) | {"line": self.slot}


class SegmentBench(LineBench):
    """A line memory whose lines are numbered without the slots that no ring uses."""

    def place(self, number):
        ring, line = divmod(number, self.map.ring_lines)
        stripe, within = divmod(line, self.map.stripe_lines)
        port = (stripe + ring) % self.ports
        local = stripe // self.ports * self.map.stripe_lines + within
        part = self.map.ring_lines // self.ports
        offset = offsets_of(self.map.rings, part)[ring, local]
        return port, self.bases[port] * PAGE + offset * LINE


@pytest.mark.in_turn(5)
@pytest.mark.parametrize(
    ("part", "ports", "stripe"),
    [
        (7, 2, 1),
        *(pytest.param(*p, marks=REGRESS) for p in ((28, 4, 1), (6, 4, 2), (14, 1, 2), (28, 1, 4))),
    ],
)
def test_reads_return_what_was_written(part, ports, stripe):
    """Reads of any length from any line, and errors of lines, at ports with several segments."""
    rng = random.Random(f"{part} {ports} {stripe}")
    ring = part * ports
    lines = LineMap(rings=4, ring_lines=ring, ports=ports, stripe_lines=stripe)
    contents = some_lines(rng, lines.lines)
    bad = {kind: rng.sample(range(lines.lines), 2) for kind in ("bad_reads", "bad_writes")}
    commands = []
    for _ in range(120):
        line = rng.randrange(lines.lines)
        slot = line // ring * slots_of(lines) + line % ring
        if rng.random() < 0.6:
            commands.append(SlotWrite(line, rng.getrandbits(512), slot))
        else:
            count = rng.choice((0, 1, rng.randint(1, ring), ring))
            commands.append(SlotRead(line, count, slot))
    sizes = SMALL | {"buffer_lines": max(4, lines.segments.unit_lines)}
    bench = SegmentBench(
        lines, contents, part, port=sizes, **bad, delay=12, stall=0.3, stall_out=0.5
    )
    seen = bench.run(commands)
    assert seen.results() == answers(commands, contents, ring, **bad)
    assert bench.contents() == contents
    failed = [c for c in commands if isinstance(c, Write) and c.line in bad["bad_writes"]]
    assert sorted(seen.failed) == sorted(command.slot for command in failed)
