"""Computes cycle by cycle when the memory ports do their bursts in front of a DRAM."""

from collections import deque
from math import ceil

from rtl.keyed.dram.dram_controller import Burst, DramController
from rtl.keyed.dram.lines import LINE_BYTES
from rtl.keyed.dram.port_schedule import COMMANDS_AHEAD, READS, TO_BURST, TO_LINE, WRITES


class _Command:
    """Lines that one port still has to read or write: ``count`` lines from line ``first`` on.

    ``ready`` is the first cycle in which a burst may begin, ``last`` the latest burst.
    """

    __slots__ = ("count", "first", "last", "ready", "ring", "write")

    def __init__(self, write, ring, first, count, ready):
        self.write = write
        self.ring = ring
        self.first = first
        self.count = count
        self.ready = ready
        self.last = None

    @property
    def end(self):
        """The cycle behind the last line, or None if it is not known yet."""
        return None if self.count or self.last.end is None else self.last.end


class _Front:
    """One port: waiting commands, and unanswered bursts as (burst, ring, first line, count).

    ``data`` is the cycle after the last data beat of the port's writes so far.
    """

    def __init__(self):
        self.commands = deque()
        self.reads = deque()
        self.writes = deque()
        self.data = 0


class DramPorts:
    """Models the memory ports and the controller behind them, and steps through their cycles.

    Ports cut commands into bursts and hold bursts back as
    :class:`~rtl.keyed.dram.port_schedule.PortSchedule` describes, and
    :class:`~rtl.keyed.dram.dram_controller.DramController` executes the bursts. The controller
    chooses its next burst among the waiting bursts of all ports. So the caller offers commands in
    the order of their cycles, and a cycle is computed only when all commands up to the cycle are
    known: :meth:`offer` and :meth:`run` advance the present cycle, and :meth:`arrived` advances it
    only with ``wait``.

    Parameters
    ----------
    timing : ControllerTiming
    lines : LineMap
    bases : sequence of int
        The byte address of each port's lines.
    """

    def __init__(self, timing, lines, bases):
        self._timing = timing
        self._lines = lines
        self._bases = bases
        self._controller = DramController(timing, lines.ports, lines.beats)
        self._fronts = [_Front() for _ in range(lines.ports)]

    def offer(self, cycle, write, ring, shares):
        """Offers a command to ports from ``cycle`` on.

        Returns the cycle in which all ports have accepted their parts, and the list of the parts,
        which is an argument of :meth:`arrived`.

        Parameters
        ----------
        cycle : float
        write : bool
        ring : int
        shares : list of (int, int, int)
            Port, first line there, and number of lines, which is 1 for a write.
        """
        self.run(cycle)
        commands = [(port, _Command(write, ring, first, count, 0)) for port, first, count in shares]
        queued = commands
        while queued := [offered for offered in queued if not self._accept(*offered)]:
            self._step()
        return max(cycle, self._controller.cycle), [command for _, command in commands]

    def _accept(self, port, command):
        """Puts a command in the queue of a port if there is room; returns whether there was."""
        commands = self._fronts[port].commands
        if len(commands) == COMMANDS_AHEAD:
            return False
        command.ready = self._controller.cycle + TO_BURST
        commands.append(command)
        return True

    def run(self, cycle):
        """Computes all cycles before ``cycle``."""
        end = ceil(cycle)
        while self._controller.cycle < end:
            if self._controller.idle and not any(front.commands for front in self._fronts):
                self._controller.skip(end)
            else:
                self._step()

    def arrived(self, commands, wait):
        """Returns the cycle in which the last line of a read arrives.

        While the cycle is not known, returns None, or with ``wait`` computes further cycles.
        """
        while any(command.end is None for command in commands):
            if not wait:
                return None
            self._step()
        return max(command.end for command in commands) + TO_LINE

    def _step(self):
        for number, front in enumerate(self._fronts):
            if front.commands:
                self._begin(number, front)
        self._controller.step()

    def _begin(self, number, front):
        """Begins the next burst of a port if nothing holds it back."""
        cycle = self._controller.cycle
        command = front.commands[0]
        for bursts in (front.reads, front.writes):
            while bursts and bursts[0][0].end is not None and bursts[0][0].end < cycle:
                bursts.popleft()
        if command.ready > cycle:
            return
        place = command.first % self._lines.port_ring_lines
        count = min(command.count, self._lines.segments.unit_end(place) - place)
        if command.write:
            blocked = len(front.writes) == WRITES or _meets(front.reads, command.ring, place, 1)
        else:
            blocked = len(front.reads) == READS or _meets(front.writes, command.ring, place, count)
        if blocked:
            return
        seen = cycle + self._timing.seen
        if command.write:
            front.data = max(cycle, front.data) + self._lines.beats
            seen = front.data - 1 + self._timing.seen
        command.last = self._burst(number, command, place, count, seen)
        (front.writes if command.write else front.reads).append(
            (command.last, command.ring, place, count)
        )
        command.first = command.first + count
        command.count = command.count - count
        if not command.count:
            front.commands.popleft()

    def _burst(self, port, command, place, count, seen):
        """Gives a burst to the controller."""
        line = self._lines.segments.offset(command.ring, place)
        row = (self._bases[port] + line * LINE_BYTES) // self._timing.row_bytes
        banks = self._timing.banks
        burst = Burst(command.write, row % banks, row // banks, count, seen)
        self._controller.enter(port, burst)
        return burst


def _meets(bursts, ring, first, count):
    """Returns whether one of ``bursts`` has a line among ``count`` lines of a ring."""
    return any(
        other == ring and place < first + count and first < place + lines
        for _, other, place, lines in bursts
    )
