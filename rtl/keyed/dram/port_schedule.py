"""Computes when the bursts of one memory port begin and end, burst by burst."""

from collections import deque

from rtl.keyed.dram.bursts import BurstCutter

#: Greatest numbers of commands in a port's queue and of reads and writes under way, as
#: :class:`~rtl.keyed.dram.line_port.LinePort` has them by default.
QUEUE, READS, WRITES = 12, 8, 16
#: Greatest number of commands between the dealer and a burst: in the queue and inside the cutter.
COMMANDS_AHEAD = QUEUE + BurstCutter.capacity
#: Cycles from a command in the queue to the address of its burst, and from the last beat of a read
#: to the arrival of its line.
TO_BURST, TO_LINE = 3, 2
#: Cycles from a write's answer until a burst that waited for it may begin.
BEHIND_ANSWER = 1


class PortSchedule:
    """Models the bursts of one port, in the order of their commands.

    A burst begins a cycle after the burst before it, but not before all of these:

    - at most ``reads`` - 1 other reads are under way, or for a write at most 15 other writes;
    - for a read, all earlier writes to its lines are answered;
    - for a write, all earlier reads of its line are complete;
    - its command has entered the queue, which happens only when the command 15 places earlier has
      begun its last burst.

    For instance a read of a line whose write is answered in cycle 40 begins in cycle 41.

    Parameters
    ----------
    number : int
        The port's number, an argument of ``memory.read`` and ``memory.write``.
    lines : LineMap
    memory : object
        Object with ``read(port, cycle, ring, first, count)``, which returns the cycle of the last
        beat, and ``write(port, cycle, ring, line)``, which returns the cycle of the answer.
    reads : int
        Greatest number of reads under way.
    """

    def __init__(self, number, lines, memory, reads=READS):
        self._number, self._memory = number, memory
        self._lines = lines
        self._ring_lines = lines.port_ring_lines
        # Begin of the last burst of each of the latest commands.
        self._begin_cycles = deque([0] * COMMANDS_AHEAD, COMMANDS_AHEAD)
        self._reads = deque([(0, -1, 0, 0)] * reads, reads)
        self._writes = deque([(0, -1, 0)] * WRITES, WRITES)
        self._last = 0

    def accepted(self, cycle):
        """Returns the cycle in which the port accepts a command that is offered in ``cycle``."""
        return max(cycle, self._begin_cycles[0])

    def read(self, cycle, ring, first, count):
        """Reads ``count`` lines from the port's line ``first`` on.

        Returns the cycle in which the last line arrives.
        """
        end = 0
        while count:
            place = first % self._ring_lines
            burst = min(count, self._lines.segments.unit_end(place) - place)
            begin = max(cycle + TO_BURST, self._last + 1, self._reads[0][0])
            for answered, other, line in self._writes:
                if answered > begin and other == ring and 0 <= line - place < burst:
                    begin = answered
            end = self._memory.read(self._number, begin, ring, place, burst)
            self._reads.append((end + 1, ring, place, burst))
            self._last = begin
            first, count = first + burst, count - burst
        self._begin_cycles.append(self._last)
        return end + TO_LINE

    def write(self, cycle, ring, line):
        """Writes the port's line ``line``."""
        place = line % self._ring_lines
        begin = max(cycle + TO_BURST, self._last + 1, self._writes[0][0])
        for arrived, other, first, count in self._reads:
            if arrived > begin and other == ring and 0 <= place - first < count:
                begin = arrived
        answered = self._memory.write(self._number, begin, ring, place)
        self._writes.append((answered + BEHIND_ANSWER, ring, place))
        self._last = begin
        self._begin_cycles.append(begin)


class PortSchedules:
    """Models the ports of a memory whose bursts do not depend on later commands.

    The methods are those of :class:`~rtl.keyed.dram.dram_ports.DramPorts`, but :meth:`offer`
    computes the arrival of a read at once.

    Parameters
    ----------
    lines : LineMap
    memory : object
        See :class:`PortSchedule`.
    """

    def __init__(self, lines, memory):
        self._ports = [PortSchedule(port, lines, memory) for port in range(lines.ports)]

    def offer(self, cycle, write, ring, shares):
        """Offers a command to ports from ``cycle`` on.

        ``shares`` has (port, first line there, number of lines) for each port. Returns the cycle in
        which all ports have accepted the command, and the cycle in which the last line of a read
        arrives; 0 for a write.
        """
        accepted, arrived = cycle, 0.0
        for number, first, count in shares:
            port = self._ports[number]
            begin = port.accepted(cycle)
            accepted = max(accepted, begin)
            if write:
                port.write(begin, ring, first)
            else:
                arrived = max(arrived, port.read(begin, ring, first, count))
        return accepted, arrived

    def run(self, cycle):
        """Does nothing, because no cycle depends on later commands."""

    def arrived(self, end, wait):
        """Returns ``end``, the cycle in which the last line of a read arrives."""
        return end
