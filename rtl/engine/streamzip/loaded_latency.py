"""How long windows of each key take when tuples come as fast as they go in."""

from dataclasses import dataclass
from math import ceil

from rtl.engine.streamzip.rates import IN_FLIGHT, READS, KeyRate
from rtl.keyed.dram.line_memory import LineMemory

#: Commands that wait at a port and on the way there, and tuples before these.
WAIT_AT_PORT, WAIT_BEFORE, BEFORE = 15, 3, 12
#: Windows that wait for their lines, at most.
WINDOWS = 32


@dataclass(frozen=True, kw_only=True)
class LoadedLatency:
    """From a tuple that closes a window to its row, with tuples as fast as they go in.

    Where tuples wait, all queues before the memory are full, so that is the time in which the
    tuples with a place there pass. Where none waits, that of a window which is on the chip, and
    what the lines that are not take beside.

    Say 37 tuples have a place: with a tuple every 10 cycles each is inside for 370. With one in
    every cycle the queues are empty: a window of 32 lines then takes longer than one on the chip by
    the cycles until the memory gives the first line, and by one for each of the 31 before the last.

    Attributes
    ----------
    rate : KeyRate
    on_chip : int
        Cycles for a window that is on the chip, where nothing waits.
    """

    rate: KeyRate
    on_chip: int

    @property
    def cycles(self):
        """Rounded up."""
        rate, load = self.rate, self.rate.load
        if rate.tuples_per_cycle < self._most:
            return ceil(self._held / (rate.tuples_per_cycle * load.kept))
        reading = LineMemory.latency_of(rate.keys.lines, rate.dram.answer) if load.read else 0
        return ceil(self.on_chip + load.lines + reading)

    @property
    def _most(self):
        """Tuples per cycle, if the memory did all at once."""
        load = self.rate.load
        return 1 / max(1, load.kept * max(1, load.windows))

    @property
    def _held(self):
        """Tuples inside when all queues before the memory are full, up to the one that is next."""
        rate, windows, ports = self.rate, self.rate.load.windows, self.rate.keys.lines.ports
        waiting = READS + WAIT_AT_PORT
        at_port = waiting / (windows + rate.single / ports)
        before = WAIT_BEFORE / (windows + rate.single) + BEFORE
        if rate.keys.store.ring is not None and windows:
            # A window is at some ports only, so more of them find a place there, but not all.
            spread = rate.bursts / ports
            at_port = min(waiting / (windows * spread + rate.single / ports), WINDOWS / windows)
            before += rate.keys.store.levels_latency(rate.keys)
        return at_port + before + (IN_FLIGHT if rate.alone else 0)
