"""What a memory behind AXI4 ports gives: how long lines take, by the rows that they open."""

from dataclasses import dataclass

from rtl.keyed.dram.dram_controller import ControllerTiming
from rtl.keyed.dram.dram_ports import DramPorts
from rtl.keyed.dram.dram_schedule import IdealSchedule
from rtl.keyed.dram.lines import LINE_BYTES
from rtl.keyed.dram.port_schedule import PortSchedules


@dataclass(frozen=True, kw_only=True)
class Traffic:
    """What is asked of a memory for each tuple, on average, at all ports together.

    Attributes
    ----------
    bursts, lines : float
        Of both directions.
    writes : float
        Bursts of these that write.
    opened : float
        Share of the bursts that meet their row open.
    """

    bursts: float
    lines: float
    writes: float
    opened: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Ideal:
    """A memory whose ports know nothing of each other, and give a line in every cycle.

    Attributes
    ----------
    answer : int
        Cycles from an address to the first beat, and from a write's last beat to its answer: those
        of the ideal memory of simulations.
    delay : int
        Each burst takes up to so many cycles more, at random.
    stall : float
        Share of the cycles in which a port pauses. Only :meth:`schedule` knows of both.
    """

    answer: int = 40
    delay: int = 0
    stall: float = 0.0

    def ports(self, lines, bases):
        """Returns a model of the ports of a :class:`LineMap`, burst by burst."""
        memory = IdealSchedule(lines, self.answer, self.delay, self.stall)
        return PortSchedules(lines, memory)

    def cycles(self, ports, traffic):
        """No more than the ports themselves take."""
        return 0.0

    def opened(self, mix, lines):
        """There are no rows."""
        return 1.0

    def still_open(self, ports):
        """There are no rows."""
        return 1.0


@dataclass(frozen=True, kw_only=True)
class Dram:
    """One DRAM behind all ports: banks with a row open in each, and one bus for the lines.

    Each port has one burst at a time in a bank, as a controller locks a port to the bank of its
    burst. So ports are customers that go round between two stations, and wait for each other at
    both: the banks, where a burst is for ``opening`` cycles if its row is not open, and the bus,
    where it is for ``line`` cycles for each of its lines. The mean of that is known
    (:meth:`burst_cycles`).

    When writes wait, the bus turns to them and back again, for ``turn`` cycles in which nothing is
    asked; then it reads for ``patience`` cycles, however many writes have come, which go together
    at the next turn; or for ``lull``, when there is nothing to read, as rows are being opened.

    Attributes
    ----------
    answer : int
        As for :class:`Ideal`, of a row that is not open and a memory that has nothing else to do.
    banks, row_bytes : int
        A row lies in one bank, the next row in the next bank.
    opening, line, turn, patience, lull : float
        Cycles.
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
    timing: ControllerTiming

    def ports(self, lines, bases):
        """Returns a model of the ports of a :class:`LineMap`, burst by burst."""
        return DramPorts(self.timing, lines, bases)

    def burst_cycles(self, ports, lines, opened):
        """Cycles for each burst of so many ``lines``, of which the share ``opened`` meets its row.

        Mean value analysis: a port that comes to a station finds there what one port fewer would
        have there on average. With one port bursts of 1 line take 11 + 1.04 cycles; with four,
        which meet in 8 banks, not a quarter of that, 3.0, but 4.0.

        Source: M. Reiser and S. S. Lavenberg, Mean-value analysis of closed multichain queuing
        networks, Journal of the ACM 27 (1980).
        """
        in_bank = on_bus = 0.0
        for ports_there in range(1, ports + 1):
            opens = self.opening * (1 - opened) * (1 + in_bank)
            moves = self.line * lines * (1 + on_bus)
            rate = ports_there / (opens + moves)
            in_bank, on_bus = rate * opens / self.banks, rate * moves
        return 1 / rate

    def cycles(self, ports, traffic):
        """Cycles for each tuple, with the ports never idle.

        With w writes there is a turn for each, or one after every r cycles of reading: so of c
        cycles w * turn are lost, or the share turn / (turn + r), whichever is less.
        """
        bursts = traffic.bursts
        moved = bursts * self.burst_cycles(ports, traffic.lines / bursts, traffic.opened)
        reading = self.lull + (self.patience - self.lull) * traffic.opened
        busy = moved * (1 + self.turn / reading)
        return min(moved + traffic.writes * self.turn, busy)

    def opened(self, mix, lines):
        """Share of the bursts that meet their row open, with keys of a KeyMix in a LineMap.

        A row stays open until another row of its bank is wanted. Of the bursts those of a key, and
        of the other keys in its rows, go to one row behind each port; those of the others, at all
        ports, to any bank. The ports' rows of one key are in different banks.
        """
        rings = max(1, self.row_bytes // (lines.port_ring_lines * LINE_BYTES))
        other_share = min(1.0, (rings - 1) / max(1, lines.rings - 1))

        def meets(share):
            mine = share + (1 - share) * other_share
            return mine / (mine + lines.ports * (1 - mine) / self.banks)

        return mix.mean(meets)

    def still_open(self, ports):
        """Chance that a row is still open when each of the other ports has had a burst anywhere."""
        return (1 - 1 / self.banks) ** (ports - 1)


#: DDR3-1600 of 64 bits behind LiteDRAM 2024.12 at 156.25 MHz, as the harness has it (ddr3). The
#: controller's own numbers are 8 banks, rows of 8 KiB, for a turn 8 cycles before a write and 5
#: behind it (read_latency - 1, and tWTR + CWL + tCCD), and a patience of 32 (read_time). Measured
#: with nothing but the controller: bursts of 64 lines anywhere take 1.04 cycles for a line; single
#: lines anywhere from one port 11.8 cycles if they are read and 12.3 if written, so in the mean 11
#: of these are for the row. The lull is what fits the rates of the engine streamzip best.
DDR3 = Dram(
    answer=30,
    banks=8,
    row_bytes=8192,
    opening=11,
    line=1.04,
    turn=13,
    patience=32,
    lull=22,
    timing=ControllerTiming(),
)

#: By the names that `sluice simulate` has for them.
DRAMS = {"ideal": Ideal(), "restless": Ideal(delay=60, stall=0.25), "ddr3": DDR3}


def dram_of(name):
    """The memory of that name; raises ValueError when there is none."""
    if name not in DRAMS:
        raise ValueError(f"dram must be one of {', '.join(DRAMS)}, not {name!r}")
    return DRAMS[name]
