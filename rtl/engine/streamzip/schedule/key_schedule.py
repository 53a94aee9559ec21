"""Computes the cycle in which the engine for windows of each key takes each tuple."""

from bisect import bisect_left
from collections import deque
from operator import itemgetter

from rtl.engine.streamzip.rates import IN_FLIGHT
from rtl.keyed.codec.decoder_times import DecoderTimes

#: Greatest numbers of windows that wait for their lines, of reads that wait to be collected, and of
#: tuples in the table and in the registers around it.
WINDOWS, TURNS, BEFORE = 32, 33, 12
#: Cycles from the input to the memory levels, from the memory levels to the change of a line, and
#: from the arrival of a line to its write.
TO_LEVELS, TO_UPDATE, TO_WRITE = 9, 2, 2
#: Cycles from a window in the data collector to a window whose key claims a place of the cache: the
#: cycle between them tells the collector that no walk of the place is under way.
CLAIM = 2


class KeySchedule:
    """Keeps, for each stage of the engine, the cycle in which the stage is free again.

    Tuples pass the stages in order, so the cycle in which one leaves a stage follows from the cycle
    in which it came, the tuple before it, and the tuple that must leave the next queue first. The
    model has only the stages for which tuples compete:

    - the input takes one tuple per cycle; 12 tuples fit between it and the memory levels;
    - the dealer sends one command per cycle, each after all ports have taken the one before;
    - each port does its bursts as :class:`~rtl.keyed.dram.port_schedule.PortSchedule` says, or
      with a DRAM as :class:`~rtl.keyed.dram.dram_ports.DramPorts`;
    - lines are collected in the order of their reads, one in a cycle;
    - a window occupies the kernels for one cycle per line, or as long as a sorter needs; with a
      serial codec its blocks occupy the decoders for ``steps`` cycles each; up to 32 windows wait;
    - with dram-only up to 32 tuples are in flight, and each waits for the line that it changes.

    Lines are collected only as far as the tuples computed so far can know, since a DRAM may do the
    bursts of later commands first: a window that waits for its lines stays in a queue until a later
    tuple needs its place there, or asks which blocks were fed back.

    Parameters
    ----------
    lines : LineMap
    ports : object
        :class:`~rtl.keyed.dram.port_schedule.PortSchedules` or another model of the ports and of
        the memory behind them.
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
        self, lines, ports, *, alone, interval, decoders=0, steps=None, in_gap=1.0, out_gap=1.0
    ):
        self._lines, self._alone, self._interval = lines, alone, interval
        self._ports = ports
        self._decoders, self._steps = DecoderTimes(decoders) if decoders else None, steps
        self._in_gap, self._out_gap = in_gap, out_gap
        self._dealt = self._given = self._collected = self._kernels = self._words = 0.0
        self._turns, self._windows = _Places(TURNS), _Places(WINDOWS)
        self._entered = 0.0
        self._coming = deque()
        self._feedback = {}

    def taken(self, steps):
        """Returns the cycle in which the input takes the tuple of each :class:`Step` of a list.

        A number without a step takes ``in_gap`` cycles of the input as well.
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
            entering = into < count and into - out < IN_FLIGHT
            if entering:
                step = steps[into]
                arrives = max(input_ + (step.at - number) * self._in_gap, free[0])
                enters = max(arrives + TO_LEVELS, come + 1)
                if into >= IN_FLIGHT:
                    enters = max(enters, left[into - IN_FLIGHT] + 1)
            leaves = None
            if out < into:
                line = self._line_of(lines[out], enters if entering else None)
                leaves = None if line is None else max(gone + 1, line)
            if entering and (leaves is None or enters + (step.update >= 0) <= leaves):
                input_, number, come = arrives, step.at, enters
                free.append(enters)
                taken.append(input_)
                lines[into] = enters + TO_UPDATE
                if step.update >= 0:
                    lines[into] = self._line(enters + 1, step)
                into += 1
                continue
            gone = left[out] = self._leave(steps[out], leaves)
            out += 1
        return taken

    def _line(self, cycle, step):
        """Reads a line that is to be changed; returns the :class:`_Reading`."""
        _, command = self._read(cycle, step.ring, step.update, 1)
        reading = _Reading(command, None, 1, 0.0)
        self._coming.append(reading)
        return reading

    def _line_of(self, line, until):
        """Returns the cycle in which a line can be changed; None if that is after ``until``.

        With None for ``until`` the cycle is computed however late it is.
        """
        if not isinstance(line, _Reading):
            return line
        if until is not None:
            self._collect(until)
        else:
            while line.collected is None:
                self._collect_next(wait=True)
        return None if line.collected is None else line.collected + TO_WRITE

    def _collect(self, cycle):
        """Collects lines and windows in order as far as their lines come by ``cycle``."""
        self._ports.run(cycle)
        while self._coming and self._collect_next(wait=False):
            pass

    def _collect_next(self, wait):
        """Collects the next line or window; returns whether its lines have come.

        If ``wait`` is true, the memory's cycles are computed until they have.
        """
        reading, come = self._coming[0], 0.0
        if reading.command is not None:
            come = self._ports.arrived(reading.command, wait)
            if come is None:
                return False
            come = max(self._collected + reading.count, come)
            self._turns.leave(come)
        self._coming.popleft()
        if reading.window is None:
            self._collected = reading.collected = come
        else:
            self._pass_kernels(reading.window, max(come, reading.end) + 1)
        return True

    def _place_of(self, places):
        """Returns the cycle in which a queue has room, after collecting as much as that needs."""
        while places.full:
            self._collect_next(wait=True)
        return places.next

    def _leave(self, step, cycle):
        """Issues the commands and the window of a step; returns the cycle of the last one."""
        end = cycle
        if step.words:
            end = self._words = max(cycle, self._words + step.words)
        if step.write >= 0:
            end = self._write(self._room(step, end), step.ring, step.write)
        if step.window is not None:
            end = max(end, self._give(step, end))
        return end

    def _room(self, step, cycle):
        """Returns the cycle in which the ring of the key has a place for a full block.

        :class:`~rtl.keyed.store.blocks.ring_room.RingRoom` holds back the tuple that closes the
        block until the blocks from the fed back one to the growing one fit into the ring.
        """
        if step.life is None:
            return cycle
        self._collect(cycle)
        feedback = self._feedback.get(step.life)
        if feedback is None:
            return cycle
        oldest = step.growing_block - self._lines.ring_lines + 1
        while (fits := feedback.cycle_of(oldest)) is None and self._coming:
            self._collect_next(wait=True)
        return cycle if fits is None else max(cycle, fits)

    def _give(self, step, cycle):
        """Asks for the lines of a window; returns the cycle in which the window is queued."""
        window = step.window
        first, count, command, dealt = window.first, window.count, None, cycle
        if window.life is not None:
            self._collect(cycle)
            first = self._fed(window, cycle)
            count -= first
            first %= self._lines.ring_lines
        if count > 0:
            count = min(count, self._lines.ring_lines)
            dealt, command = self._read(cycle + (step.write >= 0), step.ring, first, count)
        end = max(cycle, self._place_of(self._windows))
        self._windows.enter()
        come = end if step.write >= 0 else max(end, dealt)
        self._coming.append(_Reading(command, window, count, end))
        return come

    def _fed(self, window, cycle):
        """Returns the first block to read for a window that is requested in ``cycle``.

        The data collector reports this block once it has the key's window before. Without any
        report, as in the middle of a stream, the model assumes that the report has come.
        """
        feedback = self._feedback.get(window.life)
        return window.first if feedback is None else feedback.block_at(cycle)

    def _pass_kernels(self, window, cycle):
        """Sends a window through decoders and kernels from the cycle of its last line on."""
        if window.is_mark:
            self._collected = self._entered = max(cycle, self._collected + 1)
            self._windows.leave(self._collected)
            return
        if window.claims:
            cycle = max(cycle, self._entered + CLAIM)
        takes = max(self._out_gap, self._interval(window.values, window.lines))
        if window.life is not None:
            feedback = self._feedback.setdefault(window.life, _Feedback())
            feedback.report(cycle, window.following)
        if window.life is not None and self._decoders:
            dealt, done = self._decode(window, cycle)
            self._kernels = max(done, self._kernels + takes)
            self._collected = self._entered = max(cycle, dealt)
        else:
            self._kernels = self._collected = max(cycle, self._kernels + takes)
            self._entered = self._collected
        self._windows.leave(self._collected)

    def _decode(self, window, cycle):
        """Returns when the pool takes a window's last block, and when all blocks are decoded."""
        dealt = done = 0.0
        for block in range(window.first, window.count + 1):
            growing = window.growing if block == window.count else None
            steps = self._steps(window.life, block, growing)
            dealt, end = self._decoders.take(cycle - (window.count - block), steps)
            done = max(done, end)
        return dealt, done

    def _deal(self, cycle):
        """Returns the cycle in which the dealer takes a command."""
        self._dealt = max(cycle, self._given, self._dealt + 1)
        self._given = self._dealt + 1
        return self._dealt

    def _write(self, cycle, ring, line):
        """Returns the cycle in which the dealer takes a write."""
        lines, dealt = self._lines, self._deal(cycle)
        stripe, within = divmod(line, lines.stripe_lines)
        place = stripe // lines.ports * lines.stripe_lines + within
        share = ((stripe + ring) % lines.ports, place, 1)
        accepted, _ = self._ports.offer(dealt + 1, True, ring, [share])
        self._given = max(self._given, accepted)
        return dealt

    def _read(self, cycle, ring, begin, count):
        """Returns the cycle in which the dealer takes a read, and the command of the ports.

        Each port reads its share of the lines, see
        :class:`~rtl.keyed.dram.line_stripes.LineDealer`.
        """
        dealt = self._deal(cycle)
        shares = list(self._shares(ring, begin, count))
        accepted, command = self._ports.offer(dealt + 1, False, ring, shares)
        self._given = max(self._given, accepted, self._place_of(self._turns))
        self._turns.enter()
        return dealt, command

    def _shares(self, ring, begin, count):
        """Yields (port, first line there, number of lines) for each port with lines of a read."""
        size, ports, end = self._lines.stripe_lines, self._lines.ports, begin + count - 1
        first, last = begin // size, end // size
        for number in range(ports):
            mine = first + (number - first - ring) % ports
            if mine > last:
                continue
            final = last - (last + ring - number) % ports
            place = mine // ports * size + (begin % size if mine == first else 0)
            until = final // ports * size + (end % size if final == last else size - 1)
            yield number, place, until - place + 1


