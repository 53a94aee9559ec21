"""Models LiteDRAM's DDR3 controller cycle by cycle: banks, rows, turns, refreshes, but no data.

Source: LiteDRAM 2024.12 (BSD-2), core/crossbar.py, bankmachine.py, multiplexer.py, refresher.py,
and frontend/axi.py, whose order of decisions the model follows.
"""

from collections import deque
from dataclasses import dataclass

#: States of a bank. OPEN: lines of the open row may move. CLOSE, ACTIVATE: the bank asks to close
#: its row, or to open a row. CLOSE_ITSELF: the row closes without a command. WAIT: a row is being
#: closed or opened. REFRESH: the bank is ready for a refresh.
OPEN, CLOSE, CLOSE_ITSELF, ACTIVATE, WAIT, REFRESH = range(6)
#: States of the bus.
READS, TO_WRITES, WRITES, TO_READS, REFRESHES = range(5)


@dataclass(frozen=True, kw_only=True)
class ControllerTiming:
    """Cycles of a controller and its memory, under the names of LiteDRAM and of the standard.

    The values are those of a DDR3-1333 module of 64 bits at 156.25 MHz, so with 1,250 million
    transfers per second.

    Attributes
    ----------
    banks, row_bytes : int
    depth : int
        Greatest number of lines in the queue of each bank.
    t_rp, t_rcd : int
        From the command that closes a row to the command that opens another row; from opening a
        row to its first line.
    t_rc, t_ras : int
        From opening a row to opening, and to closing, a row of the same bank, at least.
    t_rrd : int
        From opening a row to opening a row of another bank.
    t_wtp, t_wtr : int
        From a written line to closing its row, and to the first read after a turn.
    refresh, refreshing : int
        From a refresh to the next one; duration of a refresh.
    to_writes : int
        Duration of a turn from reads to writes.
    read_time, write_time : int
        Longest time of reads while writes wait, and of writes while reads wait.
    seen : int
        From an address at the pins of a design to its arbiter: two registers.
    to_line : int
        From the command that reads a line to the first beat of the line at the pins.
    to_answer : int
        From the command that writes a line to the cycle after the answer at the pins.
    """

    banks: int = 8
    row_bytes: int = 8192
    depth: int = 16
    t_rp: int = 3
    t_rcd: int = 3
    t_rc: int = 9
    t_ras: int = 7
    t_rrd: int = 2
    t_wtp: int = 7
    t_wtr: int = 5
    refresh: int = 1221
    refreshing: int = 23
    to_writes: int = 8
    read_time: int = 32
    write_time: int = 16
    seen: int = 2
    to_line: int = 13
    to_answer: int = 5


class Burst:
    """A burst of lines in one row.

    Attributes
    ----------
    write : bool
    bank, row, count : int
    seen : int
        The first cycle in which the controller sees the burst.
    sent : int
        Number of lines that are in the queue of the bank.
    moved : int
        Number of lines that are read or written.
    end : int or None
        The cycle after the last beat, or after the answer to a write; None until known.
    port : _Port or None
        The port at which the burst entered the controller.
    """

    __slots__ = ("bank", "count", "end", "moved", "port", "row", "seen", "sent", "write")

    def __init__(self, write, bank, row, count, seen):
        self.write = write
        self.bank = bank
        self.row = row
        self.count = count
        self.seen = seen
        self.sent = 0
        self.moved = 0
        self.end = None
        self.port = None


class _Port:
    """An AXI4 port of the controller: reads and writes wait in two queues.

    ``writing``: the next line is one of a write. ``data``: the cycle after the port's last beat of
    read data.
    """

    __slots__ = ("data", "number", "reads", "writes", "writing")

    def __init__(self, number):
        self.number = number
        self.reads = deque()
        self.writes = deque()
        self.writing = True
        self.data = 0


class _Bank:
    """A bank with its queue of lines, each given by its burst.

    ``head`` is the burst of the next line, after which the ``queue`` follows; ``row`` is the open
    row; ``grant`` is the number of the port whose lines the bank accepts. A WAIT ends in cycle
    ``until`` with state ``then``. From the cycles ``closes`` and ``closes_after_write`` on the row
    may be closed, and from ``opens`` on another row may be opened.
    """

    __slots__ = (
        *("number", "grant", "queue", "head", "state", "until", "then", "row"),
        *("closes_after_write", "closes", "opens"),
    )

    def __init__(self, number):
        self.number = number
        self.grant = 0
        self.queue = deque()
        self.head = None
        self.state = OPEN
        self.until = 0
        self.then = OPEN
        self.row = None
        self.closes_after_write = self.closes = self.opens = 0


