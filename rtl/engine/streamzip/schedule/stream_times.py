"""Lists the cycles in which a stream passes the engine."""

from dataclasses import dataclass

import numpy as np

#: Cycles from the input to the memory levels.
TO_LEVELS = 9
#: Cycles from the input to the end of a window if all queues are empty and no line is read. One of
#: them is the collector's.
UNLOADED = TO_LEVELS + 1


@dataclass(frozen=True, kw_only=True, eq=False)
class StreamTimes:
    """Lists the cycles of a stream in the engine.

    Attributes
    ----------
    inputs : list of float
        For each step, the cycle in which the input accepts its tuple.
    closers : list of int
        For each window in order, the index of its step among all steps.
    ends : list of float
        For each window, the cycle in which the kernels have taken its last line.
    """

    inputs: list
    closers: list
    ends: list

    def delays(self, begin=0):
        """Returns the cycles by which windows of steps from ``begin`` on end later than unloaded.

        The latency of a window is its delay plus the latency of a window on the chip. A window that
        waits for nothing and reads nothing has a delay of 0 cycles; with dram-only 2 cycles, with
        serial decoders the cycles of its steps, and with an M2 outside of the chip 45 cycles.
        """
        inputs = np.array(self.inputs)
        closers = np.array(self.closers, int)
        cycles = np.array(self.ends) - inputs[closers] - UNLOADED
        return cycles[closers >= begin]
