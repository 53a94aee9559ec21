"""Models the rate of a memory behind AXI4 ports: cycles for each tuple, by bursts and rows."""

from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from math import ceil, floor

from rtl.keyed.dram.dram_controller import ControllerTiming
from rtl.keyed.dram.dram_ports import DramPorts
from rtl.keyed.dram.dram_schedule import IdealSchedule
from rtl.keyed.dram.lines import LINE_BYTES
from rtl.keyed.dram.port_schedule import PortSchedules
from rtl.memory.chip_memory import ChipMemory


@dataclass(frozen=True, kw_only=True)
class Traffic:
    """Bursts and lines that a memory transfers for each tuple, on average, at all ports together.

    Attributes
    ----------
    bursts, lines : float
        Numbers of bursts and of lines, reads and writes together.
    writes : float
        Number of bursts that write.
    opened : float
        Share of the bursts that find their row open.
    meeting : float
        Probability that a burst of one port and a burst of another port are in the same bank.
    busy : float or None
        Mean number of ports that have bursts at a time, at least 1; None stands for all ports.
    """

    bursts: float
    lines: float
    writes: float
    opened: float = 0.0
    meeting: float = 0.0
    busy: float | None = None


@dataclass(frozen=True, kw_only=True)
class Ideal:
    """Describes a memory whose ports do not slow each other down: each moves a beat per cycle.

    Attributes
    ----------
    answer : int
        Cycles from an address to the first beat, and from a write's last beat to its answer, as in
        the ideal memory of simulations.
    delay : int
        A burst takes a random number of further cycles, from 0 to ``delay``.
    stall : float
        Share of the cycles in which a port pauses, below 1. Only the models of :meth:`ports` and
        :meth:`memory` depend on ``delay`` and ``stall``.
    """

    answer: int = 40
    delay: int = 0
    stall: float = 0.0

    def ports(self, lines, bases):
        """Returns a model of the ports of a :class:`LineMap`, burst by burst."""
        return PortSchedules(lines, self.memory(lines))

    def memory(self, lines):
        """Returns a model of the memory behind the ports, burst by burst."""
        return IdealSchedule(lines, self.answer, self.delay, self.stall)

    def cycles(self, ports, traffic):
        """Returns 0 cycles for each tuple, because only the ports themselves limit the rate."""
        return 0.0

    def opened(self, mix, lines):
        """Returns 1, because the memory has no rows."""
        return 1.0

    def still_open(self, ports):
        """Returns 1, because the memory has no rows."""
        return 1.0

    def meeting(self, lines, bases, used=None):
        """Returns 0, because the memory has no banks."""
        return 0.0


