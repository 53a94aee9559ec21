"""Derives the rings of blocks, the cache and the fold from the options of a codec."""

from dataclasses import dataclass

from query.aggregate import Function
from rtl.engine.parts.columns import value_layout
from rtl.engine.parts.operators import (
    columns_of,
    float_sum_refusal,
    operator_of,
)
from rtl.engine.parts.percentiles import fractions_of
from rtl.engine.streamzip.expected_ratio import expected_ring, ratio_of
from rtl.engine.streamzip.rings import Rings
from rtl.float.format import FORMATS
from rtl.keyed.cache.cache_plan import CachePlan
from rtl.keyed.cache.cached_item import CachedItem
from rtl.keyed.cache.no_cache import NoCache
from rtl.keyed.codec.block_format import COUNT_BITS
from rtl.keyed.codec.chained.chain_pool import CHAINS
from rtl.keyed.codec.codecs import CODEC_ENTRIES
from rtl.keyed.codec.decoder_times import BlockWork
from rtl.keyed.codec.fold import BLOCK_VALUES, Fold
from rtl.keyed.pivot.pivot_plan import WINDOWS as PIVOT_WINDOWS
from rtl.keyed.store.blocks.ring_plan import RingPlan, ring_blocks
from rtl.keyed.store.lines.second_level import SecondLevel
from rtl.network.nodes import NodePlan
from rtl.network.slot_reduction import SLOTS
from rtl.network.sum_steps import cycles_of_block, usual_sum_steps, usual_sum_tail

#: With windows of rows a key's sequence numbers wrap after at least this many times the values of
#: the largest window. For instance with windows of 100 values there are 2^15 numbers, at least
#: 256 * 100. A window in the pipeline is less than half of the numbers old, so the sign of a
#: difference tells which of two numbers is older.
NUMBERS_PER_VALUE = 256
#: Upper bound of a key's windows in the queues of a store of blocks, besides the windows in a pool
#: of chains or in a pass of pivots.
KEY_WINDOWS_UNDER_WAY = 64


