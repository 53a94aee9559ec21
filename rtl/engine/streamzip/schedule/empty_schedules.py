"""Makes schedules of the engine with empty queues, for the parts of a stream."""

from functools import cache

from rtl.engine.streamzip.areas import areas_of
from rtl.engine.streamzip.rates.kernel_rate import passes_of, pool_times
from rtl.engine.streamzip.schedule.kernel_times import KernelTimes
from rtl.engine.streamzip.schedule.key_schedule import KeySchedule
from rtl.engine.streamzip.schedule.outer_copies import OuterCopySchedule
from rtl.engine.streamzip.schedule.serial_work import SerialWork
from rtl.engine.streamzip.schedule.window_stages import WindowStages
from rtl.keyed.codec.decoder_pool import DecoderPool
from rtl.keyed.dram.dram_model import Ideal
from rtl.keyed.store.lines.outer_words import SLOTS


class EmptySchedules:
    """Makes a :class:`KeySchedule` with empty queues at each call.

    Parameters
    ----------
    options : Options
        Resolved.
    keys : KeyedPlan
    kernels : KernelPlan
    dram : Dram or Ideal
        Memory behind the ports.
    stream : KeyStream
    size, slide : int
        Numbers of the window.
    in_gap, out_gap : float
        Least number of cycles from a tuple to the next at the input, and from a row to the next at
        the output.
    """

    def __init__(self, options, keys, kernels, dram, stream, size, slide, in_gap, out_gap):
        self._options = options
        self._keys = keys
        self._kernels = kernels
        self._dram = dram
        self._in_gap = in_gap
        self._out_gap = out_gap
        self._passes = None if keys.pivots is None else passes_of(keys, kernels, size, slide)
        self._interval = cache(self._interval_of)
        areas = areas_of(options)
        self._bases = [areas[name].base for name in keys.masters]
        splitting = stream.splitting
        self._work = None  # for decoders that are not serial
        if splitting is not None and splitting.is_serial:
            self._work = SerialWork(stream, options.query.window, size)

    def __call__(self):
        options = self._options
        keys = self._keys
        stages = WindowStages(
            interval=self._interval,
            kernels=self._kernel_times(),
            chained=self._is_chained,
            places=options.cached_keys,
            passes=self._passes,
            out_gap=self._out_gap,
        )
        return KeySchedule(
            keys.lines,
            self._dram.ports(keys.lines, self._bases),
            stages,
            reads_words=keys.m2.has_words_outside,
            waiting_tuples=keys.store.levels_latency(keys) + SLOTS * keys.m2.has_words_outside,
            line_per_tuple=keys.memory == "dram-only",
            copies=keys.m2.blocks,
            outer_copies=self._outer_copies(),
            gives_way=options.coding.gives_way,
            in_gap=self._in_gap,
        )

    @property
    def _is_chained(self):
        return self._work is not None and self._options.coding.ring.format.chained

    def _interval_of(self, values, lines):
        """Returns the cycles for which a window occupies the kernels."""
        kernels = self._kernels
        values = min(values, kernels.window_max)
        lines_of_values = self._keys.line_format.lines_of(values, lines)
        return kernels.interval_of(values, max(1, round(lines_of_values)))

    def _kernel_times(self):
        if self._work is None:
            return KernelTimes()
        ring = self._options.coding.ring
        if self._is_chained:  # the model of the pool counts its chains
            return KernelTimes(pool_times(ring), self._work.of_block, self._work.is_head)
        capacity = DecoderPool.capacity_of(ring.fold)
        return KernelTimes(pool_times(ring), self._work.of_block, capacity=capacity)

    def _outer_copies(self):
        """Returns the schedule of the copies outside of the chip; None if there are none."""
        keys = self._keys
        if not keys.m2.has_copies_outside:
            return None
        # Only an ideal memory may stand for DRAM and for an SRAM.
        is_sram = keys.masters and isinstance(self._dram, Ideal)
        return OuterCopySchedule(keys.outer_m2, keys.m2.blocks, self._dram if is_sram else Ideal())