class DramController:
    """Steps through the cycles of a controller with ``ports`` AXI4 ports.

    In each cycle a port offers a line of its oldest read or write to the bank of the burst. If both
    wait, the port changes between reads and writes after each burst. The port waits while an
    earlier line of the port is in another bank. A bank accepts lines of one port until its queue is
    empty, then of the next port. The bank closes and opens rows for its oldest line. The bus moves
    at most one line per cycle. If a write is ready, the bus turns to writes when no read is ready,
    or after ``read_time`` cycles of reads. The bus turns back to reads by the same rule.

    For instance one port reads single lines of different banks, in each of which another row is
    open: a line enters its bank after the line before has been read, so each line takes 12 cycles.

    Parameters
    ----------
    timing : ControllerTiming
    ports : int
    beats : int
        Beats of a line at the port.
    """

    def __init__(self, timing, ports, beats):
        self._timing = timing
        self._beats = beats
        self.cycle = 0
        self._ports = [_Port(number) for number in range(ports)]
        self._banks = [_Bank(number) for number in range(timing.banks)]
        self._active = []
        self._state = READS
        self._until = 0
        self._since = 0
        self._row_turn = self._line_turn = 0
        self._opens = self._reads_after = 0
        self._refresh = timing.refresh // 2
        self._refreshing = False

    @property
    def idle(self):
        """True if no burst waits and no bank has work."""
        return not self._active and not any(port.reads or port.writes for port in self._ports)

    def enter(self, port, burst):
        """Puts a :class:`Burst` at the end of the queue of its port and direction."""
        port = self._ports[port]
        burst.port = port
        (port.writes if burst.write else port.reads).append(burst)

    def skip(self, target):
        """Passes over the cycles up to ``target``, in which the controller is idle."""
        if target > self._refresh:
            for bank in self._banks:
                bank.row = None
            self._refresh += self._timing.refresh * (
                1 + (target - self._refresh) // self._timing.refresh
            )
        self.cycle = target

    def step(self):
        """Computes one cycle."""
        accepted = self._offers()
        rows, lines = self._machines()
        self._close_and_open(rows)
        self._move_lines(lines)
        for bank in self._active:
            if bank.head is None and bank.queue:
                bank.head = bank.queue.popleft()
        for bank, burst in accepted:
            if bank.head is None and not bank.queue and bank not in self._active:
                self._active.append(bank)
            bank.queue.append(burst)
        self._active = [bank for bank in self._active if bank.head is not None or bank.queue]
        self.cycle += 1

    def _offers(self):
        """Returns (bank, burst) for each line accepted by a bank's queue in this cycle."""
        cycle = self.cycle
        offers = {}
        for port in self._ports:
            reads = port.reads
            writes = port.writes
            read = bool(reads) and reads[0].seen <= cycle
            write = bool(writes) and writes[0].seen <= cycle
            if not (read or write):
                continue
            if not (write if port.writing else read):
                port.writing = not port.writing
                continue
            burst = writes[0] if port.writing else reads[0]
            for other in self._active:
                if other.grant == port.number and other.number != burst.bank:
                    break
            else:
                offers.setdefault(burst.bank, []).append((port, burst, read and write))
        accepted = []
        for number, offered in offers.items():
            bank = self._banks[number]
            for port, burst, both in offered:
                if port.number == bank.grant:
                    if len(bank.queue) < self._timing.depth:
                        accepted.append((bank, burst))
                        self._send(port, burst, both)
                    break
            else:
                if bank.head is None and not bank.queue:
                    count = len(self._ports)
                    bank.grant = min(
                        (port.number for port, _, _ in offered),
                        key=lambda other: (other - bank.grant - 1) % count,
                    )
        return accepted

    @staticmethod
    def _send(port, burst, both):
        """Counts a line accepted by a bank; after a burst's last line the direction changes."""
        burst.sent += 1
        if burst.sent == burst.count:
            (port.writes if port.writing else port.reads).popleft()
            if both:
                port.writing = not port.writing

    def _machines(self):
        """Returns the banks ready to close or open a row, and the banks ready to move a line."""
        cycle = self.cycle
        rows = []
        lines = []
        for bank in self._active:
            if bank.state == WAIT and cycle >= bank.until:
                bank.state = bank.then
            state = bank.state
            if state == OPEN:
                if self._refreshing:
                    bank.state = REFRESH
                elif bank.head is not None:
                    if bank.row is None:
                        bank.state = ACTIVATE
                    elif bank.row == bank.head.row:
                        lines.append(bank)
                    else:
                        bank.state = CLOSE
            elif state == CLOSE:
                bank.row = None
                if bank.closes_after_write <= cycle and bank.closes <= cycle:
                    rows.append(bank)
            elif state == ACTIVATE:
                if bank.opens <= cycle:
                    rows.append(bank)
            elif state == CLOSE_ITSELF:
                bank.row = None
                if bank.closes_after_write <= cycle and bank.closes <= cycle:
                    bank.state = WAIT
                    bank.until = cycle + self._timing.t_rp
                    bank.then = ACTIVATE
        return rows, lines

    def _close_and_open(self, rows):
        """Closes or opens the row of one bank: the bank with the turn, if it offers to."""
        if not rows or self._state not in (READS, WRITES):
            return
        timing = self._timing
        cycle = self.cycle
        for bank in rows:
            if bank.number == self._row_turn:
                if bank.state == CLOSE:
                    bank.state = WAIT
                    bank.until = cycle + timing.t_rp
                    bank.then = ACTIVATE
                elif self._opens <= cycle:
                    bank.row = bank.head.row
                    bank.state = WAIT
                    bank.until = cycle + timing.t_rcd
                    bank.then = OPEN
                    bank.closes = cycle + timing.t_ras
                    bank.opens = cycle + timing.t_rc
                    self._opens = cycle + timing.t_rrd
                else:
                    return
                break
        self._row_turn = self._next(rows, self._row_turn)

    def _next(self, banks, turn):
        """Returns the number of the bank with the next turn: the nearest after ``turn``."""
        count = self._timing.banks
        others = [bank.number for bank in banks if bank.number != turn]
        return min(others, key=lambda number: (number - turn) % count) if others else turn

    def _move_lines(self, lines):
        """Moves a line over the bus, and turns the bus."""
        timing = self._timing
        cycle = self.cycle
        state = self._state
        if state in (READS, WRITES):
            writing = state == WRITES
            mine = [bank for bank in lines if bank.head.write == writing]
            for bank in mine:
                if bank.number == self._line_turn:
                    self._move(bank, writing)
                    break
            if mine:
                self._line_turn = self._next(mine, self._line_turn)
            if len(mine) != len(lines):
                time_limit = timing.write_time if writing else timing.read_time
                if not mine or cycle - self._since >= time_limit - 1:
                    self._state = TO_READS if writing else TO_WRITES
                    self._until = cycle + 1 + timing.to_writes
            if self._refreshing and self._refreshes():
                self._state = REFRESHES
                self._until = cycle + 1 + timing.refreshing
        elif state == TO_WRITES:
            if cycle + 1 >= self._until:
                self._state = WRITES
                self._since = cycle + 1
        elif state == TO_READS:
            if cycle >= self._reads_after:
                self._state = READS
                self._since = cycle + 1
        elif cycle + 1 >= self._until:
            self._end_refresh()
        if cycle + 1 >= self._refresh:
            self._refresh = self._refresh + timing.refresh
            self._refreshing = True

    def _move(self, bank, write):
        """Reads or writes the oldest line of a bank."""
        timing = self._timing
        cycle = self.cycle
        burst = bank.head
        burst.moved += 1
        port = burst.port
        if write:
            self._reads_after = cycle + timing.t_wtr
            bank.closes_after_write = cycle + timing.t_wtp
            if burst.moved == burst.count:
                burst.end = cycle + timing.to_answer
        else:
            port.data = max(port.data, cycle + timing.to_line) + self._beats
            if burst.moved == burst.count:
                burst.end = port.data
        if bank.queue and bank.queue[0].row != burst.row:
            bank.state = CLOSE_ITSELF
        bank.head = None

    def _refreshes(self):
        """True if every bank is ready for a refresh."""
        cycle = self.cycle
        return all(bank.state == REFRESH for bank in self._active) and all(
            bank.closes_after_write <= cycle for bank in self._banks
        )

    def _end_refresh(self):
        """Ends a refresh. The refresh has closed all rows."""
        self._refreshing = False
        self._state = READS
        self._since = self.cycle + 1
        for bank in self._banks:
            bank.row = None
            if bank.state == REFRESH:
                bank.state = OPEN
