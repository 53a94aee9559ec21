"""The memories' schedules, held against what the simulated controller itself was measured to do."""

import heapq
import random
from types import SimpleNamespace

import pytest

from rtl.keyed.dram.dram_model import DDR3, DRAMS
from rtl.keyed.dram.lines import LINE_BYTES

#: Lines per cycle that `sim/ddr3.py` states of the controller alone, with bursts anywhere:
#: lines of a burst, lines that are read for each line that is written (0: writes alone, None: reads
#: alone), with one port, with four.
MEASURED = [
    (64, None, 0.854, 0.964),
    (8, None, 0.433, 0.828),
    (2, None, 0.159, 0.423),
    (1, None, 0.085, 0.223),
    (2, 0, 0.150, 0.397),
    (1, 0, 0.081, 0.211),
    (64, 64, 0.652, 0.819),
    (8, 64, 0.376, 0.673),
    (8, 8, 0.191, 0.425),
]
ROWS = 8 * DDR3.banks * 1024
IN_FLIGHT = 8


def lines_per_cycle(ports, lines, each, most=6000):
    """Lines of bursts anywhere, of which each port has some in flight."""
    rng, moved, last = random.Random(1), 0, 0.0
    ring_lines = DDR3.row_bytes // LINE_BYTES
    plan = SimpleNamespace(ports=ports, beats=1, port_ring_lines=ring_lines)
    memory = DDR3.schedule(plan, [0] * ports)
    done = {port: [0.0] * IN_FLIGHT for port in range(ports)}
    reads = dict.fromkeys(range(ports), 0)
    waiting = [(0.0, port) for port in range(ports)]
    while moved < most:
        cycle, port = heapq.heappop(waiting)
        ring = rng.randrange(ROWS)
        if each == 0 or (each is not None and reads[port] >= each):
            end = max(
                memory.write(port, cycle, ring, place)
                for place in range(max(1, lines * (not each)))
            )
            moved, reads[port] = moved + max(1, lines * (not each)), 0
        else:
            end, moved = memory.read(port, cycle, ring, 0, lines), moved + lines
            reads[port] += lines
        done[port] = sorted([*done[port], end])
        heapq.heappush(waiting, (max(cycle + 1, done[port].pop(0)), port))
        last = max(last, end)
    return moved / last


@pytest.mark.parametrize(("lines", "each", "one", "four"), MEASURED)
def test_the_dram_moves_as_many_lines_as_measured(lines, each, one, four):
    assert lines_per_cycle(1, lines, each) == pytest.approx(one, rel=0.15)
    assert lines_per_cycle(4, lines, each) == pytest.approx(four, rel=0.15)


def test_an_ideal_port_answers_after_40_cycles_and_moves_a_beat_in_each():
    plan = SimpleNamespace(ports=2, beats=4)
    memory = DRAMS["ideal"].schedule(plan, [0, 0])
    assert memory.read(0, 10, 0, 0, 3) == 10 + 40 + 12
    assert memory.read(0, 11, 0, 0, 1) == 10 + 40 + 16  # behind the first
    assert memory.read(1, 11, 0, 0, 1) == 11 + 40 + 4
    assert memory.write(0, 11, 0, 0) == 11 + 4 + 40


def test_a_restless_memory_is_slower():
    """A port moves 3 beats in 4 cycles, and a burst takes up to 60 cycles more."""
    plan = SimpleNamespace(ports=1, beats=4)
    memory = DRAMS["restless"].schedule(plan, [0])
    ends = [memory.read(0, 0, 0, 0, 1) for _ in range(1000)]
    assert ends == sorted(ends)
    assert ends[-1] == pytest.approx(1000 * 4 / 0.75, rel=0.03)
    assert 40 < ends[0] < 40 + 60 + 8
