"""Computes when an ideal memory behind AXI4 ports does each burst."""

from random import Random


class IdealSchedule:
    """Models a memory whose ports do not slow each other down.

    The first beat of a read comes ``answer`` cycles after its address, and the answer to a write
    ``answer`` cycles after its last beat. A port moves one beat per cycle and answers in order.
    Each burst takes a random number of up to ``delay`` more cycles, and a port pauses in a share
    ``stall`` of all cycles. For instance with ``answer`` 40 and lines of 4 beats, a read of 3 lines
    that begins in cycle 10 ends in cycle 10 + 40 + 12 = 62.

    Parameters
    ----------
    lines : LineMap
    answer, delay : int
    stall : float
    """

    def __init__(self, lines, answer, delay=0, stall=0.0):
        self._answer = answer
        self._delay = delay
        self._random = Random(1)
        self._line = lines.beats / (1 - stall)
        self._read = [0.0] * lines.ports
        self._written = [0.0] * lines.ports
        self._answered = [0.0] * lines.ports

    def _answer_cycles(self):
        return self._answer + (self._random.randint(0, self._delay) if self._delay else 0)

    def read(self, port, cycle, ring, first, count):
        """Reads ``count`` lines of a ring; returns the cycle after the last beat."""
        self._read[port] = max(cycle + self._answer_cycles(), self._read[port]) + count * self._line
        return self._read[port]

    def write(self, port, cycle, ring, line):
        """Writes a line of a ring; returns the cycle of the answer."""
        self._written[port] = max(cycle, self._written[port]) + self._line
        answered = max(self._written[port] + self._answer_cycles(), self._answered[port])
        self._answered[port] = answered
        return answered
