"""Computes the rate of the engine for windows of each key, in tuples per cycle."""

from dataclasses import dataclass
from math import expm1

from rtl.engine.streamzip.key_mix import KeyMix
from rtl.engine.streamzip.line_counts import busiest, most_at_a_port
from rtl.engine.streamzip.pass_times import Passes, first_passes, usual_passes
from rtl.keyed.dram.dram_model import Traffic
from rtl.keyed.dram.lines import LINE_BITS
from rtl.keyed.dram.word_map import LINE_WORDS
from rtl.keyed.pivot.pivot_plan import WINDOWS
from rtl.keyed.pivot.window_passes import WindowPasses
from rtl.keyed.store.lines.outer_words import SLOTS


@dataclass(frozen=True, kw_only=True)
class KeyLoad:
    """Describes the mean load that the windows of a stream put on the engine.

    A tuple *counts* if it is stored: tuples that WHERE leaves out, and late tuples, do not count.

    Attributes
    ----------
    windows : float
        Number of windows for each tuple that counts.
    size, largest_size : int
        Number of tuples in a window, and in the largest window.
    lines : float
        Lines of a window before the line that is being filled; the kernels take one line more. For
        a window from the cache, all its lines but one.
    read : float
        Lines of a window that are read from DRAM.
    copied : float
        Blocks of a window that are read from copies on the chip.
    cached : float
        Share of the windows that come out of the cache.
    sorting : float
        Cycles of the sorted values of the cache for a tuple, with percentiles.
    mix : KeyMix
        Frequencies of the keys.
    counted_share : float
        Share of the tuples that count.
    block_values : float or None
        Mean number of values of a written block, with a codec; None stands for a full line.
    steps : float or None
        Mean steps of a decoder for a block; None if blocks are decoded at once.
    tuples_per_key : float or None
        Number of tuples that a key has had so far; None stands for so many that all lines of its
        ring have been used.
    fills_ring : bool
        True if a window reaches back to the line that is written next, with dram-only.
    item_steps : int
        Steps of a tuple besides the steps for its windows.
    """

    windows: float
    size: int
    largest_size: int
    lines: float
    read: float
    mix: KeyMix
    counted_share: float = 1.0
    block_values: float | None = None
    steps: float | None = None
    item_steps: int = 0
    copied: float = 0.0
    cached: float = 0.0
    sorting: float = 0.0
    tuples_per_key: float | None = None
    fills_ring: bool = False


def cached_of(size, slide, places, mix):
    """Returns a lower bound of the share of windows that a cache with ``places`` places delivers.

    The most frequent keys, one for each place, keep their places for certain as long as only they
    close windows. A key's window comes from the cache if the key has kept its place for all values
    of the window, so for ``size / slide`` windows. For instance with 2 keys and 2 places: 1. With
    one place, two keys of which one has 0.9 of the tuples, and windows of 4 every 2, that key keeps
    the place for 2 windows with probability 0.9 ** 2, so the share is 0.9 * 0.81 = 0.73 of all
    windows; with windows of 100 every tuple it is about 0.
    """
    largest_shares = [share for share, keys in mix.shares for _ in range(min(keys, places))][
        :places
    ]
    others = max(0.0, 1 - sum(largest_shares))
    return sum(share * (share / (share + others)) ** (size / slide) for share in largest_shares)


def sorting_of(cache, size, cached):
    """Returns the cycles of the sorted values for a tuple; 0 without percentiles or a cache.

    Each value of a cached key passes all lines. The share of these values is about the share of the
    windows that the cache delivers.
    """
    if not cache.keys or cache.sorting is None:
        return 0.0
    return cached * cache.lines_of(size)


#: Cycles from a verdict to the first line of the next pass, and steps of a serial decoder that the
#: latency of a pass includes.
RESTART, STEPS = 4, 14
#: Greatest numbers of tuples in flight with dram-only, and of read and write bursts at a port.
IN_FLIGHT, READS, WRITES = 32, 8, 16
#: Cycles besides the memory's own from a write to the read that waited for its response.
ORDERED = 8
#: Utilisation of several serial decoders that take blocks in turn. It is below 1 because the steps
#: of blocks vary, and a block waits for the blocks before it.
EVEN = 0.9


