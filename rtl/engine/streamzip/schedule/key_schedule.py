"""Computes the cycle in which the engine for windows of each key takes each tuple."""

from collections import deque

from rtl.engine.streamzip.rates import IN_FLIGHT
from rtl.keyed.codec.block_turns import SLOTS
from rtl.keyed.dram.port_schedule import PortSchedule

#: Greatest numbers of windows that wait for their lines, of reads that wait to be collected, and of
#: tuples in the table and in the registers around it.
WINDOWS, TURNS, BEFORE = 32, 33, 12
#: Cycles from the input to the memory levels, from the memory levels to the change of a line, and
#: from the arrival of a line to its write.
TO_LEVELS, TO_UPDATE, TO_WRITE = 9, 2, 2


class KeySchedule:
    """Keeps, for each stage of the engine, the cycle in which the stage is free again.

    Tuples pass the stages in order, so the cycle in which one leaves a stage follows from the cycle
    in which it came, the tuple before it, and the tuple that must leave the next queue first. The
    model has only the stages for which tuples compete:

    - the input takes one tuple per cycle; 12 tuples fit between it and the memory levels;
    - the dealer sends one command per cycle, each after all ports have taken the one before;
    - each port does its bursts as :class:`~rtl.keyed.dram.port_schedule.PortSchedule` says;
    - lines are collected in the order of their reads, one in a cycle;
    - a window occupies the kernels for one cycle per line, or as long as a sorter needs; with a
      serial codec its blocks occupy the decoders for ``steps`` cycles each; up to 32 windows wait;
    - with dram-only up to 32 tuples are in flight, and each waits for the line that it changes.

    Parameters
    ----------
    lines : LineMap
    memory : object
        :class:`~rtl.keyed.dram.dram_schedule.IdealSchedule` or another one.
    alone : bool
        Each tuple's line is read and written by itself, as with dram-only.
    interval : callable
        Returns the cycles for which a window of (values, lines) occupies the kernels.
    decoders : int
        Serial decoders; 0 where blocks are decoded at once.
    steps : callable
        Returns the cycles that a decoder takes for (life, block, values so far); the last is None
        for a full block.
    in_gap, out_gap : float
        Least number of cycles from one tuple to the next at the input, and from one row to the next
        at the output; more than 1 where the bus is narrower than a tuple or row, or stalls.
    """

    def __init__(
        self, lines, memory, *, alone, interval, decoders=0, steps=None, in_gap=1.0, out_gap=1.0
    ):
        self._lines, self._alone, self._interval = lines, alone, interval
        self._ports = [PortSchedule(port, lines, memory) for port in range(lines.ports)]
        slots = SLOTS * decoders
        self._decoders, self._steps = deque([0.0] * slots, slots or None), steps
        self._in_gap, self._out_gap = in_gap, out_gap
        self._dealt = self._given = self._collected = self._kernels = self._words = 0.0
        self._turns = deque([0.0] * TURNS, TURNS)
        self._windows = deque([0.0] * WINDOWS, WINDOWS)

    def taken(self, steps):
        """Returns the cycle in which the input takes the tuple of each :class:`Step` of a list.

        A tuple that WHERE leaves out has no step, but takes ``in_gap`` cycles of the input as well.
        """
        return self._taken_alone(steps) if self._alone else self._taken_in_lines(steps)

    def _taken_in_lines(self, steps):
        """Computes input cycles with M1 and M2, where steps pass one after the other."""
        taken, free = [], deque([0.0] * BEFORE, BEFORE)
        input_, number, left = -self._in_gap, -1, -1.0
        for step in steps:
            input_ = max(input_ + (step.at - number) * self._in_gap, free[0])
            number = step.at
            left = self._leave(step, max(input_ + TO_LEVELS, left + 1))
            free.append(left)
            taken.append(input_)
        return taken

    def _taken_alone(self, steps):
        """Computes input cycles with dram-only, where each tuple's line is read and written."""
        count = len(steps)
        taken, lines, left = [], [0.0] * count, [0.0] * count
        free = deque([0.0] * BEFORE, BEFORE)
        input_, number, come, gone = -self._in_gap, -1, 0.0, -1.0
        into = out = 0
        while out < count:
            leaves = max(gone + 1, lines[out]) if out < into else None
            if into < count and into - out < IN_FLIGHT:
                step = steps[into]
                arrives = max(input_ + (step.at - number) * self._in_gap, free[0])
                enters = max(arrives + TO_LEVELS, come + 1)
                if into >= IN_FLIGHT:
                    enters = max(enters, left[into - IN_FLIGHT] + 1)
                if leaves is None or enters + (step.update >= 0) <= leaves:
                    input_, number, come = arrives, step.at, enters
                    free.append(enters)
                    taken.append(input_)
                    lines[into] = enters + TO_UPDATE
                    if step.update >= 0:
                        lines[into] = self._line(enters + 1, step) + TO_WRITE
                    into += 1
                    continue
            gone = left[out] = self._leave(steps[out], leaves)
            out += 1
        return taken

    def _line(self, cycle, step):
        """Reads a line that is to be changed; returns the cycle in which the line comes."""
        _, arrived = self._read(cycle, step.ring, step.update, 1)
        self._collected = max(self._collected + 1, arrived)
        self._turns.append(self._collected)
        return self._collected

    def _leave(self, step, cycle):
        """Issues the commands and the window of a step; returns the cycle of the last one."""
        end = cycle
        if step.words:
            end = self._words = max(cycle, self._words + step.words)
        if step.write >= 0:
            end = self._write(end, step.ring, step.write)
        if step.window is not None:
            end = max(end, self._give(step, end))
        return end

    def _give(self, step, cycle):
        """Asks for the lines of a window; returns the cycle in which the window is queued."""
        window, end = step.window, max(cycle, self._windows[0])
        first, count = window.first, window.count
        if window.life is not None:
            first = self._fed(window, cycle)
            count -= first
            first %= self._lines.ring_lines
        come = end
        if count > 0:
            count = min(count, self._lines.ring_lines)
            dealt, arrived = self._read(cycle + (step.write >= 0), step.ring, first, count)
            come = max(self._collected + count, arrived)
            end = end if step.write >= 0 else max(end, dealt)
            self._turns.append(come)
        self._pass_kernels(window, max(come, end) + 1)
        return end

    @staticmethod
    def _fed(window, cycle):
        """Returns the first block to read for a window that is requested in ``cycle``.

        The data collector reports this block once it has the key's window before. Without any
        report, as in the middle of a stream, the model assumes that the report has come.
        """
        life = window.life
        if not life.fed:
            return window.first
        while life.known + 1 < len(life.fed) and life.fed[life.known + 1][0] <= cycle:
            life.known += 1
        begin, block = life.fed[life.known]
        return block if begin <= cycle else 0

    def _pass_kernels(self, window, cycle):
        """Sends a window through decoders and kernels from the cycle of its last line on."""
        takes = max(self._out_gap, self._interval(window.values, window.lines))
        if window.life is not None:
            window.life.fed.append((cycle, window.following))
        if window.life is not None and self._decoders:
            begun, done = self._decode(window, cycle)
            self._kernels = max(done, self._kernels + takes)
            self._collected = max(cycle, begun + 1)
        else:
            self._kernels = self._collected = max(cycle, self._kernels + takes)
        self._windows.append(self._collected)

    def _decode(self, window, cycle):
        """Returns when a window's last block gets a decoder, and when all its blocks are decoded.

        Blocks take the decoders in turn. A block that finds its decoder busy holds up all later
        blocks. A decoder has two slots for blocks and serves them in alternate cycles: two blocks
        pass at a time, and each takes twice its steps.
        """
        begin = done = 0.0
        for block in range(window.first, window.count + 1):
            begin = max(cycle - (window.count - block), self._decoders[0], begin)
            growing = window.growing if block == window.count else None
            end = begin + SLOTS * self._steps(window.life, block, growing)
            self._decoders.append(end)
            done = max(done, end)
        return begin, done

    def _deal(self, cycle):
        """Returns the cycle in which the dealer takes a command."""
        self._dealt = max(cycle, self._given, self._dealt + 1)
        self._given = self._dealt + 1
        return self._dealt

    def _write(self, cycle, ring, line):
        """Returns the cycle in which the dealer takes a write."""
        lines, dealt = self._lines, self._deal(cycle)
        stripe, within = divmod(line, lines.stripe_lines)
        port = self._ports[(stripe + ring) % lines.ports]
        accepted = port.accepted(dealt + 1)
        self._given = max(self._given, accepted)
        port.write(accepted, ring, stripe // lines.ports * lines.stripe_lines + within)
        return dealt

    def _read(self, cycle, ring, begin, count):
        """Returns the cycle in which the dealer takes a read, and the cycle of its last line.

        Each port reads its share of the lines, see
        :class:`~rtl.keyed.dram.line_stripes.LineDealer`.
        """
        lines, dealt = self._lines, self._deal(cycle)
        self._given = max(self._given, self._turns[0])
        size, ports, end, arrived = lines.stripe_lines, lines.ports, begin + count - 1, 0.0
        first, last = begin // size, end // size
        for number, port in enumerate(self._ports):
            mine = first + (number - first - ring) % ports
            if mine > last:
                continue
            final = last - (last + ring - number) % ports
            place = mine // ports * size + (begin % size if mine == first else 0)
            until = final // ports * size + (end % size if final == last else size - 1)
            accepted = port.accepted(dealt + 1)
            self._given = max(self._given, accepted)
            arrived = max(arrived, port.read(accepted, ring, place, until - place + 1))
        return dealt, arrived
