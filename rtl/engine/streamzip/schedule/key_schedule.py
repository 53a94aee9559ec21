"""Computes when the engine for windows of each key accepts each tuple, and ends each window."""

from collections import deque

from rtl.engine.streamzip.rates.memory_rate import IN_FLIGHT
from rtl.engine.streamzip.schedule.block_feedback import BlockFeedback
from rtl.engine.streamzip.schedule.collector_job import CollectorJob
from rtl.engine.streamzip.schedule.queue_places import QueuePlaces
from rtl.engine.streamzip.schedule.stream_times import TO_LEVELS, StreamTimes
from rtl.keyed.dram.port_shares import line_share, stretch_shares

#: Greatest number of windows that wait for their lines: ``QUEUED_WINDOWS`` of
#: :mod:`rtl.engine.streamzip.core`.
WINDOWS = 32
#: Greatest number of reads that wait to be collected, as `LineMemory` has turns, and one in work.
TURNS = 33
#: Greatest number of tuples in the table and in the registers around it, with the skid buffer
#: before the memory levels.
TABLE_TUPLES = 11
#: Places of the queue of commands between the memory levels and the dealer.
QUEUED_COMMANDS = 2
#: Cycles from the memory levels to the change of a line.
TO_UPDATE = 2
#: Cycles from the arrival of a line to its write.
TO_WRITE = 2
#: Cycles from the request for words of an M2 outside of the chip to the words: 40 of the memory,
#: and some in its port. Tuples pass in order, so those without words wait for the words of others.
WORD_ANSWER = 45
# The following three numbers are cycles in a full ring.
#: From the tuple that waits for room to the answer to `drain`, if no window is under way.
TO_DRAIN = 6
#: From an answer at the tuple to the read of the block that gives way.
TO_DROP = 6
#: From the feedback of a window, or from the arrival of the block that gives way, to the tuple.
FROM_WINDOW = 8
#: A window of n copied blocks is complete n + 1 cycles after it is queued.
TO_COPY = 1