def passes_of(keys, kernels, size, slide):
    """Returns the :class:`Passes` of windows of ``size`` tuples with pivots, every ``slide``.

    The numbers of tuples in a window of time and its slide are unknown, so one window of a key is
    under way, and the passes are those of SLIDEs that are somewhat greater than K.
    """
    plan = keys.pivots
    decoding = keys.store.collector_latency(keys) - WindowPasses.latency
    latency = kernels.latency_of(1) - kernels.results.divider_latency
    ring = keys.store.ring
    is_serial = ring is not None and ring.fold is not None
    of_rows = keys.window.membership is None
    return Passes(
        latency=latency + decoding + RESTART,
        decoding=2 * STEPS if is_serial else 0,
        first=first_passes(size, plan.neighbours) if of_rows else 3,
        usual=usual_passes(slide, plan.neighbours) if of_rows else 1.5,
        ahead=max(1, plan.neighbours // slide) if of_rows else 1,
        lines=plan.depth,
    )


@dataclass(frozen=True, kw_only=True)
class KeyRate:
    """Rate of the engine with a load, if its output never stalls.

    Attributes
    ----------
    keys : KeyedPlan
    kernels : KernelPlan
    load : KeyLoad
    dram : Dram or Ideal
    bases : tuple of int
        The byte address of the lines of each port.
    """

    keys: object
    kernels: object
    load: KeyLoad
    dram: object
    bases: tuple

    @property
    def tuples_per_cycle(self):
        """Tuples per cycle in the long run: the slowest stage decides."""
        cycles = max(1, *self.stage_cycles.values())
        return 1 / max(1, self.load.counted_share * (cycles + self._overwriting(cycles)))

    @property
    def slowest_stage(self):
        """Name of the slowest stage; None if every stage takes at most a cycle for a tuple."""
        cycles = self.stage_cycles
        slowest = max(cycles, key=cycles.get)
        return slowest if cycles[slowest] > 1 else None

    @property
    def stage_cycles(self):
        """Cycles that each stage takes for a tuple that counts, by the name of the stage.

        - The table takes a cycle for a tuple. With windows of time it takes a cycle for each
          window, if that is more, and with a codec and no cache one cycle more.
        - The aggregation takes the cycles of the kernels for the tuple's windows. With pivots a
          window takes its passes, and waits for the answers of its key.
        - The sorted values of the cache take a cycle for each of their lines, with each value of a
          cached key.
        - The decoding takes the steps of serial decoders.
        - There is a command for a written line, for a line that is read to be changed, and for a
          window.
        - Reads, and writes, of all ports take their lines over the lines that the ports move in a
          cycle.
        - The number of bursts under way at a port is limited.
        - The memory behind the ports: a DRAM has one bus for all ports, and opens rows.
        - The port of M2, if M2 is outside, takes a cycle for each word that is read.
        - The collector takes a block in a cycle: from M3, from copies on the chip, and the growing
          block.
        - A read of a line that was just written waits for the response to the write.
        - With dram-only the number of tuples in flight is limited.
        """
        load, lines = self.load, self.keys.lines
        width = lines.data_width / LINE_BITS
        read = load.read * load.windows + self._changed
        return {
            "steps for windows": load.windows + load.item_steps,
            "aggregation of windows": self._kernels,
            "answers of windows with pivots": self._answers,
            "sorting of cached values": load.sorting,
            "decoding of blocks": self._decoding,
            "commands to the memory ports": self.single + load.windows * self.reading_share,
            "reads of lines at the memory ports": read / (self._reading * width),
            "read bursts under way at the memory ports": self._under_way,
            "writes of lines at the memory ports": self.written / (lines.ports * width),
            "memory bus": self.dram.cycles(lines.ports, self._traffic),
            "reads of words from M2": self._words if self.keys.m2.external else 0,
            "collection of blocks": (load.read + load.copied + 1) * load.windows
            if load.copied
            else 0,
            "tuples in flight": self._in_flight if self.alone else 0,
            "reads of lines that were just written": 0 if self.alone else self._same_line,
        }

    @property
    def _kernels(self):
        """Cycles of the kernels for each tuple."""
        load = self.load
        lines = self.keys.line_format.lines_of(load.size, load.lines + 1)
        return self.kernels.interval_of(load.size, lines) * load.windows

    @property
    def _answers(self):
        """Cycles for each tuple, because a window waits for answers of its key's windows before.

        If a share s of the windows near each other has the same key, a window waits with this
        probability for the window before it, and so on, until its lines cover the latency. A window
        out of the cache waits for no window of its key, but for the answer of a window that is not.
        """
        load = self.load
        if self.keys.pivots is None or not load.windows:
            return 0
        slide = max(1, round(1 / load.windows))
        passes = passes_of(self.keys, self.kernels, load.size, slide)
        lines = self.keys.line_format.lines_of(load.size, load.lines + 1)

        def wait(share):
            cycles = passes.cycles_of(lines, passes.usual)
            for distance in range(passes.ahead, WINDOWS):
                missing = passes.latency + passes.decoding - (distance - 1) * lines
                if missing <= 0:
                    break
                cycles += share**passes.ahead * (1 - share) ** (distance - passes.ahead) * missing
            return cycles

        cached, latency = load.cached, passes.latency + passes.decoding
        after_others = lines + (1 - cached) * latency
        mean = (1 - cached) * load.mix.mean(wait) + cached * after_others
        return max(mean, latency / WINDOWS) * load.windows

    @property
    def _decoding(self):
        """Cycles of all decoders for each tuple.

        The growing block has half of the steps of a full block, on average.
        """
        load = self.load
        if load.steps is None:
            return 0
        decoders = self.keys.store.ring.fold.decoders
        even = EVEN if decoders > 1 else 1
        return (load.lines * load.steps + (load.steps + 1) / 2) * load.windows / decoders / even

    @property
    def bursts(self):
        """Mean number of read bursts of a window: one for each stripe, at most one for each port.

        With stripes of one line and 4 ports a window of 6 lines has 4 bursts. With stripes of 8
        lines it begins anywhere in a stripe, and reaches into a second stripe in 5 of 8 cases: 1.6
        bursts on average.

        If the ports hold rings in segments, a burst also ends with its segment: with 28 lines in 3
        segments at each port a window of 100 lines has 100 * 3 / 28 bursts more.
        """
        lines, read = self.keys.lines, self.load.read
        bursts = min(lines.ports, read, 1 + max(0, read - 1) / lines.stripe_lines)
        if (segments := len(lines.segments.sizes)) == 1:
            return bursts
        return min(read, bursts + read * segments / lines.port_ring_lines)

    @property
    def reading_share(self):
        """Share of the windows that read lines from DRAM.

        Where the chip has copies of blocks, a window that reads less than a block on average is one
        that seldom reads a block.
        """
        read = self.load.read
        return min(1, read) if self.load.copied else float(read > 0)

    @property
    def _reading(self):
        """Mean number of ports that read windows at a time.

        Windows of different keys are at independent ports. Windows of the same key are at the same
        ports, and wait for the port with most of their lines: a window of 6 lines takes as long as
        2 lines at each of 4 ports, so 3 ports are busy on average.
        """
        lines, read = self.keys.lines, max(1, round(self.load.read))
        port_share = read / most_at_a_port(read, lines.ports, lines.stripe_lines)
        return lines.ports - (lines.ports - port_share) * self.load.mix.mean(lambda share: share)

    @property
    def _under_way(self):
        """Cycles for each tuple, because a port has at most :data:`READS` read bursts under way.

        A window of the same key as the window before has its burst at the same port, a window of
        another key at any port. With one port, and 40 cycles to the response, a window of one line
        takes 44 / 8 cycles.
        """
        load, lines = self.load, self.keys.lines
        if not load.read:
            return 0
        at_port = self.bursts / lines.ports
        at_port += (self.reading_share - at_port) * load.mix.mean(lambda share: share)
        read_cycles = self.dram.answer + 3 + load.read / self.bursts * LINE_BITS / lines.data_width
        return at_port * load.windows * read_cycles / READS

    @property
    def alone(self):
        """True if each tuple's line is read and written by itself."""
        return self.keys.memory == "dram-only"

    @property
    def single(self):
        """Bursts of one line for each tuple: lines written, and lines read to be changed."""
        return self.written + self._changed

    @property
    def written(self):
        """Lines written for each tuple."""
        return 1 if self.alone else 1 / (self.load.block_values or self.keys.line.items)

    @property
    def _changed(self):
        """Lines that are read to be changed, for each tuple.

        The first tuple of a line reads nothing, nor does a tuple whose line is in flight. But if a
        window fills the whole ring, the first tuple of a line reads the line, too, because the line
        has values of the window.
        """
        if not self.alone:
            return 0
        far = self.load.mix.mean(lambda share: (1 - share) ** IN_FLIGHT)
        return far if self.load.fills_ring else (1 - 1 / self.keys.line.items) * far

    @property
    def _traffic(self):
        """Traffic of the memory for each tuple.

        The lines of single tuples are at random ports. With dram-only all tuples wait for these
        lines, so they count as if all ports had as many lines as the busiest port. With dram-only
        the line of the tuple that closes a window is written just before the window is read, and
        opens the row for the window's burst at the same port.
        """
        load, lines = self.load, self.keys.lines
        uneven = self._at_one_port(1) * lines.ports / IN_FLIGHT if self.alone else 1
        single = uneven * self.single
        bursts = single + load.windows * self.bursts
        follows = load.windows / bursts if self.alone and load.read else 0
        follows *= self.dram.still_open(lines.ports)
        opened = self.dram.opened(load.mix, lines)
        return Traffic(
            bursts=bursts,
            lines=single + load.windows * load.read,
            writes=self.written,
            opened=opened + (1 - opened) * follows,
            meeting=self.dram.meeting(lines, self.bases, self._used_lines),
        )

    @property
    def _used_lines(self):
        """Lines of each ring that a port has used so far; None for all."""
        tuples, per_line = self.load.tuples_per_key, self.load.block_values or self.keys.line.items
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
        load = self.load
        window = 50 / 8 if self.keys.m2.keeps and load.lines else 3 / 2
        full = (LINE_WORDS - 1) / self.keys.line.items * max(0, 1 - load.windows)
        read = full + window * load.windows
        return read * load.mix.mean(lambda share: share * SLOTS < 1)

    @property
    def _same_line(self):
        """Cycles for each tuple if all windows read a line that is on its way to the memory.

        The line's port waits until the memory has answered the write, other ports do not. If the
        last full line stays on the chip there is no such wait.
        """
        load, lines = self.load, self.keys.lines
        if load.read < max(1, load.lines):
            return 0
        often = min(self.written, load.windows) * load.mix.mean(lambda share: share)
        return often * (self.dram.answer + ORDERED) / lines.ports

    def _overwriting(self, cycles):
        """Returns the extra cycles per tuple, with dram-only, if a window fills its whole ring.

        The next tuple of the key then overwrites the first line of the window. If this line has not
        been read yet, the tuple waits, and all tuples after it. The tuple comes at random.
        """
        load, keys = self.load, self.keys
        places = keys.lines.ring_lines * keys.line.items
        if not self.alone or load.size <= places - keys.line.items:
            return 0

        def waits(share):
            # Number of tuples of the key that come while the window is read. It is 0, and no tuple
            # waits, if the share is 0 or nothing is read.
            coming = share * load.read / cycles
            return load.read * (1 + expm1(-coming) / coming) if coming else 0.0

        return load.windows * load.mix.mean(waits)

    @property
    def _in_flight(self):
        """Cycles for each tuple, with dram-only, because at most :data:`IN_FLIGHT` are in flight.

        Tuples leave in order, so the slowest tuple in flight decides: it waits until the memory
        answers, and longer if a port has more of their reads than it takes at a time.
        """
        answer = self.dram.answer + self.keys.lines.beats + 1
        read, written = self._at_one_port(self._changed), self._at_one_port(1)
        stay = max(1, read / READS, written / WRITES) * answer + 10
        wait_cycles = 0
        for _ in range(20):  # a fixed point: the longer tuples stay, the fewer of them wait
            wait_cycles = (wait_cycles + self._unanswered(stay + wait_cycles)) / 2
        return (stay + wait_cycles) / IN_FLIGHT

    def _unanswered(self, stay):
        """Returns the mean cycles for which a tuple waits for the write of its own line.

        A tuple waits if the write of its line is not answered yet. It waits for half of the
        response time on average. ``stay`` is the number of cycles that a tuple is in flight.
        """
        ordered = self.dram.answer + ORDERED
        tuples_before = ordered * IN_FLIGHT / stay  # tuples

        def meets(share):
            return (1 - share) ** IN_FLIGHT * (1 - (1 - share) ** tuples_before)

        return self._at_one_port(self.load.mix.mean(meets)) * ordered / 2

    def _at_one_port(self, share):
        """Returns how many of a share of the tuples in flight are at the busiest port."""
        return busiest(IN_FLIGHT * share, self.keys.lines.ports)
