"""Checks the bursts of windows, and the ports that they keep busy, against numbers by hand."""

from types import SimpleNamespace

import pytest

from rtl.engine.streamzip.rates.memory_rate import MemoryRate
from rtl.keyed.dram.lines import LineMap
from rtl.keyed.store.lines.second_level import SecondLevel


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
        self.used = used
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
        read=read,
        windows=1.0,
        copied=0.0,
        cached=0.0,
        lines=read,
        block_values=1,
        mix=mix,
        tuples_per_key=None,
    )
    keys = SimpleNamespace(lines=lines, memory="mlq", m2=SecondLevel())
    memory = Recorder()
    assert MemoryRate(keys=keys, load=load, dram=memory, bases=()).stage_cycles["memory bus"] == 0
    assert memory.traffic.busy == pytest.approx(busy)
    assert memory.used is None


def cycles_of(stage, *, share=1.0, memory="mlq", ports=1, m2=None, dram=None, **load):
    """Returns the cycles of a stage; ``share`` is that of every key, ``load`` is of a tuple."""
    lines = LineMap(rings=4, ring_lines=64, ports=ports, data_width=512)
    usual = {
        "read": 1,
        "windows": 1.0,
        "copied": 0,
        "cached": 0.0,
        "lines": 1,
        "block_values": None,
    }
    mix = SimpleNamespace(mean=lambda of_share: of_share(share))
    values = usual | {"mix": mix, "tuples_per_key": None, "fills_ring": False} | load
    outer = m2 or SecondLevel()
    line = SimpleNamespace(items=8)
    copies = SimpleNamespace(beats=4)
    keys = SimpleNamespace(lines=lines, memory=memory, m2=outer, line=line, outer_m2=copies)
    load = SimpleNamespace(**values)
    return MemoryRate(keys=keys, load=load, dram=dram or Recorder(), bases=()).stage_cycles[stage]


def test_stages_by_hand():
    """Examples of the docstrings: a window of a line takes 44 / 8 cycles, 6 lines 3 of 4 ports."""
    dram = Recorder()
    dram.answer = 40
    assert cycles_of("read bursts under way at the memory ports", dram=dram) == 44 / 8
    assert cycles_of("reads of lines at the memory ports", read=6, ports=4) == 6 / 3
    assert cycles_of("reads of lines at the memory ports", read=6, ports=4, share=0) == 6 / 4
    # Two copies, a block from M3 and the growing block, for every second tuple.
    assert cycles_of("collection of blocks", copied=2, windows=0.5) == 2
    assert cycles_of("collection of blocks") == 0


@pytest.mark.parametrize(
    ("keeps", "windows", "words"),
    [
        (False, 1.0, 3 / 2),
        (False, 0.5, 3 / 8 / 2 + 3 / 2 / 2),  # each second line of 8 items is full by itself
        (True, 1.0, (4 + 5 + 6 + 7 + 4 + 8 + 8 + 8) / 8),
    ],
)
def test_words_of_an_m2_outside_of_the_chip(keeps, windows, words):
    m2 = SecondLevel(lines=2 if keeps else 1, kind="external")
    stage = "reads of words from M2"
    assert cycles_of(stage, share=1 / 1024, m2=m2, windows=windows) == words
    assert cycles_of(stage, m2=m2, windows=windows) == 0  # the only key comes again at once


def test_the_lines_that_a_key_has_used():
    """320 tuples of a key in lines of 8, or in blocks of 16, at 4 ports."""
    for block_values, used in ((None, 10), (16, 5)):
        memory = Recorder()
        arguments = {"tuples_per_key": 320, "block_values": block_values}
        assert cycles_of("memory bus", ports=4, dram=memory, **arguments) == 0
        assert memory.used == used


@pytest.mark.parametrize(
    ("copied", "cycles"),
    [
        (2.0, 8),  # a block takes 4 cycles
        (0.5, 2),  # every second window reads a copy
    ],
)
def test_copies_of_an_m2_outside_of_the_chip(copied, cycles):
    m2 = SecondLevel(kind="external", blocks=4)
    assert cycles_of("reads of words from M2", m2=m2) == 0
    assert cycles_of("copies of blocks in M2", m2=m2, copied=copied) == cycles


def test_windows_from_the_cache_send_no_commands():
    """A line is written for every 8 tuples, and each fourth of the windows reads its line."""
    cycles = cycles_of("commands to the memory ports", cached=0.75)
    assert cycles == pytest.approx(1 / 8 + 1 / 4)
