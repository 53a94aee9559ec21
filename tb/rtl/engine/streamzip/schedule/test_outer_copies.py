"""Checks the model of the port of copies in an M2 outside of the chip, cycle by cycle."""

from itertools import pairwise

from rtl.engine.streamzip.schedule.outer_copies import OuterCopySchedule
from rtl.keyed.dram.dram_model import Ideal
from rtl.keyed.store.blocks.outer_copies import copy_map

#: Cycles from a read to its last block: 3 to the address, 40 of the memory, 2 to the block, and 4
#: for each block.
ONE, TWO = 3 + 40 + 2 + 4, 3 + 40 + 2 + 8


def schedule_of(copies):
    return OuterCopySchedule(copy_map(8, copies, 32), copies, Ideal())


def test_a_block_takes_four_cycles():
    port = schedule_of(2)
    assert port.read(10, 3, 0, 2) == (10, 10 + TWO)
    assert port.read(11, 4, 0, 1) == (11, 10 + TWO + 4)
    assert port.read(200, 4, 1, 1) == (200, 200 + ONE)


def test_a_read_waits_for_a_write_of_its_copy_alone():
    """The write is answered 4 cycles of data and 40 cycles after its address."""
    for copies in (1, 4):
        port = schedule_of(copies)
        assert port.write(10, 5, 7) == 10
        assert port.read(10, 6, 7, 1) == (10, 11 + ONE)
        _, arrives = port.read(12, 5, 7, 1)
        assert arrives == 10 + 3 + 4 + 40 + 1 + ONE - 3


def test_a_read_may_begin_at_the_last_place():
    """Blocks 3 and 4 lie in the places 3 and 0 of 4: two bursts."""
    port = schedule_of(4)
    assert port.read(10, 5, 3, 2) == (10, 10 + TWO)
    port.write(100, 5, 4)
    _, arrives = port.read(101, 5, 3, 2)
    # The write is answered in cycle 100 + 3 + 4 + 40. A cycle later the second burst begins.
    assert arrives == 100 + 3 + 4 + 40 + 1 + ONE - 3


def test_sixteen_reads_are_under_way():
    port = schedule_of(2)
    arrivals = [port.read(0, n % 8, 0, 1)[1] for n in range(40)]
    gaps = [b - a for a, b in pairwise(arrivals)]
    assert gaps == [4] * 39


def test_a_slower_memory():
    """An SRAM whose answer takes 60 cycles, and which pauses in half of all cycles."""
    memory = Ideal(answer=60, stall=0.5)
    port = OuterCopySchedule(copy_map(8, 2, 32), 2, memory)
    assert port.read(10, 3, 0, 2) == (10, 10 + 3 + 60 + 16 + 2)