@dataclass(frozen=True)
class Coding:
    """Describes the compression of the query's only column, and the cache of windows.

    The options must have passed :func:`~rtl.engine.streamzip.coding_checks.check_coding`.

    Attributes
    ----------
    options : rtl.engine.streamzip.options.Options
    """

    options: object

    @property
    def m2(self):
        """SecondLevel, the plan of M2, with the number of its copied blocks."""
        return SecondLevel(kind=self.options.m2_kind, blocks=self.options.m2_blocks)

    @property
    def codec_entry(self):
        """The :class:`~rtl.keyed.codec.codec.CodecEntry`; None without a codec."""
        return CODEC_ENTRIES.get(self.options.codec)

    @property
    def codec(self):
        """The codec for the values of the column; None with codec=none."""
        if self.codec_entry is None:
            return None
        return self.codec_entry.codec_for(
            self.value_type, self.options, self.options.kind.stamp_bits
        )

    @property
    def value_type(self):
        """Type of the compressed column; None unless the query aggregates exactly one column."""
        columns = list(value_layout(self.options.query).members)
        return self.options.query.schema[columns[0]].type if len(columns) == 1 else None

    @property
    def default_options(self):
        """Values of the codec's options that follow from the column's type, by name."""
        if self.codec_entry is None or len(value_layout(self.options.query).members) != 1:
            return {}
        return self.codec_entry.default_options(self.value_type)

    @property
    def settings(self):
        """Host settings of the codec."""
        if self.codec_entry is None:
            return ()
        return self.codec_entry.host_settings(self.value_type, self.options)

    @property
    def ranked_columns(self):
        """Names of the columns with percentiles in the query."""
        return columns_of(self.options.query, Function.PERCENTILE)

    @property
    def sorts(self):
        """True if a sorter finds the percentiles."""
        return bool(self.ranked_columns) and not self.options.pivoting.used

    @property
    def pivot_operators(self):
        """Operators of the percentiles that pivots find, by the index of the item in the query."""
        return self.options.pivoting.operators

    @property
    def piece_values(self):
        """Number of values in each line that a sorter takes; None if no sorter finds percentiles.

        A block with more values is cut into such lines, which are as long as the lines without a
        codec. For instance with lines of 8 values a block of 20 values is cut into 3 lines or more.
        """
        return self.options.resolved.line_values if self.sorts else None

    @property
    def ring(self):
        """RingPlan of the blocks; None without a codec."""
        if (codec := self.codec) is None:
            return None
        return RingPlan(
            codec=codec,
            entries=self.options.entries,
            blocks=self.blocks,
            number_bits=self.number_bits,
            fold=self.fold,
            cache=self.cache,
            piece_values=self.piece_values,
            gives_way=self.gives_way,
            window_places=self.window_places,
        )

    @property
    def blocks(self):
        """Number of blocks of a ring; None without a codec."""
        if (codec := self.codec) is None:
            return None
        built = self.options.resolved
        if self.gives_way:
            return self._expected_ring[0]
        return ring_blocks(codec.format, built.window_max, built.ports, self._blocks_before_window)

    @property
    def _blocks_before_window(self):
        """Number of blocks for which a ring has room before the first block of a window.

        The walk of a cached key frees only the blocks before the head of a chain, so up to
        ``chain`` - 1 blocks lie before a window.
        """
        return self.codec.format.chain - 1 if self.options.cached_keys else 0

    @property
    def stripe_lines(self):
        """Number of consecutive lines of a ring behind one port."""
        if self.gives_way:
            return self._expected_ring[1]
        built = self.options.resolved
        return min(built.stripe_lines, Rings(built).lines // built.ports)

    @property
    def _expected_ring(self):
        """Number of blocks of a ring for the expected ratio, and lines of its stripes.

        A ring is not larger than one with room for every window, unless the copies in M2 need more
        blocks: with 8 copies and windows of one value it has 16 blocks, where 4 are enough.
        """
        built = self.options.resolved
        lines = -(-built.window_max // built.line_values)
        ratio = ratio_of(built.expected_ratio)
        ring = expected_ring(ratio, lines, built.ports, built.stripe_lines, built.m2_blocks)
        largest = ring_blocks(self.codec.format, built.window_max, built.ports)
        if ring[0] > largest >= built.m2_blocks:
            return largest, min(built.stripe_lines, largest // built.ports)
        return ring

    @property
    def gives_way(self):
        """True if a ring may be too small for a window, because an expected ratio sets its size."""
        return self.codec_entry is not None and ratio_of(self.options.expected_ratio) is not None

    @property
    def window_places(self):
        """Number of values after which the numbers in the table of keys wrap, for windows of time.

        With an expected ratio a ring has fewer blocks than a window has values, so the number
        follows from the largest window. None stands for the number of blocks of the ring, which is
        enough without a ratio: in the worst case each block has one value.
        """
        if not (self.gives_way and self.options.kind.stamp_bits):
            return None
        return max(2, self.options.resolved.window_max)

    @property
    def number_bits(self):
        """Width of a value's sequence number, in bits; None without a codec.

        *Windows of time*: a window may read all blocks of a ring. So there are at least twice as
        many numbers as values in a ring: negative differences of numbers must not look like
        positive ones. *Windows of rows*: the numbers cover all windows under way, and the values
        before the oldest one in its first block: a window of 1 value may begin in a block of 511.
        """
        if (blocks := self.blocks) is None:
            return None
        if self.options.kind.stamp_bits:
            values = max(blocks << COUNT_BITS, self.window_places or 0)
            return (2 * values - 1).bit_length()
        longest = self.options.resolved.window_max
        # Age of the oldest value under way, in values: the windows under way, and the values before
        # the oldest window in its first block, or in the chain of that block. These values fill
        # less than one block, or one chain; one block more is counted.
        first_blocks = 2 + self._blocks_before_window
        values = self._windows_under_way * longest + (first_blocks << COUNT_BITS)
        return (max(NUMBERS_PER_VALUE * longest, 2 * values) - 1).bit_length()

    @property
    def _windows_under_way(self):
        """Upper bound of a key's windows that have closed and are not collected yet."""
        chains = 0
        if self.codec.format.chained:
            chains = CHAINS * SLOTS * self.options.decoders
        passes = PIVOT_WINDOWS if self.options.pivoting.used else 0
        return KEY_WINDOWS_UNDER_WAY + chains + passes

    @property
    def cache(self):
        """CachePlan of the windows on the chip; without any a NoCache, used in the same way."""
        options = self.options
        if not options.cached_keys:
            return NoCache()
        kind = options.kind
        values = options.kind.tuples
        return CachePlan(
            keys=options.cached_keys,
            lanes=min(options.cache_lanes, values),
            values=values,
            item=CachedItem(
                shape=kind.stored_item,
                includes_closing_value=kind.window_kind.includes_closing_value,
                membership=kind.window_kind.membership,
            ),
            fold=self.fold,
            sorting=self.options.pivoting.sorting,
        )

    @property
    def fold(self):
        """Fold of a block into a state, for a serial decoder or a cache; None without either."""
        serial = self.codec_entry is not None and self.codec_entry.serial
        if not (serial or self.options.cached_keys):
            return None
        query = self.options.query
        most = self.options.kind.tuples
        return Fold(
            row=value_layout(query),
            operators=tuple(
                self.pivot_operators.get(k) or operator_of(item.aggregate, most).folded
                for k, item in enumerate(query.items)
            ),
            tuples=most,
            decoders=self.options.decoders,
            pivots=len(fractions_of(query)) if self.pivot_operators else 0,
            sums=self.sums,
            chain=1 if self.codec is None else self.codec.format.chain,
        )

    @property
    def sums(self):
        """NodePlan of the floating-point sums of serial decoders; None without such sums."""
        serial = self.codec_entry is not None and self.codec_entry.serial
        # Only sums of floats have a reason for a refusal.
        if not serial or float_sum_refusal(self.options.query) is None:
            return None
        values = span = self.options.kind.tuples
        # From its first to its last value a window of time may leave out values of other slides.
        if self.options.kind.stamp_bits:
            span = max(values, self.window_places or self.blocks)
        return NodePlan.of(FORMATS[self.value_type.width], min(values, BLOCK_VALUES), span)

    @property
    def top(self):
        """Greatest level of the nodes that a decoder adds in a block; None without sums."""
        return None if self.sums is None else self.sums.top

    def values_per_block(self, ratio):
        """Returns the mean number of values of a block at a compression ratio."""
        return ratio * self.codec.format.raw_values

    def work(self, ratio, occupied=None):
        """Returns the mean work of a serial decoder on a full block; None without such a decoder.

        ``occupied`` is the number of steps for which a block occupies its slot, if it is known.
        With sums of floating point it is the greatest of three numbers: steps of the decoder,
        levels of the sums, and cycles of the nodes. The greatest counts as ``levels``, so the rate
        is right; ``nodes`` stays 0.
        """
        if self.codec_entry is None or not self.codec_entry.serial:
            return None
        if self.top is None:
            known = occupied is not None
            return BlockWork(occupied if known else self.codec_entry.usual_steps(self.codec, ratio))
        values = self.values_per_block(ratio)
        steps = self.codec_entry.usual_steps(self.codec, ratio)
        if occupied is None:
            occupied = cycles_of_block(steps, usual_sum_steps(values, steps), self.top)
        tail = usual_sum_tail(values, min(steps, occupied), self.top)
        return BlockWork(min(steps, occupied), levels=occupied, tail=tail)
