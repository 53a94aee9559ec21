"""Computes the latency of windows while tuples come as fast as the engine takes them."""

from dataclasses import dataclass
from math import ceil

from rtl.engine.streamzip.rates.key_rate import KeyRate
from rtl.engine.streamzip.rates.memory_rate import IN_FLIGHT, READS, WINDOWS
from rtl.keyed.dram.line_memory import LineMemory

#: Commands that wait at a port.
WAIT_AT_PORT = 15
#: Commands on the way to the port.
WAIT_BEFORE = 3
#: Tuples before the commands.
BEFORE = 12


@dataclass(frozen=True, kw_only=True)
class LoadedLatency:
    """Latency from a tuple that closes a window to its row, with tuples as fast as possible.

    If tuples wait, all queues before the memory are full, and the latency is the time in which the
    tuples in the queues pass. If no tuple waits, the latency is that of a window on the chip, plus
    the cycles for its lines from DRAM.

    For instance with room for 37 tuples, and a tuple every 10 cycles, each tuple is inside for 370
    cycles. With a tuple in every cycle the queues are empty: a window of 32 lines then takes longer
    than a window on the chip by the cycles until the memory sends the first line, and by one cycle
    for each of the 31 lines before the last.

    Attributes
    ----------
    rate : KeyRate
    on_chip : int
        Latency of a window on the chip if nothing waits, in cycles.
    """

    rate: KeyRate
    on_chip: int

    @property
    def cycles(self):
        """Latency, in cycles, rounded up."""
        rate = self.rate
        load = self.rate.load
        if rate.tuples_per_cycle < self._most:
            return ceil(self._held / (rate.tuples_per_cycle * load.counted_share))
        reading = LineMemory.latency_of(rate.keys.lines, rate.dram.answer) if load.read else 0
        return ceil(self.on_chip + load.lines + reading)

    @property
    def _most(self):
        """Tuples per cycle with an unlimited memory."""
        load = self.rate.load
        return 1 / max(1, load.counted_share * max(1, load.windows))

    @property
    def _held(self):
        """Number of tuples inside when all queues before the memory are full."""
        rate = self.rate
        memory = self.rate.memory
        windows = rate.load.windows
        ports = rate.keys.lines.ports
        wait_cycles = READS + WAIT_AT_PORT
        at_port = wait_cycles / (windows + memory.single_line_bursts / ports)
        queue_cycles = WAIT_BEFORE / (windows + memory.single_line_bursts) + BEFORE
        if rate.keys.store.ring is not None and windows:
            # A window is read at some ports only, so more windows fit into the queues of the ports.
            spread = memory.bursts / ports
            bursts = windows * spread + memory.single_line_bursts / ports
            at_port = min(wait_cycles / bursts, WINDOWS / windows)
            queue_cycles += rate.keys.store.levels_latency(rate.keys)
        return at_port + queue_cycles + (IN_FLIGHT if memory.dram_only else 0)
