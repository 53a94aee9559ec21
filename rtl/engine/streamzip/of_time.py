"""Windows of time of each key: what of the engine is theirs alone, described."""

from dataclasses import dataclass, replace
from functools import partial
from math import ceil

from amaranth import hdl

from rtl.contract.rows import Role, RowField
from rtl.contract.rules import TIME_RULES, Rule
from rtl.contract.shape import Shape
from rtl.engine.parts.columns import shape_of, value_layout
from rtl.engine.parts.time_windows import check_lengths, time_settings
from rtl.engine.streamzip.key_mix import KeyMix
from rtl.engine.streamzip.line_counts import OUTSTANDING
from rtl.engine.streamzip.rates import KeyLoad
from rtl.engine.streamzip.rings import Rings
from rtl.keyed.dram.lines import LINE_BITS
from rtl.keyed.windows.key_times import KeyTimes
from rtl.keyed.windows.time_kind import TimeKind

#: Windows that a time lies in.
MOST_OVERLAP = 1 << 20
#: Bits of a window's number, as far as times have so many.
NUMBERS = 32


def overlap_of(window):
    """The least power of two, at least 2, such that RANGE is less than so many SLIDEs."""
    return max(2, 1 << (window.size // window.slide).bit_length())


@dataclass(frozen=True)
class OfTime:
    """``[PARTITION BY k RANGE r SLIDE s WATTR t]``.

    SLACK may stand behind it: as each key has its own clock, it says no more than where the first
    window begins when nobody else does. See :class:`~rtl.engine.streamzip.of_rows.OfRows`.

    Attributes
    ----------
    options : rtl.engine.streamzip.options.Options
    """

    options: object

    latency_from = "tuple that closes a window that is not in DRAM"
    #: The option, when it was not given: how many tuples come in a time the query does not say.
    window_max = 1024

    @staticmethod
    def too_wide(query):
        """Why no line holds what is kept of two tuples; None when one does."""
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
        """The query's."""
        return self.options.query.window

    @property
    def overlap(self):
        """The option, when it was not given."""
        return min(overlap_of(self.window), MOST_OVERLAP)

    @property
    def item_bits(self):
        """Of what is kept of a tuple."""
        return value_layout(self.options.query).size + self.stamp_bits

    @property
    def stamp_bits(self):
        """Of the number of a slide beside it."""
        return KeyTimes.stamp_bits_of(self.options.overlap or self.overlap)

    def check(self):
        """Raises ValueError unless the engine has room for the query's windows."""
        check_lengths(self.options.query)
        built, least = self.options.resolved, overlap_of(self.window)
        if least > MOST_OVERLAP:
            slides = self.window.size // self.window.slide
            raise ValueError(f"RANGE must be less than {MOST_OVERLAP} SLIDEs, not {slides}")
        if built.overlap < least:
            raise ValueError(f"overlap must be at least {least} for the query, not {built.overlap}")

    @property
    def tuples(self):
        """Of the largest window: a ring that is full."""
        return Rings(self.options).places

    @property
    def settings(self):
        """What the host sets of the windows."""
        coded = self.options.coding.settings
        return (*time_settings(self.window, ("range", "slide")), *coded)

    @property
    def rule(self):
        """Refuses lengths that do not go together."""
        return partial(KeyTimes.refused, self.times)

    @property
    def rules(self):
        """The same for a host: a window has less than ``overlap`` slides."""
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
        """The windows of one key; a time has at least as many bits as a stamp."""
        built, type_ = self.options.resolved, self.window.attribute.type
        width = max(type_.width, KeyTimes.stamp_bits_of(built.overlap))
        return KeyTimes(
            time=hdl.Shape(width, type_.signed),
            overlap=built.overlap,
            places=Rings(built).places,
            items=built.line_values if built.coding.blocks is None else 1,
            marks=built.marks,
            numbers=min(NUMBERS, width + (not type_.signed)),
        )

    @property
    def asked(self):
        """The window without what is set at run time."""
        return replace(self.window, size=1, slide=1, slack=0)

    @property
    def columns(self):
        """Of each member of an arriving tuple, but its item, the name of the column."""
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
        """What a row says of its window: the fields, by their names in the row's layout.

        The tuple that closes a window is at or behind its end, so that is a time of the column.
        """
        number, end = hdl.unsigned(keys.window.numbers), shape_of(self.window.attribute.type)
        return {
            "window": RowField(name="window", shape=number, role=Role.WINDOW),
            "end": RowField(name="window_end", shape=end, role=Role.WINDOW_END),
        }

    def load(self, items, shape, *, range=None, slide=None, keys=None, ratio=1.0, steps=None):
        """What to expect of windows of ``range`` every ``slide``; without, those of the query.

        Tuples come in turn from so many ``keys``, evenly spaced; without, as often as if there were
        one, but none needs what was written just before. With n of a key in a window, it closes a
        window in each slide; where n is less than 1, with each tuple those that have only the one
        before. From the head on there are, on average, half the tuples between two marks more than
        those of the window. ``ratio`` and ``steps`` are, as with windows of rows, those of blocks
        that are full; a slide has whole blocks.
        """
        size, slide = (
            given or asked
            for given, asked in ((range, self.window.size), (slide, self.window.slide))
        )
        shape = shape or Shape()
        density = shape.tuples_per_time * shape.counted_share / (1 if keys is None else keys)
        spacing = size // slide // self.options.resolved.marks + 1
        tuples = min(max(1, density * size), self.tuples)
        behind = min(tuples + (spacing - 1) / 2 * slide * density, self.tuples)
        mix = KeyMix(count=self.options.entries if keys is None else keys)
        load = KeyLoad(
            windows=size / slide / max(1, density * size),
            size=ceil(tuples),
            most=self.tuples,
            lines=behind / items,
            read=max(0, behind / items - (self.options.m2_lines - 1)),
            mix=mix,
            kept=shape.counted_share,
        )
        if self.options.coding.ring is None:
            return load
        return self._coded(load, size / slide, density * slide, ratio, steps)

    def _coded(self, load, slides, values, ratio, steps):
        """The same with a codec, for windows of so many ``slides`` with so many ``values`` each.

        For instance 100 values in a slide, and 40 in a block that is full: 3 blocks, of 33 each. A
        slide of less than one value has a block as often as a value.
        """
        coding = self.options.coding
        full = coding.held(ratio)
        blocks = ceil(values / full) if values > 1 else values
        held = max(1, values) / max(1, blocks)
        lines = max(0, blocks * slides - 1)
        steps = coding.steps(ratio, steps)
        return replace(
            load,
            own=1,
            lines=lines,
            read=lines + OUTSTANDING * load.mix.mean(lambda share: share) * blocks,
            held=held,
            steps=steps and max(1, steps * held / full),
        )
