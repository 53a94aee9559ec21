"""The schedule of the ideal memory, by hand."""

from types import SimpleNamespace

import pytest

from rtl.keyed.dram.dram_model import DRAMS
from rtl.keyed.dram.dram_schedule import IdealSchedule


def schedule_of(name, plan):
    memory = DRAMS[name]
    return IdealSchedule(plan, memory.answer, memory.delay, memory.stall)


def test_an_ideal_port_answers_after_40_cycles_and_moves_a_beat_in_each():
    plan = SimpleNamespace(ports=2, beats=4)
    memory = schedule_of("ideal", plan)
    assert memory.read(0, 10, 0, 0, 3) == 10 + 40 + 12
    assert memory.read(0, 11, 0, 0, 1) == 10 + 40 + 16  # behind the first
    assert memory.read(1, 11, 0, 0, 1) == 11 + 40 + 4
    assert memory.write(0, 11, 0, 0) == 11 + 4 + 40


def test_a_restless_memory_is_slower():
    """A port moves 3 beats in 4 cycles, and a burst takes up to 60 cycles more."""
    plan = SimpleNamespace(ports=1, beats=4)
    memory = schedule_of("restless", plan)
    ends = [memory.read(0, 0, 0, 0, 1) for _ in range(1000)]
    assert ends == sorted(ends)
    assert ends[-1] == pytest.approx(1000 * 4 / 0.75, rel=0.03)
    assert 40 < ends[0] < 40 + 60 + 8