@dataclass(frozen=True, kw_only=True)
class Dram:
    """Describes one DRAM behind all ports: banks, each with one open row, and one bus for lines.

    *Bursts.* A controller locks a port to the bank of its burst, so each port has one burst at a
    time. A burst first occupies its bank, for ``opening`` cycles if its row is not open, and then
    the bus, for ``line`` cycles for each of its lines. So the ports are the customers of a closed
    queuing network with two kinds of stations, banks and bus, and wait for each other at both.
    :meth:`burst_cycles` computes the mean. A burst that meets another burst in its bank waits for
    ``meeting_openings`` openings, because the bank must also close the row of the other burst.

    *Turns of the bus.* When writes wait, the bus turns from reads to writes and back, which costs
    ``turn`` cycles without a burst. Between two turns the bus reads for ``patience`` cycles, while
    further writes wait for the next turn; or only for ``lull`` cycles if no read is ready, because
    rows are being opened.

    Attributes
    ----------
    answer : int
        As for :class:`Ideal`, for a row that is not open, in a memory without other bursts.
    banks, row_bytes : int
        Number of banks, and size of a row. Successive rows lie in successive banks.
    opening, line, turn, patience, lull : float
        Numbers of cycles, as above.
    meeting_openings : float
        Number of openings, as above.
    timing : ControllerTiming
        Cycles of single commands, for the model that computes each burst.
    """

    answer: int
    banks: int
    row_bytes: int
    opening: float
    line: float
    turn: float
    patience: float
    lull: float
    meeting_openings: float
    timing: ControllerTiming

    def ports(self, lines, bases):
        """Returns a model of the ports of a :class:`LineMap`, burst by burst."""
        return DramPorts(self.timing, lines, bases)

    def burst_cycles(self, ports, lines, opened, meeting):
        """Returns the mean cycles for each burst of ``lines`` lines, with ``ports`` ports busy.

        The number of ports may be a mean, for instance 3.7. Then the rate lies between those with
        3 and with 4 ports.

        The share ``opened`` of the bursts finds its row open. Bursts of two ports are in the same
        bank with probability ``meeting``. The method is mean value analysis: a port that arrives at
        a station finds as many bursts there as the network would have there on average with one
        port fewer. For instance bursts of 1 line, no row open: 12.04 cycles with one port, 11 for
        the row and 1.04 for the line. With four ports, which share 8 banks and the bus, 4.5 cycles,
        not 12.04 / 4 = 3.0.

        Source: M. Reiser and S. S. Lavenberg, Mean-value analysis of closed multichain queuing
        networks, Journal of the ACM 27 (1980).
        """
        in_banks = on_bus = 0.0
        rates = []
        for port_count in range(1, ceil(ports) + 1):
            waiting = self.meeting_openings * in_banks * meeting
            bank_cycles = self.opening * (1 - opened) * (1 + waiting)
            bus_cycles = self.line * lines * (1 + on_bus)
            rates.append(port_count / (bank_cycles + bus_cycles))
            in_banks = rates[-1] * bank_cycles
            on_bus = rates[-1] * bus_cycles
        fewer = rates[floor(ports) - 1]
        more = rates[-1]
        return 1 / (fewer + (more - fewer) * (ports - floor(ports)))

    def cycles(self, ports, traffic):
        """Returns the mean cycles for each tuple, if as many bursts as possible are under way.

        The bus turns once for each write, or once after every r cycles of reading, whichever is
        less often; r lies between ``lull``, if no burst finds its row open, and ``patience``, if
        all do. So the turns add ``writes`` * ``turn`` cycles, or the share ``turn`` / r of the
        cycles of the bursts.
        """
        bursts = traffic.bursts
        burst_cycles = bursts * self.burst_cycles(
            traffic.busy or ports, traffic.lines / bursts, traffic.opened, traffic.meeting
        )
        reading = self.lull + (self.patience - self.lull) * traffic.opened
        most = burst_cycles * (1 + self.turn / reading)
        return min(burst_cycles + traffic.writes * self.turn, most)

    def opened(self, mix, lines):
        """Returns the share of the bursts that find their row open, for a KeyMix in a LineMap.

        A row stays open until a burst needs another row of the same bank. Behind each port, the
        bursts of a key go to one row, which the key may share with other keys. The bursts of all
        further keys, at all ports, go to any bank. The rows of one key at different ports lie in
        different banks. For instance a key with half of the bursts and rows of its own, 4 ports and
        8 banks: beside the key's 0.5, bursts of other keys come to the bank of its row, 4 * 0.5 / 8
        = 0.25. So the share is 0.5 / 0.75 = 67 %.
        """
        rings = max(1, self.row_bytes // (lines.port_ring_lines * LINE_BYTES))
        other_share = min(1.0, (rings - 1) / max(1, lines.rings - 1))

        def opened_share(share):
            same_row = share + (1 - share) * other_share
            return same_row / (same_row + lines.ports * (1 - same_row) / self.banks)

        return mix.mean(opened_share)

    def still_open(self, ports):
        """Returns the probability that a row is still open after a burst of each other port."""
        return (1 - 1 / self.banks) ** (ports - 1)

    def meeting(self, lines, bases, used=None):
        """Returns the probability that bursts of two ports are in the same bank.

        Bursts go to any bank if keys have lines in all rows of their rings. Young keys have lines
        in the first rows only. For instance with 8 banks, and with 4 rows in a port's part of a
        ring: the first rows lie in every fourth bank, so the ports are in different banks if their
        bases are one bank apart. With 2 rows in a part the first rows lie in every second bank, and
        4 banks belong to 2 of the 4 ports. So a port meets one of the 3 other ports, there with
        probability 1/4, altogether 1/12.

        Parameters
        ----------
        lines : LineMap
        bases : sequence of int
            The byte address of each port's lines.
        used : float or None
            Number of lines of each ring that a port has used so far; None stands for all.
        """
        if used is None or used >= lines.port_ring_lines or lines.ports == 1:
            return 1 / self.banks
        shares = [self._bank_shares(lines, base, used) for base in bases]
        pairs = list(combinations(shares, 2))
        return sum(one[bank] * two[bank] for one, two in pairs for bank in one) / len(pairs)

    def _bank_shares(self, lines, base, used):
        """Returns the share of a port's bursts in each bank, for the first lines of all rings."""
        row_lines = self.row_bytes // LINE_BYTES
        step = max(1, row_lines // lines.port_ring_lines)  # rings that share a row
        rows = Counter(
            (base // LINE_BYTES + lines.segments.offset(ring, place)) // row_lines % self.banks
            for ring in range(0, min(lines.rings, step * self.banks), step)
            for place in range(0, max(1, ceil(used)), row_lines)
        )
        return Counter({bank: count / rows.total() for bank, count in rows.items()})


#: The memory ``ddr3`` of simulations: DDR3-1333 of 64 bits behind LiteDRAM 2024.12 at 156.25 MHz,
#: so with 1,250 million transfers per second.
#: The configuration of the controller gives 8 banks, rows of 8 KiB, 13 cycles for a turn (8 before
#: a write, read_latency - 1, and 5 after it, tWTR + CWL + tCCD), and a patience of 32 (read_time).
#: The other numbers were measured with the controller alone: a line in a burst of 64 lines takes
#: 1.04 cycles; single lines from one port, at random places, take 11.8 cycles to read and 12.3 to
#: write, so about 11 of them for the row. Bursts of 1, 2 and 8 lines from four ports take 4.48,
#: 4.73 and 9.66 cycles, so a burst waits for about 1.5 openings of another burst in its bank. The
#: lull is chosen to fit the measured rates of the engine streamzip.
DDR3 = Dram(
    answer=30,
    banks=8,
    row_bytes=8192,
    opening=11,
    line=1.04,
    turn=13,
    patience=32,
    lull=28,
    meeting_openings=1.5,
    timing=ControllerTiming(),
)

#: Models of the memories of `sluice simulate`, by name.
DRAMS = {"ideal": Ideal(), "restless": Ideal(delay=60, stall=0.25), "ddr3": DDR3}


#: Memory of block RAM or UltraRAM behind the ports.
ON_CHIP = Ideal(answer=ChipMemory.latency)


def dram_of(name):
    """Returns the memory with this name; raises ValueError for an unknown name."""
    if name not in DRAMS:
        raise ValueError(f"dram must be one of {', '.join(DRAMS)}, not {name!r}")
    return DRAMS[name]
