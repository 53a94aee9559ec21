"""Computes the cycles of the memory for each tuple: ports, DRAM and M2."""

from dataclasses import dataclass

from rtl.engine.streamzip.rates.key_load import KeyLoad
from rtl.engine.streamzip.rates.line_counts import busiest, most_at_a_port
from rtl.keyed.dram.dram_model import Ideal, Traffic
from rtl.keyed.dram.lines import LINE_BITS
from rtl.keyed.dram.word_map import LINE_WORDS
from rtl.keyed.store.blocks.outer_copies import READS as COPY_READS
from rtl.keyed.store.lines.outer_words import SLOTS

#: Greatest number of tuples in flight with dram-only: the slots of
#: :class:`~rtl.keyed.store.lines.line_updates.LineUpdates`.
IN_FLIGHT = 32
#: Greatest number of read bursts at a port: ``READS`` of :mod:`rtl.keyed.dram.line_port`.
READS = 8
#: Greatest number of windows that wait for their lines: ``QUEUED_WINDOWS`` of
#: :mod:`rtl.engine.streamzip.core`.
WINDOWS = 32
#: Cycles from a write to a read that waits for the response, besides the memory's response time.
ORDERED = 8


@dataclass(frozen=True, kw_only=True)
class MemoryRate:
    """Computes the cycles for each tuple of the stages that move lines and words.

    Attributes
    ----------
    keys : KeyedPlan
    load : KeyLoad
    dram : Dram or Ideal
    bases : tuple of int
        The byte address of the lines of each port.
    """

    keys: object
    load: KeyLoad
    dram: object
    bases: tuple

    @property
    def stage_cycles(self):
        """Cycles of each stage for a tuple that is stored (:class:`KeyLoad`), by the stage's name.

        - Commands: a written line, a line that is read to be changed, and a window that reads
          lines take one command each.
        - Reads and writes of lines: number of lines, divided by the lines that all ports move in a
          cycle.
        - Read bursts: a port has at most :data:`READS` under way.
        - Memory bus: a DRAM has one bus for all ports, and opens rows.
        - Words: without a codec, M2 outside of the chip takes a cycle for each word that is read.
        - Copies: M2 outside of the chip takes 4 cycles for each block, in each direction, and has
          at most 16 reads under way.
        - Collection: the collector takes a block in a cycle, from M3, from the copies in M2, or the
          growing block. It counts only with copies; else the value is 0.
        - Lines that were just written: a read waits for the response to the write.
        """
        load = self.load
        lines = self.keys.lines
        width = lines.data_width / LINE_BITS
        read = load.read * load.windows + self.changed
        blocks = (load.read + load.copied + 1) * load.windows
        commands = self.single_line_bursts + load.windows * self._reading_share
        return {
            "commands to the memory ports": commands,
            "reads of lines at the memory ports": read / (self._reading_ports * width),
            "read bursts under way at the memory ports": self._under_way,
            "writes of lines at the memory ports": self.written / (lines.ports * width),
            "memory bus": self.dram.cycles(lines.ports, self._traffic),
            "reads of words from M2": self._words,
            "copies of blocks in M2": self._copies,
            "collection of blocks": blocks if load.copied else 0,
            "reads of lines that were just written": 0 if self.dram_only else self._same_line,
        }

    @property
    def dram_only(self):
        """True with dram-only: each tuple reads and writes its line in the memory."""
        return self.keys.memory == "dram-only"

    @property
    def single_line_bursts(self):
        """Bursts of one line for each tuple: lines written, and lines read to be changed."""
        return self.written + self.changed

    @property
    def written(self):
        """Lines written for each tuple."""
        return 1 if self.dram_only else 1 / (self.load.block_values or self.keys.line.items)

    @property
    def changed(self):
        """Lines that are read to be changed, for each tuple.

        The first tuple of a line reads nothing, nor does a tuple whose line is in flight. But if a
        window fills the whole ring, the first tuple of a line reads the line, too, because the line
        has values of the window.
        """
        if not self.dram_only:
            return 0
        not_in_flight = self.load.mix.mean(lambda share: (1 - share) ** IN_FLIGHT)
        if self.load.fills_ring:
            return not_in_flight
        return (1 - 1 / self.keys.line.items) * not_in_flight

    def at_busiest_port(self, share):
        """Returns how many of a share of the tuples in flight are at the busiest port."""
        return busiest(IN_FLIGHT * share, self.keys.lines.ports)

    @property
    def bursts(self):
        """Mean number of read bursts of a window: one for each stripe, at most one for each port.

        With stripes of one line and 4 ports a window of 6 lines has 4 bursts. With stripes of 8
        lines it begins anywhere in a stripe, and reaches into a second stripe in 5 of 8 cases: 1.6
        bursts on average.

        If the ports hold rings in segments, a burst also ends with its segment: with 28 lines in 3
        segments at each port a window of 100 lines has 100 * 3 / 28 bursts more.
        """
        lines = self.keys.lines
        read = self.load.read
        bursts = min(lines.ports, read, 1 + max(0, read - 1) / lines.stripe_lines)
        if (segments := len(lines.segments.sizes)) == 1:
            return bursts
        return min(read, bursts + read * segments / lines.port_ring_lines)

    @property
    def _reading_share(self):
        """Share of the windows that read lines from DRAM.

        A window from the cache reads none, and without copies of blocks in M2 each other window
        reads. If M2 has copies, windows that read 0.1 blocks on average are counted as windows of
        which every tenth reads a block.
        """
        read = self.load.read
        return min(1, read) if self.load.copied else (1 - self.load.cached) * float(read > 0)

    @property
    def _reading_ports(self):
        """Mean number of ports that read windows at a time.

        Windows of different keys are at independent ports. Windows of the same key are at the same
        ports, and wait for the port with most of their lines: a window of 6 lines takes as long as
        2 lines at each of 4 ports, so 3 ports are busy on average.
        """
        lines = self.keys.lines
        read = max(1, round(self.load.read))
        port_share = read / most_at_a_port(read, lines.ports, lines.stripe_lines)
        return lines.ports - (lines.ports - port_share) * self.load.mix.mean(lambda share: share)

    @property
    def _under_way(self):
        """Cycles for each tuple, because a port has at most :data:`READS` read bursts under way.

        A window of the same key as the window before has its burst at the same port, a window of
        another key at any port. With one port of 512 bits, and 40 cycles to the response, a window
        of one line takes 44 / 8 cycles.
        """
        load = self.load
        lines = self.keys.lines
        if not load.read:
            return 0
        at_port = self.bursts / lines.ports
        at_port += (self._reading_share - at_port) * load.mix.mean(lambda share: share)
        read_cycles = self.dram.answer + 3 + load.read / self.bursts * LINE_BITS / lines.data_width
        return at_port * load.windows * read_cycles / READS

    @property
    def _traffic(self):
        """Traffic of the memory for each tuple.

        The lines of single tuples are at random ports. With dram-only all tuples wait for these
        lines, so they count as if all ports had as many lines as the busiest port. With dram-only
        the line of the tuple that closes a window is written just before the window is read, and
        opens the row for the window's burst at the same port.
        """
        load = self.load
        lines = self.keys.lines
        uneven = self.at_busiest_port(1) * lines.ports / IN_FLIGHT if self.dram_only else 1
        single = uneven * self.single_line_bursts
        bursts = single + load.windows * self.bursts
        follows = load.windows / bursts if self.dram_only and load.read else 0
        follows *= self.dram.still_open(lines.ports)
        opened = self.dram.opened(load.mix, lines)
        return Traffic(
            bursts=bursts,
            lines=single + load.windows * load.read,
            writes=self.written,
            opened=opened + (1 - opened) * follows,
            meeting=self.dram.meeting(lines, self.bases, self._used_lines),
            busy=self._busy_ports(load.windows * self.bursts / bursts),
        )

    def _busy_ports(self, share):
        """Returns the mean number of ports that have bursts; windows have a ``share`` of them.

        At most :data:`WINDOWS` windows wait for their lines, and a window has bursts at some ports
        only. Of m stations that n customers visit at random, n / (n + m - 1) are busy. For instance
        32 windows with one burst each keep 32/35 of 4 ports busy, 3.66 ports; windows with a burst
        at each port keep all ports busy. The lines of single tuples are further customers, so many
        that they do as if all ports were busy.

        Source: product form of a closed network of queues, as for ``Dram.burst_cycles``.
        """
        ports = self.keys.lines.ports
        if self.dram_only or not share:
            return ports
        bursts = min(self.bursts, ports)
        idle_share = (ports - bursts) / (WINDOWS * bursts + ports - bursts)
        return ports * (1 - share * idle_share)

    @property
    def _used_lines(self):
        """Number of lines that a key has used so far behind a port; None if all are used."""
        tuples = self.load.tuples_per_key
        per_line = self.load.block_values or self.keys.line.items
        return None if tuples is None else tuples / per_line / self.keys.lines.ports

    @property
    def _words(self):
        """Words that are read from M2 outside of the chip, for each tuple.

        A window needs the words before its tuple's word, 3/2 on average. A line that becomes full
        needs the words before its last, unless a window closes with the same tuple. With 2 lines in
        M2 a window also needs the 4 words of the line before; one burst then reads both lines as
        far as they are written: for a tuple in words 0 to 3 of a line 4, 5, 6, 7 words, and in each
        second line 4, 8, 8, 8. Nothing is read for a key that comes again before ``SLOTS`` words of
        other keys.
        """
        if not self.keys.m2.has_words_outside:
            return 0
        load = self.load
        window = 50 / 8 if self.keys.m2.has_previous_line and load.lines else 3 / 2
        full = (LINE_WORDS - 1) / self.keys.line.items * max(0, 1 - load.windows)
        read = full + window * load.windows
        return read * load.mix.mean(lambda share: share * SLOTS < 1)

    @property
    def _copies(self):
        """Cycles of the port of M2 outside of the chip for each tuple, with copies of blocks.

        For instance a window of 2 copies, with blocks of 4 beats and an answer after 40 cycles,
        takes 8 cycles of the port. Its read is under way for 49 cycles, which are 3 cycles for each
        read if 16 are under way.
        """
        if not self.keys.m2.has_copies_outside:
            return 0
        load = self.load
        beats = self.keys.outer_m2.beats
        reads = load.windows * min(1, load.copied)
        under_way = reads * (Ideal().answer + 1) + load.windows * load.copied * beats
        return max(beats * self.written, beats * load.windows * load.copied, under_way / COPY_READS)

    @property
    def _same_line(self):
        """Cycles for each tuple if all windows read a line that is on its way to the memory.

        The line's port waits until the memory has answered the write, other ports do not. If the
        last full line stays on the chip there is no such wait.
        """
        load = self.load
        lines = self.keys.lines
        if load.read < max(1, load.lines):
            return 0
        waits = min(self.written, load.windows) * load.mix.mean(lambda share: share)
        return waits * (self.dram.answer + ORDERED) / lines.ports
