"""Computes when copies of blocks come from an M2 outside of the chip."""

from rtl.keyed.dram.port_schedule import PortSchedule
from rtl.keyed.store.blocks.outer_copies import READS


class OuterCopySchedule:
    """Models the port of M2, and the memory behind it, burst by burst.

    For instance with 4 beats in a block and an answer after 40 cycles, the last of 2 blocks that
    are read in cycle 10 arrives in cycle 10 + 3 + 40 + 8 + 2 = 63.

    Parameters
    ----------
    lines : LineMap
        The map of :func:`rtl.keyed.store.blocks.outer_copies.copy_map`.
    copies : int
        Copies of each key.
    memory : Ideal
        The memory, such as an SRAM.
    """

    def __init__(self, lines, copies, memory):
        self._port = PortSchedule(0, lines, memory.memory(lines), reads=READS)
        self._lines = lines
        self._copies = copies

    def write(self, cycle, entry, block):
        """Returns the cycle in which the port accepts a write that is offered in ``cycle``."""
        accepted = self._port.accepted(cycle)
        self._port.write(accepted, *self._place(entry, block))
        return accepted

    def read(self, cycle, entry, first, count):
        """Reads copies of ``count`` blocks of a key from block ``first`` on.

        Returns the cycle in which the port accepts the read, and the cycle in which the last block
        arrives.
        """
        accepted = self._port.accepted(cycle)
        return accepted, self._port.read(accepted, *self._place(entry, first), count)

    def _place(self, entry, block):
        """Returns the ring, and the line in it, that has the copy of a block."""
        return divmod(entry * self._copies + block % self._copies, self._lines.ring_lines)
