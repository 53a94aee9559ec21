"""Computes when the bursts of one memory port begin and end, burst by burst."""

from collections import deque

from rtl.keyed.dram.bursts import BurstCutter

# The following numbers are defaults of :class:`~rtl.keyed.dram.line_port.LinePort`.
#: Greatest number of commands in a port's queue.
QUEUE = 12
#: Greatest number of reads under way.
READS = 8
#: Greatest number of writes under way.
WRITES = 16
#: Greatest number of commands that a port has accepted and that wait for their bursts: in the queue
#: and inside the cutter.
COMMANDS_AHEAD = QUEUE + BurstCutter.capacity
#: Cycles from the transfer of a command to the begin of its first burst.
TO_BURST = 3
#: Cycles from the end of a read, which is the cycle after its last beat, to the arrival of its last
#: line.
TO_LINE = 2
#: Cycles from a write's answer until a burst that waited for it may begin.
AFTER_ANSWER = 1


class PortSchedule:
    """Models the bursts of one port, in the order of their commands.

    A port does the bursts of a command one after the other
    (:class:`~rtl.keyed.dram.bursts.BurstCutter`). A burst begins a cycle after the burst before it,
    but not before all of these:

    - its command was accepted :data:`TO_BURST` cycles ago; a command is accepted only when the
      command :data:`COMMANDS_AHEAD` places earlier has begun its last burst (:meth:`accepted`);
    - at most ``reads`` - 1 other reads are under way, or for a write :data:`WRITES` - 1 other
      writes;
    - for a read, all earlier writes to its lines are answered;
    - for a write, all earlier reads of its line are complete.

    For instance a command that an idle port accepts in cycle 30 begins in cycle 33; but a read of a
    line whose write is answered in cycle 40 begins in cycle 41.

    Parameters
    ----------
    number : int
        The port's number, an argument of ``memory.read`` and ``memory.write``.
    lines : LineMap
    memory : object
        Object with ``read(port, cycle, ring, first, count)``, which returns the cycle after the
        last beat, and ``write(port, cycle, ring, line)``, which returns the cycle of the answer.
        The burst begins in ``cycle``; lines are counted in the port's part of the ring, from 0.
    reads : int
        Greatest number of reads under way.
    """

    def __init__(self, number, lines, memory, reads=READS):
        self._number = number
        self._memory = memory
        self._lines = lines
        self._ring_lines = lines.port_ring_lines
        # Begin of the last burst of each of the latest commands.
        self._begin_cycles = deque([0] * COMMANDS_AHEAD, COMMANDS_AHEAD)
        # The latest reads: the first cycle for a burst that waits for it, the ring, the first line,
        # and the count.
        self._reads = deque([(0, -1, 0, 0)] * reads, reads)
        # The latest writes: the first cycle for a burst that waits for it, the ring, and the line.
        self._writes = deque([(0, -1, 0)] * WRITES, WRITES)
        self._last_begin = 0

    def accepted(self, cycle):
        """Returns the cycle in which the port accepts a command that is offered in ``cycle``."""
        return max(cycle, self._begin_cycles[0])

    def read(self, cycle, ring, first, count):
        """Reads ``count`` lines from line ``first`` of the port's part of a ring on.

        The lines may wrap at the ring's end. The command is accepted in ``cycle``. Returns the
        cycle in which the last line arrives.
        """
        end = 0
        while count:
            place = first % self._ring_lines
            burst = min(count, self._lines.segments.unit_end(place) - place)
            begin = max(cycle + TO_BURST, self._last_begin + 1, self._reads[0][0])
            for released, written_ring, line in self._writes:
                if released > begin and written_ring == ring and 0 <= line - place < burst:
                    begin = released
            end = self._memory.read(self._number, begin, ring, place, burst)
            self._reads.append((end + 1, ring, place, burst))
            self._last_begin = begin
            first = first + burst
            count = count - burst
        self._begin_cycles.append(self._last_begin)
        return end + TO_LINE

    def write(self, cycle, ring, line):
        """Writes a line of the port's part of a ring; the command is accepted in ``cycle``."""
        place = line % self._ring_lines
        begin = max(cycle + TO_BURST, self._last_begin + 1, self._writes[0][0])
        for released, read_ring, first, count in self._reads:
            if released > begin and read_ring == ring and 0 <= place - first < count:
                begin = released
        answered = self._memory.write(self._number, begin, ring, place)
        self._writes.append((answered + AFTER_ANSWER, ring, place))
        self._last_begin = begin
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

        ``shares`` has (port, first line there, number of lines) for each port of the command; the
        number is 1 for a write. Returns the cycle in which all these ports have accepted their
        parts, and the cycle in which the last line of a read arrives; 0 for a write.
        """
        accepted = cycle
        arrived = 0.0
        for number, first, count in shares:
            port = self._ports[number]
            part_accepted = port.accepted(cycle)
            accepted = max(accepted, part_accepted)
            if write:
                port.write(part_accepted, ring, first)
            else:
                arrived = max(arrived, port.read(part_accepted, ring, first, count))
        return accepted, arrived

    def run(self, cycle):
        """Does nothing, because no cycle depends on later commands."""

    def arrived(self, end, wait):
        """Returns ``end``, the cycle in which the last line of a read arrives."""
        return end
