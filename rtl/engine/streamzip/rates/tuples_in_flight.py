"""Computes the cycles per tuple with dram-only, where each tuple changes its line in DRAM."""

from dataclasses import dataclass
from math import expm1

from rtl.engine.streamzip.rates.memory_rate import IN_FLIGHT, ORDERED, READS, MemoryRate

#: Greatest number of write bursts at a port.
WRITES = 16


@dataclass(frozen=True)
class TuplesInFlight:
    """Computes the cycles for each tuple that follow from the limit of :data:`IN_FLIGHT` tuples.

    Tuples leave in order. For instance, if the slowest of 32 tuples in flight stays for 64 cycles,
    a tuple takes 2 cycles.

    Attributes
    ----------
    memory : MemoryRate
    """

    memory: MemoryRate

    @property
    def cycles(self):
        """Cycles for each tuple.

        The slowest tuple in flight decides: it stays until the memory answers its read. A port has
        at most 8 reads and 16 writes under way. So if the tuples in flight have n > 8 reads at the
        busiest port, the tuple stays n / 8 times as long; with n > 16 writes n / 16 times as long.
        """
        memory = self.memory
        answer = memory.dram.answer + memory.keys.lines.beats + 1
        read = memory.at_busiest_port(memory.changed)
        written = memory.at_busiest_port(1)
        stay = max(1, read / READS, written / WRITES) * answer + 10
        wait_cycles = 0
        for _ in range(20):  # a fixed point: the longer tuples stay, the fewer of them wait
            wait_cycles = (wait_cycles + self._write_wait_cycles(stay + wait_cycles)) / 2
        return (stay + wait_cycles) / IN_FLIGHT

    def _write_wait_cycles(self, stay):
        """Returns the cycles for which tuples at the busiest port wait for writes of their lines.

        A tuple whose key is also in flight reads nothing. So a tuple waits if its key is not among
        the 32 tuples in flight, but among the tuples before them whose writes have no answer yet.
        It waits for half of the response time on average. The waits of the port's tuples in flight,
        at most 32, add up. ``stay`` is the number of cycles that a tuple is in flight.
        """
        ordered = self.memory.dram.answer + ORDERED
        tuples_before = ordered * IN_FLIGHT / stay

        def waits_for_write(share):
            """Returns the probability for a key with this share of the tuples."""
            return (1 - share) ** IN_FLIGHT * (1 - (1 - share) ** tuples_before)

        return self.memory.at_busiest_port(self.memory.load.mix.mean(waits_for_write)) * ordered / 2

    def overwriting_cycles(self, cycles):
        """Returns the extra cycles for each tuple if a window can begin in the ring's oldest line.

        The next tuple of the key then overwrites the first line of the window. If this line has not
        been read yet, the tuple waits, and all tuples after it. The tuple comes at random. Without
        these waits a tuple takes ``cycles``.
        """
        load = self.memory.load
        keys = self.memory.keys
        places = keys.lines.ring_lines * keys.line.items
        if load.size <= places - keys.line.items:
            return 0

        def waits(share):
            # Number of tuples of the key that come while the window is read. It is 0, and no tuple
            # waits, if the share is 0 or nothing is read.
            coming = share * load.read / cycles
            return load.read * (1 + expm1(-coming) / coming) if coming else 0.0

        return load.windows * load.mix.mean(waits)
