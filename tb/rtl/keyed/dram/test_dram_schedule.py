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
    place = {"ring": 0, "first": 0}
    assert memory.read(port=0, cycle=10, count=3, **place) == 10 + 40 + 12
    assert memory.read(port=0, cycle=11, count=1, **place) == 10 + 40 + 16  # after the first read
    assert memory.read(port=1, cycle=11, count=1, **place) == 11 + 40 + 4
    assert memory.write(port=0, cycle=11, ring=0, line=0) == 11 + 4 + 40
    assert memory.write(port=0, cycle=12, ring=1, line=0) == 11 + 8 + 40  # after the first write
    assert memory.write(port=1, cycle=12, ring=0, line=1) == 12 + 4 + 40
    assert memory.write(port=0, cycle=30, ring=0, line=2) == 30 + 4 + 40


def test_a_restless_memory_is_slower():
    """A port moves 3 beats in 4 cycles, and a burst takes up to 60 cycles more."""
    plan, line = SimpleNamespace(ports=1, beats=4), 4 / 0.75
    memory = schedule_of("restless", plan)
    ends = [memory.read(0, cycle=0, ring=0, first=0, count=1) for _ in range(1000)]
    assert ends == sorted(ends)
    assert ends[-1] == pytest.approx(1000 * line, rel=0.03)
    memory = schedule_of("restless", plan)
    delays = set()
    for cycle in range(0, 1_000_000, 1000):  # no burst waits for another
        end = memory.read(0, cycle=cycle, ring=0, first=0, count=1)
        delays.add(round(end - cycle - 40 - line))
    assert delays == set(range(61))


def test_a_restless_memory_answers_writes_in_order():
    """A write whose own delay is short waits for the answer to the write before it."""
    plan, line = SimpleNamespace(ports=1, beats=4), 4 / 0.75
    memory = schedule_of("restless", plan)
    answers = [memory.write(0, cycle=0, ring=0, line=0) for _ in range(1000)]
    assert answers == sorted(answers)
    delays = [answer - (k + 1) * line - 40 for k, answer in enumerate(answers)]
    assert -1e-6 < min(delays) < 10
    assert 50 < max(delays) < 60 + 1e-6
    assert len(set(answers)) < 900  # answers that had to wait come with the one before