class KeySchedule:
    """Computes for each stage of the engine the cycle from which on the stage is free.

    Tuples pass the stages in order, so the cycle in which a tuple leaves a stage follows from its
    arrival, from the previous tuple, and from the tuple that must leave the next queue first. The
    model has only the stages for which tuples compete:

    - the input accepts one tuple per cycle; 11 tuples fit between the input and the memory levels,
      and more into the levels, for instance 15 into the stages of base-delta;
    - up to 64 tuples wait for words from an M2 outside of the chip, which come one per cycle;
    - two commands wait for the dealer, which sends one command per cycle, each after all ports have
      accepted the previous one;
    - each port does its bursts as :class:`~rtl.keyed.dram.port_schedule.PortSchedule` says, or
      with a DRAM as :class:`~rtl.keyed.dram.dram_ports.DramPorts`;
    - lines are collected in the order of their reads, one per cycle; up to 32 windows wait;
    - a window passes the decoders, kernels and searches as
      :class:`~rtl.engine.streamzip.schedule.window_stages.WindowStages` says;
    - a value of a cached key occupies the sorted values of the cache, with percentiles;
    - with dram-only up to 32 tuples are in flight, and each waits for the line that it changes.

    The model collects lines as late as possible: when a tuple needs a place among the windows or
    the reads, a block that is fed back, or the line that it changes. The reason: a DRAM may
    serve the bursts of later commands first, so the cycle of a line is known only after the
    commands before this cycle are.

    Parameters
    ----------
    lines : LineMap
    ports : object
        :class:`~rtl.keyed.dram.port_schedule.PortSchedules` or another model of the ports and of
        the memory behind them.
    stages : WindowStages
        Decoders, kernels and searches, empty.
    waiting_tuples : int
        Greatest number of tuples in the memory levels: in the stages of an encoder, and in the
        slots that wait for words of an M2 outside of the chip. Not used with ``line_per_tuple``,
        where the tuples in the levels are those in flight.
    reads_words : bool
        M2 is outside of the chip, and has words of lines.
    line_per_tuple : bool
        Each tuple's line is read and written by itself, as with dram-only.
    copies : int
        Closed blocks of each key that M2 has as copies; only older blocks are read from M3.
    outer_copies : OuterCopySchedule or None
        Port of the copies if they are outside of the chip.
    gives_way : bool
        A ring may be too small for a window; then its oldest block gives way to a new block.
    in_gap : float
        Least number of cycles from one tuple to the next at the input; more than 1 where the bus is
        narrower than a tuple, or stalls.
    """

    def __init__(
        self,
        lines,
        ports,
        stages,
        *,
        waiting_tuples,
        reads_words,
        line_per_tuple,
        copies=0,
        outer_copies=None,
        gives_way=False,
        in_gap=1.0,
    ):
        self._lines = lines
        self._ports = ports
        self._stages = stages
        self._line_per_tuple = line_per_tuple
        self._copies = copies
        self._in_gap = in_gap
        self._outer_copies = outer_copies
        self._gives_way = gives_way
        self._to_levels = TO_LEVELS + WORD_ANSWER * reads_words
        before_ports = TABLE_TUPLES + (0 if line_per_tuple else waiting_tuples)
        self._exits = deque([0.0] * before_ports, before_ports)
        # Cycles in which the dealer sent the latest commands, the dealer is free again, and the
        # word memory has delivered the words of the last step.
        self._dealt = deque([0.0] * QUEUED_COMMANDS, QUEUED_COMMANDS)
        self._dealer_free = self._words = 0.0
        self._turns = QueuePlaces(TURNS)
        self._windows = QueuePlaces(WINDOWS)
        self._sorted = 0.0
        self._jobs = deque()
        self._feedback = {}  # by the life of a key: its reports
        self._feedback_cycle = 0.0  # of the latest report of all keys

    def times(self, steps):
        """Returns the :class:`StreamTimes` of a list of :class:`Step`; may be called once.

        A tuple that WHERE drops takes ``in_gap`` cycles of the input, with a step or without one.
        """
        inputs = self._changing_lines(steps) if self._line_per_tuple else self._in_order(steps)
        while self._jobs:
            self._collect_next(wait=True)
        closers = [
            k for k, s in enumerate(steps) if s.window is not None and not s.window.is_announcement
        ]
        return StreamTimes(inputs=inputs, closers=closers, ends=self._stages.finish())

    def _in_order(self, steps):
        """Computes input cycles for designs with M1 and M2: steps pass in order, one by one.

        With windows of time a tuple may have several steps. All of them have the cycle of the
        first, in which the input accepts the tuple.
        """
        inputs = []
        exits = self._exits
        accepted = -self._in_gap
        number = -1
        issued = -1.0
        first_step = 0.0
        for step in steps:
            accepted = max(accepted + (step.at - number) * self._in_gap, exits[0])
            if step.at > number:
                first_step = accepted
                number = step.at
            issued = self._issue(step, max(accepted + self._to_levels, issued + 1))
            exits.append(issued)
            inputs.append(first_step)
        return inputs

    def _changing_lines(self, steps):
        """Computes input cycles with dram-only, where each tuple's line is read and written.

        Alternates between the next tuple that enters and the oldest tuple that leaves, whichever
        comes first. ``into`` and ``out`` count these tuples.
        """
        count = len(steps)
        inputs = []
        lines = [0.0] * count
        issues = [0.0] * count
        exits = self._exits
        accepted = -self._in_gap
        number = -1
        entered = 0.0
        issued = -1.0
        first_step = 0.0
        into = out = 0
        while out < count:
            entering = into < count and into - out < IN_FLIGHT
            if entering:
                step = steps[into]
                arrives = max(accepted + (step.at - number) * self._in_gap, exits[0])
                enters = max(arrives + TO_LEVELS, entered + 1)
                if into >= IN_FLIGHT:
                    enters = max(enters, issues[into - IN_FLIGHT] + 1)
            leaves = None
            if out < into:
                line = self._line_cycle(lines[out], enters if entering else None)
                leaves = None if line is None else max(issued + 1, line)
            if entering and (leaves is None or enters + (step.update >= 0) <= leaves):
                if step.at > number:
                    first_step = arrives
                accepted = arrives
                number = step.at
                entered = enters
                exits.append(enters)
                inputs.append(first_step)
                lines[into] = enters + TO_UPDATE
                if step.update >= 0:
                    lines[into] = self._read_line(enters + 1, step)
                into += 1
                continue
            issued = issues[out] = self._issue(steps[out], leaves)
            out += 1
        return inputs

    def _read_line(self, cycle, step):
        """Reads a line that is to be changed; returns the :class:`CollectorJob`."""
        _, command = self._read(cycle, step.entry, step.update, 1)
        job = CollectorJob(command, None, 1, 0.0, step.entry)
        self._jobs.append(job)
        return job

    def _line_cycle(self, line, until):
        """Returns the cycle in which a line can be changed; None if not collected by ``until``.

        The returned cycle may be later than ``until``. Without ``until`` it is always computed.
        """
        if not isinstance(line, CollectorJob):
            return line
        if until is not None:
            self._collect(until)
        else:
            while line.collected is None:
                self._collect_next(wait=True)
        return None if line.collected is None else line.collected + TO_WRITE

    def _collect(self, cycle):
        """Collects, in order, the lines and windows whose arrival the ports know in ``cycle``.

        With an ideal memory these are all.
        """
        self._ports.run(cycle)
        while self._jobs and self._collect_next(wait=False):
            pass

    def _collect_next(self, wait):
        """Collects the next line or window; returns whether its lines have arrived.

        If ``wait`` is true, the memory's cycles are computed until the lines have arrived.
        """
        job = self._jobs[0]
        arrival = 0.0
        if job.command is not None:
            arrival = self._ports.arrived(job.command, wait)
            if arrival is None:
                return False
            arrival = max(self._stages.collected + job.count, arrival)
            self._turns.leave(arrival)
        self._jobs.popleft()
        if job.window is None:
            self._stages.collected = job.collected = arrival
        else:
            if job.copied:
                first = max(self._stages.collected, arrival, job.queued + TO_COPY)
                arrival = max(first + job.copied, job.copies_arrive)
            feedback_cycle = self._stages.take(job, max(arrival, job.queued) + 1)
            life = job.window.life
            self._feedback_cycle = feedback_cycle or self._feedback_cycle
            if feedback_cycle is not None and life is not None:
                feedback = self._feedback.setdefault(life, BlockFeedback())
                feedback.report(feedback_cycle, self._stages.first_block(job.window))
            self._windows.leave(self._stages.collected)
        return True

    def _place_cycle(self, queue):
        """Returns the cycle in which a queue has room; collects as much as is necessary."""
        while queue.full:
            self._collect_next(wait=True)
        return queue.next

    def _issue(self, step, cycle):
        """Issues the commands and the window of a step.

        Returns the cycle after which the next step may follow.
        """
        if step.sorting:
            cycle = max(cycle, self._sorted)
            self._sorted = cycle + step.sorting
        end = cycle
        if step.words:
            end = self._words = max(cycle, self._words + step.words)
        if step.write >= 0:
            end = self._room(step, end)
            if not self._reads_before_write(step):
                end = self._write_copy(step, end)
            end = self._write(end, step.entry, step.write)
        if step.window is not None:
            end = max(end, self._request(step, end))
            if self._reads_before_write(step):
                end = self._write_copy(step, end)
        return end

    def _reads_before_write(self, step):
        """Returns whether copies that a window needs are read before the closed block's copy.

        This is so for windows of time with a cache, which lack the block that is closed. For
        instance block 6 is closed, block 7 begins, and the window ends with block 5. Then
        ``window.count`` is 6 and less than ``growing_block``, which is 7. Blocks are counted from
        the key's first one on, so the order stays the same when the ring begins anew.
        """
        return (
            step.write >= 0 and step.window is not None and step.window.count < step.growing_block
        )

    def _write_copy(self, step, cycle):
        """Returns the cycle in which the port of copies outside of the chip accepts a write."""
        if self._outer_copies is None:
            return cycle
        return self._outer_copies.write(cycle, step.entry, step.write)

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
        while (fits := feedback.cycle_of(oldest)) is None and self._jobs:
            self._collect_next(wait=True)
        if fits is None:
            return self._give_way(step, cycle, feedback, oldest) if self._gives_way else cycle
        return max(cycle, fits)

    def _give_way(self, step, cycle, feedback, oldest):
        """Returns the cycle in which the ring's blocks before ``oldest`` have given way.

        All windows before the step have been collected. The answer to the request `drain` follows
        the feedback of these windows. Then a request `drop` for each block that gives way makes the
        collector read the block.
        """
        room = max(cycle + TO_DRAIN, self._feedback_cycle + FROM_WINDOW)
        for block in range(feedback.last_block, oldest):
            place = block % self._lines.ring_lines
            entered, command = self._read(room + TO_DROP, step.entry, place, 1)
            arrival = max(self._stages.collected + 1, self._ports.arrived(command, True), entered)
            self._stages.collected = arrival
            self._turns.leave(arrival)
            room = arrival + FROM_WINDOW
            feedback.report(room, block + 1)
        return room

    def _request(self, step, cycle):
        """Requests the lines of a window; returns the cycle after which the next step may follow.

        The window is queued then, and without a write in this step its read is, too.
        """
        window = step.window
        copied = 0
        copies_arrive = 0.0
        count = window.count
        command = None
        entered = cycle
        first = first_block = window.first
        if window.life is not None and not window.cached:
            self._collect(cycle)
            first_block = self._first_block(window, cycle)
            count -= first_block
            copied = min(count, self._copies)
            count -= copied
            if copied and self._outer_copies is not None:
                read = self._outer_copies.read(cycle, step.entry, first_block + count, copied)
                cycle, copies_arrive = read
                entered = cycle
            first = first_block % self._lines.ring_lines
        if count > 0:
            count = min(count, self._lines.ring_lines)
            entered, command = self._read(cycle + (step.write >= 0), step.entry, first, count)
        queued = max(cycle, self._place_cycle(self._windows))
        self._windows.enter()
        job = CollectorJob(command, window, count, queued, step.entry, copied, copies_arrive)
        if first_block > window.first:
            job.lose_blocks_before(first_block)
        self._jobs.append(job)
        return queued if step.write >= 0 else max(queued, entered)

    def _first_block(self, window, cycle):
        """Returns the first block to read for a window that is requested in ``cycle``.

        The data collector reports this block once it has the key's previous window. Without any
        report, as in the middle of a stream, the model assumes that the report has arrived.
        """
        feedback = self._feedback.get(window.life)
        if feedback is None:
            feedback = self._feedback[window.life] = BlockFeedback()
            oldest = window.count - self._lines.ring_lines + 1 if self._gives_way else 0
            feedback.report(cycle, max(window.first, oldest))
        return feedback.block_at(cycle)

    def _deal(self, cycle):
        """Returns two cycles: a command enters the queue, and the command leaves for the dealer."""
        entered = max(cycle, self._dealt[0])
        dealt = max(cycle, self._dealer_free, self._dealt[-1] + 1)
        self._dealt.append(dealt)
        self._dealer_free = dealt + 1
        return entered, dealt

    def _write(self, cycle, entry, line):
        """Returns the cycle in which the dealer accepts a write.

        A write also waits in the queue of commands. But if tuples with a write could follow each
        other there, predicted latencies of long windows would be up to 12 % above the measured
        ones, and not up to 7 %.
        """
        _, dealt = self._deal(cycle)
        share = line_share(self._lines, entry, line)
        accepted, _ = self._ports.offer(dealt + 1, True, entry, [share])
        self._dealer_free = max(self._dealer_free, accepted)
        return dealt

    def _read(self, cycle, entry, begin, count):
        """Returns the cycle in which a read enters the queue, and the command of the ports.

        Each port reads its share of the lines, see
        :class:`~rtl.keyed.dram.line_stripes.LineDealer`.
        """
        entered, dealt = self._deal(cycle)
        shares = list(stretch_shares(self._lines, entry, begin, count))
        accepted, command = self._ports.offer(dealt + 1, False, entry, shares)
        self._dealer_free = max(self._dealer_free, accepted, self._place_cycle(self._turns))
        self._turns.enter()
        return entered, command