class _Reading:
    """A group of lines for the data collector: the lines of a window, or one line to be changed.

    Attributes
    ----------
    command : object or None
        Command of the ports; None if nothing is read.
    window : Window or None
        None for a line that is to be changed.
    count : int
        Number of lines.
    end : float
        The first cycle in which the window may be collected.
    collected : float or None
        The cycle in which a line to be changed was collected.
    """

    __slots__ = ("collected", "command", "count", "end", "window")

    def __init__(self, command, window, count, end):
        self.command, self.window, self.count, self.end = command, window, count, end
        self.collected = None


class _Feedback:
    """Records from which block on the windows of a life are read: block 0 without any report."""

    __slots__ = ("_known", "_reports")

    def __init__(self):
        self._reports, self._known = [], 0

    def report(self, cycle, block):
        """Adds a report: from ``cycle`` on, windows are read from ``block`` on."""
        self._reports.append((cycle, block))

    def cycle_of(self, block):
        """Returns the cycle from which on windows are read from ``block`` or a later one on.

        The result is None if there is no such report yet.
        """
        if block <= 0:
            return 0.0
        index = bisect_left(self._reports, block, key=itemgetter(1))
        return self._reports[index][0] if index < len(self._reports) else None

    def block_at(self, cycle):
        """Returns the block of the last report in force; cycles of later calls do not fall."""
        reports = self._reports
        while self._known + 1 < len(reports) and reports[self._known + 1][0] <= cycle:
            self._known += 1
        begin, block = reports[self._known]
        return block if begin <= cycle else 0


class _Places:
    """Models the places of a queue: when each is free again.

    For instance with 2 places, of which the last two items left in cycles 5 and 9, and no item is
    in the queue: the next item may enter in cycle 5, the one after in 9.
    """

    def __init__(self, count):
        self._left, self._inside = deque([0.0] * count, count), 0

    @property
    def full(self):
        """True if an item must leave before the next may enter."""
        return self._inside == len(self._left)

    @property
    def next(self):
        """The cycle from which on the next item may enter."""
        return self._left[self._inside]

    def enter(self):
        """Counts an item that enters."""
        self._inside += 1

    def leave(self, cycle):
        """Notes the cycle in which the oldest item leaves."""
        self._inside -= 1
        self._left.append(cycle)
