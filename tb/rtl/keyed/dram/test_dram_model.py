"""Checks the rates of the model of a DRAM against measurements of LiteDRAM's controller alone."""

import pytest

from gen.simulate.run import MEMORIES
from rtl.keyed.dram.dram_model import DDR3, DRAMS, Ideal, Traffic, dram_of
from rtl.keyed.dram.lines import LineMap
from sim.memory import BACKENDS

#: Lines per cycle in bursts of reads anywhere, by (ports, lines of a burst); sim/ddr3.py.
READS = {
    **{(1, 64): 0.854, (1, 8): 0.433, (1, 2): 0.159, (1, 1): 0.085},
    **{(4, 64): 0.964, (4, 8): 0.828, (4, 2): 0.423, (4, 1): 0.223},
}


class Even:
    """Keys with equal frequencies."""

    def __init__(self, count):
        self.count = count

    def mean(self, of_share):
        return of_share(1 / self.count)


@pytest.mark.parametrize(("ports", "lines"), READS)
def test_reads_anywhere(ports, lines):
    """The mean value analysis knows nothing of what a bank may do only some cycles later."""
    actual = lines / DDR3.burst_cycles(ports, lines, opened=0, meeting=1 / 8)
    assert READS[ports, lines] == pytest.approx(actual, rel=0.08)


def test_a_mean_number_of_busy_ports_lies_between_two_whole_numbers():
    """With 3.25 ports busy the rate is three quarters of that of 3 ports, and a quarter of 4's."""
    three, four, mean = (
        1 / DDR3.burst_cycles(ports, 2, opened=0, meeting=1 / 8) for ports in (3, 4, 3.25)
    )
    assert mean == pytest.approx(0.75 * three + 0.25 * four)
    traffic = Traffic(bursts=1.0, lines=2.0, writes=0.0, meeting=1 / 8, busy=3.25)
    assert DDR3.cycles(4, traffic) == pytest.approx(1 / mean)


def test_ports_in_different_banks_wait_for_the_bus_only():
    """A port finds the bus free with probability 1 - 1.04 / 12.04, else it waits for 1.04."""
    mean_wait = 1.04 * 1.04 / 12.04
    expected = (12.04 + mean_wait) / 2
    assert DDR3.burst_cycles(2, 1, opened=0, meeting=0) == pytest.approx(expected)
    assert DDR3.burst_cycles(2, 1, opened=0, meeting=1 / 8) > expected


def bases_of(lines, banks):
    """Returns bases of ports whose distance is so many banks more than the ports' lines."""
    return [port * (lines.port_bytes + banks * DDR3.row_bytes) for port in range(lines.ports)]


@pytest.mark.parametrize(
    ("ring_lines", "used", "meeting"),
    [
        (512, 32, 1 / 8),  # a row in a port's part, in any bank
        (1024, 1, 1 / 12),  # of two rows the first: 4 banks for two ports, the others for two
        (1024, 128, 1 / 12),  # all of the first row
        (1024, 128.5, 1 / 8),  # on average a part of the second row, too
        (1024, 129, 1 / 8),  # both rows
        (2048, 1, 0),  # of four rows the first: 2 banks for each port
        (2048, 129, 1 / 12),  # each port has 4 banks, and shares 2 with each of two others
        (4096, 1, 0),  # of eight rows the first: a bank for each port
        (2048, None, 1 / 8),
    ],
)
def test_young_keys_use_the_first_rows_of_their_rings(ring_lines, used, meeting):
    lines = LineMap(rings=64, ring_lines=ring_lines, ports=4)
    banks = 1 if ring_lines > 512 else 2
    assert DDR3.meeting(lines, bases_of(lines, banks), used) == pytest.approx(meeting)


def test_ports_with_equal_bases_meet_in_the_banks_that_they_use():
    lines = LineMap(rings=64, ring_lines=2048, ports=4)
    assert DDR3.meeting(lines, [0] * 4, 1) == pytest.approx(1 / 2)
    assert Ideal().meeting(lines, [0] * 4, 1) == 0


def test_rings_that_share_rows_are_in_the_banks_of_these_rows():
    """32 rings of 16 lines behind each port are 4 rows, two banks apart from port to port."""
    lines = LineMap(rings=32, ring_lines=64, ports=4)
    assert DDR3.meeting(lines, bases_of(lines, 2), 1) == pytest.approx(1 / 12)


def test_bursts_that_meet_their_row_take_as_long_as_their_lines():
    assert DDR3.burst_cycles(4, 8, opened=1, meeting=1 / 8) == pytest.approx(8 * 1.04)


def test_writes_cost_a_turn_each_until_they_go_together():
    one = Traffic(bursts=1.01, lines=64 + 0.01, writes=0.01, opened=1)
    assert DDR3.cycles(4, one) == pytest.approx(64.01 * 1.04 + 0.01 * 13)
    many = Traffic(bursts=32, lines=64, writes=16, opened=1)
    assert DDR3.cycles(4, many) == pytest.approx(64 * 1.04 * (32 + 13) / 32)


@pytest.mark.parametrize(("opened", "reading"), [(0, 28), (0.5, 30)])
def test_while_rows_are_opened_the_bus_turns_sooner(opened, reading):
    """Without a row that is open the bus reads for 28 cycles between two turns, not for 32."""
    traffic = Traffic(bursts=32, lines=64, writes=32, opened=opened, meeting=1 / 8)
    bursts = 32 * DDR3.burst_cycles(4, 2, opened=opened, meeting=1 / 8)
    assert DDR3.cycles(4, traffic) == pytest.approx(bursts * (reading + 13) / reading)


def test_rows_of_one_key_stay_open_and_those_of_many_do_not():
    """With two keys, four ports and eight banks, half as many bursts of the other as of mine."""
    lines = LineMap(rings=16384, ring_lines=512, ports=4)
    assert DDR3.opened(Even(1), lines) == 1
    assert DDR3.opened(Even(2), lines) == pytest.approx(0.5 / (0.5 + 4 * 0.5 / 8))
    assert DDR3.opened(Even(16384), lines) < 0.001


def test_keys_that_share_rows_meet_them_open():
    """64 rings of 8 lines behind each port are 4 rows."""
    lines = LineMap(rings=64, ring_lines=32, ports=4)
    mine = 1 / 64 + 63 / 64 * 15 / 63
    actual = DDR3.opened(Even(64), lines)
    assert actual == pytest.approx(mine / (mine + (1 - mine) / 2))


def test_a_row_may_still_be_open():
    assert DDR3.still_open(1) == 1
    assert DDR3.still_open(4) == (7 / 8) ** 3


def test_memories_by_name():
    assert tuple(DRAMS) == tuple(MEMORIES)
    assert {memory.backend for memory in MEMORIES.values()} == set(BACKENDS)
    assert dram_of("ddr3") is DDR3
    assert Ideal().cycles(4, Traffic(bursts=1, lines=9, writes=0)) == 0
    with pytest.raises(
        ValueError, match=r"^dram must be one of ideal, restless, ddr3, not 'sram'$"
    ):
        dram_of("sram")
