"""Checks the bursts of windows, and the ports that they keep busy, against numbers by hand."""

from types import SimpleNamespace

import pytest

from rtl.engine.streamzip.rates.memory_rate import MemoryRate
from rtl.keyed.dram.lines import LineMap


def test_bursts_end_with_segments():
    """A window of 100 lines has a burst at each of 4 ports, and 100 * 3 / 28 more in 3 segments."""

    def bursts(ring_lines, read):
        lines = LineMap(rings=4, ring_lines=ring_lines, ports=4)
        load = SimpleNamespace(read=read)
        keys = SimpleNamespace(lines=lines)
        return MemoryRate(keys=keys, load=load, dram=None, bases=()).bursts

    assert bursts(128, 100) == 4
    assert bursts(112, 100) == pytest.approx(4 + 100 * 3 / 28)
    assert bursts(112, 2) == 2


class Recorder:
    """A memory that saves the traffic of a prediction, and takes no cycles."""

    answer = 30

    def opened(self, mix, lines):
        return 0.0

    def still_open(self, ports):
        return 0.0

    def meeting(self, lines, bases, used):
        return 0.0

    def cycles(self, ports, traffic):
        self.traffic = traffic
        return 0.0


@pytest.mark.parametrize(
    ("read", "stripe_lines", "busy"),
    [
        (1, 1, 4 - 4 * 3 / 35 / 2),  # of two bursts one is a window's, at one of the four ports
        (4, 1, 4),
        (8, 8, 4 - 4 * (3 - 7 / 8) / (32 * 15 / 8 + 3 - 7 / 8) * 15 / 23),
    ],
)
def test_windows_leave_some_ports_idle(read, stripe_lines, busy):
    """32 windows with a burst each, at random ports, keep 4 * 32 / (32 + 3) of 4 ports busy."""
    lines = LineMap(rings=64, ring_lines=64, ports=4, stripe_lines=stripe_lines)
    mix = SimpleNamespace(mean=lambda of_share: of_share(1 / 64))
    load = SimpleNamespace(
        read=read, windows=1.0, copied=0.0, lines=read, block_values=1, mix=mix, tuples_per_key=None
    )
    m2 = SimpleNamespace(external=False, blocks=0)
    keys = SimpleNamespace(lines=lines, memory="mlq", m2=m2)
    memory = Recorder()
    assert MemoryRate(keys=keys, load=load, dram=memory, bases=()).stage_cycles["memory bus"] == 0
    assert memory.traffic.busy == pytest.approx(busy)
