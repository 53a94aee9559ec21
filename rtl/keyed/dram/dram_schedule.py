"""Computes when a memory behind AXI4 ports does each burst: an ideal memory, and a DRAM."""

from random import Random

from rtl.keyed.dram.bus_time import BusTime
from rtl.keyed.dram.lines import LINE_BYTES

#: Number of bursts per bank, and of stretches of writes, that the model remembers. Older ones end
#: before any later request.
BURSTS, STRETCHES = 24, 12
#: Cycles over which the load of the bus is measured, and the load above which the model assumes
#: that some read is always waiting, so writes get no gap.
SPAN, BUSY = 64, 0.85


class IdealSchedule:
    """Models a memory whose ports do not slow each other down.

    The first beat of a read comes ``answer`` cycles after its address, and the answer to a write
    ``answer`` cycles after its last beat. A port moves one beat per cycle and answers in order.
    Each burst takes a random number of up to ``delay`` more cycles, and a port pauses in a share
    ``stall`` of all cycles.

    Parameters
    ----------
    lines : LineMap
    answer, delay : int
    stall : float
    """

    def __init__(self, lines, answer, delay=0, stall=0.0):
        self._answer, self._delay, self._random = answer, delay, Random(1)
        self._line = lines.beats / (1 - stall)
        self._read, self._written = [0.0] * lines.ports, [0.0] * lines.ports
        self._answered = [0.0] * lines.ports

    def _takes(self):
        return self._answer + (self._random.randint(0, self._delay) if self._delay else 0)

    def read(self, port, cycle, ring, first, count):
        """Reads ``count`` lines of a ring; returns the cycle of the last beat."""
        self._read[port] = max(cycle + self._takes(), self._read[port]) + count * self._line
        return self._read[port]

    def write(self, port, cycle, ring, line):
        """Writes a line of a ring; returns the cycle of the answer."""
        self._written[port] = max(cycle, self._written[port]) + self._line
        answered = max(self._written[port] + self._takes(), self._answered[port])
        self._answered[port] = answered
        return answered


