"""The number of read bursts of a window, by hand."""

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
