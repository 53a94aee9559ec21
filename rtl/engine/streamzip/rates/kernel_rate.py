"""Computes the cycles of the stages after the memory: decoders, kernels and searches."""

from dataclasses import dataclass
from math import ceil, comb

from rtl.aggregate.pivot_selection import most_passes
from rtl.engine.streamzip.rates.key_load import KeyLoad
from rtl.engine.streamzip.rates.pass_times import LATER, Passes, first_passes, usual_passes
from rtl.keyed.codec.chained.chain_times import ChainTimes
from rtl.keyed.codec.codecs import entry_of
from rtl.keyed.codec.decoder_times import ONE_STEP, BlockWork, DecoderTimes
from rtl.keyed.pivot.pivot_plan import WINDOWS

#: Cycles from a verdict to the first line of the key's next window, which waits for the verdict.
VERDICT_TO_WINDOW = 4
#: Typical work of a serial decoder on a block, if the load is unknown.
TYPICAL_WORK = BlockWork(14)
#: Utilisation of several serial decoders that take blocks in turn. It is below 1 because the steps
#: of blocks vary, and a block waits for the blocks before it.
UTILISATION = 0.9


def passes_of(keys, kernels, size, slide, work=TYPICAL_WORK):
    """Returns the :class:`Passes` of windows of ``size`` tuples with pivots, every ``slide``.

    ``work`` is the work of a serial decoder on a block.

    The numbers of tuples in a window of time and its slide are unknown. So one window of a key is
    under way, a window takes 1.5 passes, as with a SLIDE of 1.8 K, and the first window of a key 3,
    as with ROWS of 4.7 K.
    """
    plan = keys.pivots
    _, collecting = keys.store.collector_latencies(keys)
    latency = collecting + kernels.pivots.verdict_latency_of(kernels.lanes) + VERDICT_TO_WINDOW
    ring = keys.store.ring
    decoding = 0
    if ring is not None and entry_of(ring.codec).serial:
        # The latency is for a block of one step, and the pool of decoders counts all steps.
        latency -= _decoding_of(ring, ONE_STEP)
        decoding = _decoding_of(ring, work)
    of_rows = keys.window.membership is None
    return Passes(
        latency=latency,
        decoding=decoding,
        first=first_passes(size, plan.neighbours) if of_rows else 3,
        usual=usual_passes(slide, plan.neighbours) if of_rows else 1.5,
        under_way=max(1, plan.neighbours // slide) if of_rows else 1,
        lines=plan.depth,
    )


def pool_times(ring):
    """Returns the model of the pool of serial decoders of a RingPlan, empty."""
    decoders = ring.fold.decoders
    if ring.format.chained:
        return ChainTimes(decoders, ring.format.chain)
    return DecoderTimes(decoders)


def _decoding_of(ring, work):
    """Returns the cycles from a block to its state in an empty pool; ``work`` is its work."""
    taken, decoded = pool_times(ring).take(0, work, head=True)
    return decoded - taken


@dataclass(frozen=True, kw_only=True)
class KernelRate:
    """Computes the cycles for each tuple of the stages that take the values of windows.

    Attributes
    ----------
    keys : KeyedPlan
    kernels : KernelPlan
    load : KeyLoad
    """

    keys: object
    kernels: object
    load: KeyLoad

    @property
    def stage_cycles(self):
        """Cycles that each stage takes for a tuple that counts, by the name of the stage.

        The stages work at the same time, so the slowest one bounds the rate:

        - the kernels, which aggregate each window once;
        - with pivots, the passes of each window, and its wait for the answers to the windows of its
          key before;
        - the sorted values of the cache: each value of a cached key takes a cycle for each of their
          lines;
        - the steps of serial decoders.
        """
        return {
            "aggregation of windows": self._kernel_cycles,
            "answers of windows with pivots": self._answer_cycles,
            "sorting of cached values": self.load.sorting,
            "decoding of blocks": self._decoding_cycles,
        }

    @property
    def _kernel_cycles(self):
        """Cycles of the kernels for each tuple."""
        load = self.load
        lines = self.keys.line_format.lines_of(load.size, load.lines + 1)
        return self.kernels.interval_of(load.size, lines) * load.windows

    @property
    def _answer_cycles(self):
        """Cycles for each tuple of the passes of its windows, and of their waits for answers.

        A window waits for the window of its key that is ``under_way`` windows back. If this window
        lies ``distance`` windows back in the stream, the lines of the windows between cover a part
        of the latency; the rest is ``missing``, and counts with the probability of the distance.
        All ``under_way`` windows of the key share this wait. For instance with one key and two
        windows under way, every other window waits for a whole latency, less its own lines.

        Further passes of windows of different keys overlap, see :attr:`_windows_together`.

        A window from the cache waits for the answer of the latest window that is not from the
        cache. The formula counts a whole latency if this is the window just before it, and no wait
        otherwise. During a latency at most 32 windows leave, because the buffer has room for so
        many.
        """
        load = self.load
        if self.keys.pivots is None or not load.windows:
            return 0
        passes = self._passes
        lines = self.keys.line_format.lines_of(load.size, load.lines + 1)
        under_way = passes.under_way
        together = self._windows_together

        def window_cycles(share):
            """Returns the mean cycles of a window whose key has this share of the windows."""
            cycles = passes.cycles_of(lines, passes.usual, together)
            for distance in range(under_way, WINDOWS):
                missing = passes.latency + passes.decoding - (distance - 1) * lines
                if missing <= 0:
                    break
                others = (1 - share) ** (distance - under_way)
                probability = comb(distance - 1, under_way - 1) * share**under_way * others
                cycles += probability * missing / under_way
            return cycles

        cached = load.cached
        latency = passes.latency + passes.decoding
        after_others = lines + (1 - cached) * latency
        mean = (1 - cached) * load.mix.mean(window_cycles) + cached * after_others
        return max(mean, latency / WINDOWS) * load.windows

    @property
    def _windows_together(self):
        """Mean number of successive windows of different keys, whose searches proceed together.

        Two windows have the same key with the probability of the mean share of a key. For instance
        with 4 keys that are equally frequent the probability is 1/4, and 1 + 3/4 + 3/4 * 2/4
        + 3/4 * 2/4 * 1/4 = 2.2 windows proceed together.
        """
        share = self.load.mix.mean(lambda share: share)
        likely = 1.0
        count = 1.0
        for before in range(1, WINDOWS):
            likely *= max(0.0, 1 - before * share)
            count += likely
        return count

    @property
    def _decoding_cycles(self):
        """Cycles of the pool of decoders for each tuple.

        The growing block has half of the steps of a full block, on average. With pivots each pass
        decodes the blocks of the window. Values of a window from the cache are not decoded.
        """
        load = self.load
        if load.work is None:
            return 0
        decoders = self.keys.store.ring.fold.decoders
        utilisation = UTILISATION if decoders > 1 else 1
        full_block = load.work.cycles
        steps = (1 - load.cached) * (load.stored_lines * full_block + (full_block + 1) / 2)
        return steps * self._usual_passes * load.windows / decoders / utilisation

    @property
    def _usual_passes(self):
        """Mean number of passes of a window, after the first window of its key."""
        if self.keys.pivots is None or not self.load.windows:
            return 1
        return self._passes.usual

    @property
    def _passes(self):
        """Passes of the load's windows."""
        slide = max(1, round(1 / self.load.windows))
        work = self.load.work or TYPICAL_WORK
        return passes_of(self.keys, self.kernels, self.load.size, slide, work)

    @property
    def longest_search(self):
        """Greatest number of cycles that the search of one window takes; 0 without pivots.

        The search has at most :func:`~rtl.aggregate.pivot_selection.most_passes` passes, with a
        ``gap`` from one to the next. A pass takes a cycle for each line of the largest window. A
        serial decoder takes at most two cycles for each value: its slots take turns, so a slot
        decodes a value in every other cycle. Steps for values of a block that the window skips are
        not counted.
        """
        pivots = self.keys.pivots
        if pivots is None:
            return 0
        passes = passes_of(self.keys, self.kernels, self.load.size, 1)
        decoding_cycles = 0 if self.load.work is None else 2 * self.kernels.window_max
        gap = passes.latency + LATER + passes.decoding
        pass_cycles = max(pivots.lines + 1, decoding_cycles)
        return ceil(most_passes(pivots.width) * (pass_cycles + gap))