class DramSchedule:
    """Models one DRAM behind all ports: banks with one open row each, and one bus for all lines.

    - A port has one burst at a time, as a controller locks a port to the bank of its burst.
    - A bank has one burst at a time. A burst whose row is open begins when the burst before it
      ends. For another row the bank closes the open row (``closing`` cycles after a burst,
      ``recovery`` more after a write) and opens the new row (``activate`` cycles).
    - The bus moves a line in ``line`` cycles. Lines of bursts in different banks alternate, so a
      burst that overlaps another one ends later by the cycles of the other one.
    - At any time the bus either reads or writes. It turns to writes when no read is ready, at the
      latest ``patience`` cycles after the last turn, and then does all waiting writes together. It
      turns back when a read is ready. A turn takes ``to_writes`` cycles before the writes and
      ``to_reads`` cycles after them. The controller gives no command during a turn, so the opening
      of rows waits as well.
    - A write to an open row waits in the port's buffer, and does not hold up the reads behind it.

    Parameters
    ----------
    dram : Dram
    lines : LineMap
    bases : sequence of int
        The byte address of each port's lines.
    """

    def __init__(self, dram, lines, bases):
        self._dram, self._lines, self._bases = dram, lines, bases
        self._behind = dram.answer - dram.activate - dram.line  # from the bus to the port
        self._banks = [[] for _ in range(dram.banks)]  # (begin, end, row, earliest other row)
        self._bus, self._port = BusTime(), [0.0] * lines.ports
        self._data, self._writes, self._read = [0.0] * lines.ports, [], -1.0

    def _place(self, port, ring, line):
        """Returns the bank and the row of a port's line."""
        byte = self._bases[port] + (ring * self._lines.port_ring_lines + line) * LINE_BYTES
        row = byte // self._dram.row_bytes
        return row % self._dram.banks, row // self._dram.banks

    def _open(self, port, cycle, bank, row, cycles):
        """Finds time for a burst in a bank: (index among bursts, begin, ready, row was open)."""
        bursts, dram = self._banks[bank], self._dram
        begin = max(cycle, self._port[port])
        k = len(bursts)
        while k and bursts[k - 1][0] > begin:
            k -= 1
        while True:
            hit = k > 0 and bursts[k - 1][2] == row
            at = begin
            if k:
                at = max(begin, bursts[k - 1][1] if hit else bursts[k - 1][3])
            opening = 0 if hit else dram.activate
            if k == len(bursts) or bursts[k][0] - at >= cycles + opening:
                return k, at, self._without_turns(at, at + opening), hit
            k += 1

    def _without_turns(self, begin, end):
        """Returns ``end`` plus the cycles of bus turns, in which the opening of a row waits."""
        dram = self._dram
        for first, _, back in self._writes:
            end += max(0.0, min(end, first) - max(begin, first - dram.to_writes))
            if back is not None:
                end += max(0.0, min(end, back + dram.to_reads) - max(begin, back))
        return end

    def _occupy(self, port, bank, place, burst):
        """Remembers a burst of a bank and of a port."""
        self._banks[bank].insert(place, burst)
        if len(self._banks[bank]) > BURSTS:
            del self._banks[bank][0]
        self._port[port] = burst[1]

    def read(self, port, cycle, ring, first, count):
        """Reads ``count`` lines of a ring; returns the cycle of the last beat."""
        dram = self._dram
        bank, row = self._place(port, ring, first)
        place, begin, ready, _ = self._open(port, cycle, bank, row, count)
        ready = self._turned_back(ready)
        end = self._bus.take(ready, count * dram.line)
        late = min(end - ready - count * dram.line, count * dram.line)
        end += max(0.0, late) * (count - 1) / count
        self._read = max(self._read, end)
        self._occupy(port, bank, place, (begin, end, row, end + dram.closing))
        beats = self._lines.beats
        self._data[port] = max(self._data[port] + count * beats, end + self._behind + beats)
        return self._data[port]

    def write(self, port, cycle, ring, line):
        """Writes a line of a ring; returns the cycle of the answer."""
        dram = self._dram
        bank, row = self._place(port, ring, line)
        arrived = cycle + self._lines.beats
        place, begin, ready, hit = self._open(port, arrived, bank, row, 1)
        end = self._turned(ready)
        if not hit:
            closed = end + dram.closing + dram.recovery
            self._occupy(port, bank, place, (begin, end, row, closed))
        return end + self._behind

    def _turned_back(self, ready):
        """Returns the cycle in which a ready read gets the bus; turns the bus back if needed."""
        dram = self._dram
        for stretch in self._writes:
            first, last, back = stretch
            if ready < first - dram.to_writes:
                break
            if back is None:
                stretch[2] = back = max(ready, last)
                self._bus.take(back, dram.to_reads)
            ready = max(ready, back + dram.to_reads)
        return ready

    def _turned(self, ready):
        """Writes a line that is ready for the bus, after a turn if needed; returns its end."""
        dram, writes = self._dram, self._writes
        for stretch in writes:
            if stretch[2] is None or ready <= stretch[2]:
                end = self._bus.take(max(ready, stretch[0]), dram.line)
                stretch[1] = max(stretch[1], end)
                return end
        turn = ready
        if self._read > ready:
            before = writes[-1][2] if writes else 0.0
            turn = max(ready, before + dram.to_reads + dram.patience)
            if self._bus.share(ready, SPAN) < BUSY:
                turn = min(turn, self._bus.free(ready))
        self._bus.take(turn, dram.to_writes)
        first = turn + dram.to_writes
        end = self._bus.take(first, dram.line)
        writes.append([first, end, None])
        if len(writes) > STRETCHES:
            del writes[0]
        return end
