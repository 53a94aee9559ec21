"""How many tuples per cycle the engine for windows of each key takes."""

from dataclasses import dataclass
from math import expm1

from rtl.engine.streamzip.key_mix import KeyMix
from rtl.engine.streamzip.line_counts import busiest, most_at_a_port
from rtl.keyed.dram.dram_model import Traffic
from rtl.keyed.dram.lines import LINE_BITS
from rtl.keyed.dram.word_map import LINE_WORDS
from rtl.keyed.store.lines.outer_words import SLOTS


@dataclass(frozen=True, kw_only=True)
class KeyLoad:
    """What windows ask of the engine, on average.

    Attributes
    ----------
    windows : float
        For each tuple that counts.
    size, most : int
        Tuples of a window, and of the largest.
    lines : float
        Of a window, before the one that is being filled: the kernels have one more. Of one that
        comes out of a cache all but one.
    read : float
        Those of them that come out of DRAM.
    mix : KeyMix
        The keys that come.
    kept : float
        Share of the tuples that count.
    held : float or None
        Values of a line that is written: with a codec of a block, on average; None is as many as
        a line has place for.
    steps : float or None
        Of such a block in a decoder, on average; None where blocks are decoded at once.
    own : int
        Steps of a tuple beside those of its windows.
    """

    windows: float
    size: int
    most: int
    lines: float
    read: float
    mix: KeyMix
    kept: float = 1.0
    held: float | None = None
    steps: float | None = None
    own: int = 0


def cached_of(size, slide, places, mix):
    """Share of the windows that come out of a cache with so many ``places``, at least.

    A key keeps its place for sure while no other closes a window than those that come most often,
    one for each place. Once it has got one it must keep it for a window's values, so for
    ``size / slide`` windows. For instance 2 keys and 2 places: 1. With one place and two keys, one
    of which has 0.9 of the tuples, windows of 4 every 2: 0.9 of that one's two times, so 0.73 of
    all; and nothing to speak of with windows of 100 every tuple.
    """
    most = [share for share, keys in mix.shares for _ in range(min(keys, places))][:places]
    others = max(0.0, 1 - sum(most))
    return sum(share * (share / (share + others)) ** (size / slide) for share in most)


#: Tuples whose lines are on their way, with dram-only, and bursts of each direction at a port.
IN_FLIGHT, READS, WRITES = 32, 8, 16
#: Cycles from a write to its answer, and from there to what waited for it, beyond the memory's own.
ORDERED = 8
#: Of blocks in turn to serial decoders, what these take of what they could, as a block waits for
#: those before it: steps of blocks vary.
EVEN = 0.9


