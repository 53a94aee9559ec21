"""Computes the rate of the engine for windows of each key, in tuples per cycle."""

from dataclasses import dataclass

from rtl.engine.streamzip.rates.kernel_rate import KernelRate
from rtl.engine.streamzip.rates.key_load import KeyLoad
from rtl.engine.streamzip.rates.memory_rate import MemoryRate
from rtl.engine.streamzip.rates.tuples_in_flight import TuplesInFlight


@dataclass(frozen=True, kw_only=True)
class KeyRate:
    """Computes the rate of the engine with a load, if its output never stalls.

    Attributes
    ----------
    keys : KeyedPlan
    kernels : KernelPlan
    load : KeyLoad
    dram : Dram or Ideal
    bases : tuple of int
        The byte address of the lines of each port.
    """

    keys: object
    kernels: object
    load: KeyLoad
    dram: object
    bases: tuple

    @property
    def tuples_per_cycle(self):
        """Tuples per cycle in the long run: the slowest stage decides.

        With dram-only a tuple also waits for the window whose first line it overwrites.
        """
        cycles = max(1, *self.stage_cycles.values())
        if self.memory.dram_only:
            cycles += TuplesInFlight(self.memory).overwriting_cycles(cycles)
        return 1 / max(1, self.load.counted_share * cycles)

    @property
    def slowest_stage(self):
        """Name of the slowest stage; None if every stage takes at most a cycle for a tuple."""
        cycles = self.stage_cycles
        slowest = max(cycles, key=cycles.get)
        return slowest if cycles[slowest] > 1 else None

    @property
    def stage_cycles(self):
        """Cycles that each stage takes for a tuple that counts, by the name of the stage.

        These are the stages of `KernelRate` and `MemoryRate`, and two more:

        - Steps for windows: each window that a tuple closes is a step, which takes a cycle. With
          windows of time, a codec and no cache the tuple's value is a further step. The minimum
          of one cycle for a tuple is in `tuples_per_cycle`.
        - Tuples in flight: with dram-only their number is limited.
        """
        dram_only = self.memory.dram_only
        return {
            "steps for windows": self.load.windows + self.load.item_steps,
            **self.kernel_rate.stage_cycles,
            **self.memory.stage_cycles,
            "tuples in flight": TuplesInFlight(self.memory).cycles if dram_only else 0,
        }

    @property
    def kernel_rate(self):
        """The cycles of decoders and kernels: a `KernelRate`."""
        return KernelRate(keys=self.keys, kernels=self.kernels, load=self.load)

    @property
    def memory(self):
        """The cycles of the memory: a `MemoryRate`."""
        return MemoryRate(keys=self.keys, load=self.load, dram=self.dram, bases=self.bases)
