"""Describes the parts of the engine that only windows of time have."""

from dataclasses import dataclass, replace
from functools import partial
from math import ceil

from amaranth import hdl

from rtl.contract.rows import Role, RowField
from rtl.contract.rules import TIME_RULES, Rule
from rtl.contract.shape import Shape
from rtl.engine.parts.columns import shape_of, value_layout
from rtl.engine.parts.time_windows import check_lengths, time_settings
from rtl.engine.streamzip.rates.key_load import KeyLoad, cached_of, check_positive, sorting_of
from rtl.engine.streamzip.rates.key_mix import KeyMix
from rtl.engine.streamzip.rates.line_counts import OUTSTANDING, split_blocks
from rtl.engine.streamzip.rings import Rings
from rtl.keyed.dram.lines import LINE_BITS
from rtl.keyed.windows.key_times import KeyTimes
from rtl.keyed.windows.time_kind import TimeKind

#: Greatest value of the option ``overlap``: RANGE is less than this number of SLIDEs.
MOST_OVERLAP = 1 << 20
#: Greatest width of a window's number, in bits.
NUMBER_BITS_MAX = 32


def overlap_of(window):
    """Returns the least power of two n, at least 2, such that RANGE is less than n SLIDEs."""
    return max(2, 1 << (window.size // window.slide).bit_length())


@dataclass(frozen=True)
class TimeWindowOptions:
    """Describes the parts of the engine for ``[PARTITION BY k RANGE r SLIDE s WATTR t]``.

    SLACK may follow. Each key has its own clock, so SLACK only decides where the first window
    begins if the host does not. The attributes and methods are those of
    :class:`~rtl.engine.streamzip.row_options.RowWindowOptions`.

    Attributes
    ----------
    options : rtl.engine.streamzip.options.Options
    """

    options: object

    latency_from = "tuple that closes a window that is not in DRAM"
    #: Default of the option; the query does not say how many tuples come in a time.
    window_max = 1024

    @staticmethod
    def too_wide(query):
        """Returns why two stored items do not fit into a line of memory, or None if they fit."""
        width = value_layout(query).size
        stamp = KeyTimes.stamp_bits_of(min(overlap_of(query.window), MOST_OVERLAP))
        if 2 * (width + stamp) > LINE_BITS:
            return (
                f"it aggregates {width} bits of a tuple, beside which the number of its slide has "
                f"{stamp}, and a line of memory must hold two with its {LINE_BITS}"
            )
        return None

    @property
    def window(self):
        """Window of the query."""
        return self.options.query.window

    @property
    def overlap(self):
        """Default of the option ``overlap``."""
        return min(overlap_of(self.window), MOST_OVERLAP)

    @property
    def item_bits(self):
        """Width of a stored item, in bits."""
        return value_layout(self.options.query).size + self.stamp_bits

    @property
    def stamp_bits(self):
        """Width of the stamp in a stored item, which is the number of its slide, in bits."""
        return KeyTimes.stamp_bits_of(self.options.overlap or self.overlap)

    def check(self):
        """Raises ValueError unless the engine has room for the query's windows."""
        check_lengths(self.options.query)
        built = self.options.resolved
        overlap = overlap_of(self.window)
        if overlap > MOST_OVERLAP:
            slides = self.window.size // self.window.slide
            raise ValueError(f"RANGE must be less than {MOST_OVERLAP} SLIDEs, not {slides}")
        if built.overlap < overlap:
            raise ValueError(
                f"overlap must be at least {overlap} for the query, not {built.overlap}"
            )

    @property
    def tuples(self):
        """Number of tuples of the largest window, which is a full ring."""
        return Rings(self.options).places

    @property
    def settings(self):
        """Host settings of the windows and the codec."""
        coded = self.options.coding.settings
        return (*time_settings(self.window, ("range", "slide")), *coded)

    @property
    def rule(self):
        """Function from the settings to a bit; the bit is high if the settings are refused."""
        return partial(KeyTimes.refused, self.times)

    @property
    def rules(self):
        """Rules of the settings for the host: a window has less than ``overlap`` slides."""
        overlap = self.options.resolved.overlap
        return (
            *TIME_RULES,
            Rule(
                smaller=("+", "range", 1),
                greater=("*", "slide", overlap),
                says=f"range must be below {overlap} slides, the overlap of this build",
            ),
        )

    @property
    def times(self):
        """Windows of one key; a time has at least as many bits as a stamp."""
        built = self.options.resolved
        type_ = self.window.attribute.type
        width = max(type_.width, KeyTimes.stamp_bits_of(built.overlap))
        return KeyTimes(
            time=hdl.Shape(width, type_.signed),
            overlap=built.overlap,
            places=Rings(built).places,
            items=built.line_values if built.coding.blocks is None else 1,
            marks=built.marks,
            number_bits=min(NUMBER_BITS_MAX, width + (not type_.signed)),
        )

    @property
    def built_window(self):
        """Window of the query with RANGE 1, SLIDE 1 and SLACK 0: the host sets the true numbers."""
        return replace(self.window, size=1, slide=1, slack=0)

    @property
    def columns(self):
        """Name of the column that each member of an arriving tuple holds, by the member's name."""
        return {"key": self.window.partition.name, "time": self.window.attribute.name}

    @property
    def window_kind(self):
        """Window kind of the plan."""
        return TimeKind(times=self.times)

    @property
    def stored_item(self):
        """Layout of a stored item: the aggregated values of a tuple, and the stamp of its slide."""
        return self.times.stamped(value_layout(self.options.query))

    def fields(self, keys):
        """Returns the fields of a row that name its window, by their names in the row's layout.

        The tuple that closes a window is at or after the window's end, so the end is a time of the
        column's type.
        """
        number = hdl.unsigned(keys.window.number_bits)
        end = shape_of(self.window.attribute.type)
        return {
            "window": RowField(name="window", shape=number, role=Role.WINDOW),
            "end": RowField(name="window_end", shape=end, role=Role.WINDOW_END),
        }

    def load(
        self,
        items,
        shape,
        *,
        range=None,
        slide=None,
        keys=None,
        ratio=1.0,
        steps=None,
        tuples_per_key=None,
    ):
        """Returns the load of windows of ``range`` every ``slide``, by default those of the query.

        Tuples come evenly spaced, from ``keys`` keys in turn. Without ``keys`` the tuples are as
        frequent as with one key, but no window needs the line that was written just before. If a
        window has n >= 1 tuples of a key, the key closes a window in each slide; if n is less than
        1, each tuple closes the windows that have only the tuple before. The head is at a mark, so
        a read begins 0 to ``spacing`` - 1 slides before the window: on average half of that. For
        instance with marks every 5 slides and 3 tuples in a slide a read has 6 tuples more than the
        window. ``ratio`` and ``steps`` are those of full blocks, and ``tuples_per_key`` is the
        number of tuples of a key so far, as for windows of rows; a slide has whole blocks.
        """
        check_positive(range=range, slide=slide, ratio=ratio)
        size, slide = (
            length or query_length
            for length, query_length in ((range, self.window.size), (slide, self.window.slide))
        )
        overlap = self.options.resolved.overlap
        if size >= overlap * slide:
            raise ValueError(f"range must be below {overlap} slides (overlap), not {size}")
        mix = KeyMix(count=self.options.entries if keys is None else keys)
        shape = shape or Shape()
        density = shape.tuples_per_time * shape.counted_share / (1 if keys is None else keys)
        spacing = size // slide // self.options.resolved.marks + 1
        tuples = min(max(1, density * size), self.tuples)
        pending_tuples = min(tuples + (spacing - 1) / 2 * slide * density, self.tuples)
        cache = self.options.coding.cache
        stored = pending_tuples / items
        cached = cached_of(size, slide, cache.keys, mix)
        load = KeyLoad(
            windows=size / slide / max(1, density * size),
            size=ceil(tuples),
            largest_size=self.tuples,
            stored_lines=stored,
            cached_lines=cache.lines_of(ceil(pending_tuples)) - 1,
            read=(1 - cached) * max(0, stored - (self.options.m2_lines - 1)),
            mix=mix,
            counted_share=shape.counted_share,
            cached=cached,
            sorting=sorting_of(cache, ceil(pending_tuples), cached),
            tuples_per_key=tuples_per_key,
        )
        if self.options.coding.ring is None:
            return load
        slides = size / slide
        values = min(density * slide, self.tuples / slides)
        return self._coded(load, slides, values, ratio, steps)

    def _coded(self, load, slides, values, ratio, steps):
        """Returns the load with a codec, for windows of ``slides`` slides of ``values`` values.

        A window from the cache reads no block. Any other window also reads the blocks of the slides
        whose feedback is pending, as in :func:`~rtl.engine.streamzip.rates.line_counts.blocks_of`.
        For instance with 100 values in a slide, and 40 in a full block, a slide has 3 blocks of 33
        values. A slide with less than one value on average has as many blocks as values.
        """
        coding = self.options.coding
        full = coding.values_per_block(ratio)
        blocks = ceil(values / full) if values > 1 else values
        values_per_block = max(1, values) / max(1, blocks)
        stored = max(0, blocks * slides - 1)
        cached = load.cached
        work = coding.work(ratio, steps)
        outstanding = OUTSTANDING * load.mix.mean(lambda share: share) * blocks
        read_blocks = max(stored, min(coding.blocks - 1, stored + outstanding))
        read, copied = split_blocks(read_blocks, self.options.m2_blocks)
        return replace(
            load,
            item_steps=0 if coding.ring.joined else 1,
            stored_lines=stored,
            read=(1 - cached) * read,
            copied=(1 - cached) * copied,
            block_values=values_per_block,
            work=work and work.of_share(values_per_block / full),
        )