@dataclass(frozen=True, kw_only=True)
class KeyRate:
    """How fast the engine goes with a load, while its output does not wait.

    Attributes
    ----------
    keys : KeyedPlan
    kernels : KernelPlan
    load : KeyLoad
    dram : Dram or Ideal
    """

    keys: object
    kernels: object
    load: KeyLoad
    dram: object

    @property
    def tuples_per_cycle(self):
        """In the long run.

        Each of these stages takes so many cycles for a tuple that counts, and the slowest decides:

        - the table: 1; with windows of time, one for each window if that is more, and with a codec
          one more;
        - the kernels: those of its windows; and with a serial codec, the decoders;
        - commands: one for a line that is written, one for a line that is read to be changed, and
          one for a window;
        - reads, and writes, of the ports together: the lines of each, over what ports move;
        - bursts under way at a port, which are only so many;
        - what is behind the ports: a DRAM has one bus for all of them, and rows to open;
        - the port of M2, if that is outside: a word that is read;
        - a read of a line that was just written, which waits for the write's answer; and with
          dram-only all that are on their way, for these are only so many.
        """
        load, lines = self.load, self.keys.lines
        width = lines.data_width / LINE_BITS
        moved = lines.ports * width
        cycles = max(
            1,
            load.windows + load.own,
            self._kernels,
            self._decoding,
            self.single + (load.windows if load.read else 0),
            (load.read * load.windows + self._changed) / (self._reading * width),
            self._under_way,
            self.written / moved,
            self.dram.cycles(lines.ports, self._traffic),
            self._words if self.keys.m2.external else 0,
            self._in_flight if self.alone else self._same_line,
        )
        return 1 / max(1, load.kept * (cycles + self._overwriting(cycles)))

    @property
    def _kernels(self):
        """Cycles for each tuple, of the kernels."""
        load = self.load
        lines = self.keys.given.lines_of(load.size, load.lines + 1)
        return self.kernels.interval_of(load.size, lines) * load.windows

    @property
    def _decoding(self):
        """Cycles for each tuple, of the decoders together.

        The block that grows has half of the steps of one that is full, on average.
        """
        load = self.load
        if load.steps is None:
            return 0
        decoders = self.keys.store.ring.fold.decoders
        even = EVEN if decoders > 1 else 1
        return (load.lines * load.steps + (load.steps + 1) / 2) * load.windows / decoders / even

    @property
    def bursts(self):
        """Of a window: it has one for each stripe that it is in, and no more than there are ports.

        With stripes of one line a window of 6 has 4, at all of 4 ports. With stripes of 8 it
        begins anywhere in one, so 5 times of 8 it reaches into a second: 1.6 on average.
        """
        lines, read = self.keys.lines, self.load.read
        return min(lines.ports, read, 1 + max(0, read - 1) / lines.stripe_lines)

    @property
    def _reading(self):
        """Ports that windows are read from at a time.

        Those of other keys are at any port. Those of the same key are where the one before was, and
        wait for the port that has most of its lines: one of 6 lines takes as long as 2 at each of
        4 ports, so 3 of these are at work.
        """
        lines, read = self.keys.lines, max(1, round(self.load.read))
        alone = read / most_at_a_port(read, lines.ports, lines.stripe_lines)
        return lines.ports - (lines.ports - alone) * self.load.mix.mean(lambda share: share)

    @property
    def _under_way(self):
        """Cycles for a tuple, as a port has no more than :data:`READS` bursts at a time.

        A window of the key before has its burst at the same port, one of another key at any. With
        one port, and 40 cycles to an answer, a window of a line takes 44 / 8 cycles.
        """
        load, lines = self.load, self.keys.lines
        if not load.read:
            return 0
        at_port = self.bursts / lines.ports
        at_port += (1 - at_port) * load.mix.mean(lambda share: share)
        takes = self.dram.answer + 3 + load.read / self.bursts * LINE_BITS / lines.data_width
        return at_port * load.windows * takes / READS

    @property
    def alone(self):
        """Whether each tuple's line is read and written by itself."""
        return self.keys.memory == "dram-only"

    @property
    def single(self):
        """Bursts of one line for each tuple: those that are written, or read to be changed."""
        return self.written + self._changed

    @property
    def written(self):
        """Lines for each tuple."""
        return 1 if self.alone else 1 / (self.load.held or self.keys.line.items)

    @property
    def _changed(self):
        """Lines that are read for each tuple to be changed.

        Not for the first tuple of a line, nor where a tuple of the line is in flight.
        """
        if not self.alone:
            return 0
        far = self.load.mix.mean(lambda share: (1 - share) ** IN_FLIGHT)
        return (1 - 1 / self.keys.line.items) * far

    @property
    def _traffic(self):
        """What the memory has to do for each tuple.

        A window has a burst at each port. Lines that tuples go to are at ports by chance: with
        dram-only, where all wait for these, they count as if all ports had as many as the busiest
        one; and the line of the tuple that closes a window, which is written just before, opens the
        row that the window's burst at the same port then meets.
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
        )

    @property
    def _words(self):
        """Words of M2 outside that are read for each tuple.

        A window needs those before its tuple's, 3/2 on average, and a line that becomes full, if no
        window closes then, those before its last. With 2 lines in M2 a window also needs the 4 of
        the line before; then one burst reads both lines, or what there is of them: for a tuple in
        words 0 to 3 of a line 4, 5, 6, 7 words, and of each second line 4, 8, 8, 8. Nothing is read
        of a key that comes back before ``SLOTS`` words of others.
        """
        load = self.load
        window = 50 / 8 if self.keys.m2.keeps and load.lines else 3 / 2
        full = (LINE_WORDS - 1) / self.keys.line.items * max(0, 1 - load.windows)
        read = full + window * load.windows
        return read * load.mix.mean(lambda share: share * SLOTS < 1)

    @property
    def _same_line(self):
        """Cycles for a tuple if all windows are of keys whose last line is on its way to memory.

        Its port stands still until the memory has answered, the others go on. Not where that line
        stays on the chip.
        """
        load, lines = self.load, self.keys.lines
        if load.read < max(1, load.lines):
            return 0
        often = min(self.written, load.windows) * load.mix.mean(lambda share: share)
        return often * (self.dram.answer + ORDERED) / lines.ports

    def _overwriting(self, cycles):
        """Cycles more for each tuple, with dram-only, where a window takes all of its ring.

        For then the next tuple of its key goes where the window begins, and if the lines there have
        not come yet, it waits for them, and all behind it; with tuples of that key by chance.
        """
        load, keys = self.load, self.keys
        places = keys.lines.ring_lines * keys.line.items
        if not self.alone or load.size <= places - keys.line.items:
            return 0

        def waits(share):
            # Tuples of the key that come while the window is read; none comes if the key has none
            # of the tuples near, or nothing is read, and then nothing waits.
            coming = share * load.read / cycles
            return load.read * (1 + expm1(-coming) / coming) if coming else 0.0

        return load.windows * load.mix.mean(waits)

    @property
    def _in_flight(self):
        """Cycles for a tuple, with dram-only, as no more than :data:`IN_FLIGHT` are on their way.

        All leave in order, so that is the time which the slowest one of them takes: until the
        memory answers, and more if more of them are read at one port than that has at a time.
        """
        answer = self.dram.answer + self.keys.lines.beats + 1
        read, written = self._at_one_port(self._changed), self._at_one_port(1)
        stay = max(1, read / READS, written / WRITES) * answer + 10
        waits = 0
        for _ in range(20):  # the longer it takes, the fewer wait
            waits = (waits + self._unanswered(stay + waits)) / 2
        return (stay + waits) / IN_FLIGHT

    def _unanswered(self, stay):
        """Cycles that tuples in flight wait for writes, when they stay inside for so many.

        Those wait whose line was written so shortly before that the write has no answer yet: for
        half of its time on average.
        """
        ordered = self.dram.answer + ORDERED
        before = ordered * IN_FLIGHT / stay  # tuples

        def meets(share):
            return (1 - share) ** IN_FLIGHT * (1 - (1 - share) ** before)

        return self._at_one_port(self.load.mix.mean(meets)) * ordered / 2

    def _at_one_port(self, share):
        """Of such a share of the tuples in flight, those at the busiest port."""
        return busiest(IN_FLIGHT * share, self.keys.lines.ports)
