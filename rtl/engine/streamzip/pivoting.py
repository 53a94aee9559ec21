"""Describes how the engine finds percentiles: by a sorter, or by pivots of each key."""

from dataclasses import dataclass

from amaranth.hdl import Shape
from amaranth.utils import ceil_log2

from query.window import Range
from rtl.aggregate.neighbours import Neighbours
from rtl.aggregate.operator import pivot_member
from rtl.contract.options import option
from rtl.engine.parts.columns import shape_of
from rtl.engine.parts.percentiles import fractions_of
from rtl.engine.streamzip.rates.pass_times import pass_cycles, usual_passes
from rtl.keyed.cache.sorted_plan import SortedPlan
from rtl.keyed.codec.codecs import CODEC_ENTRIES
from rtl.keyed.pivot.pivot_plan import PivotPlan
from rtl.keyed.store.lines.line_values import usual_values
from rtl.sort.ranked import Ranked

#: Ways to find a percentile.
SORTER = "sorter"
PIVOT = "pivot"
#: Greatest default of the option ``neighbours``.
USUAL_NEIGHBOURS = 4
#: Default of the option ``neighbours`` with RANGE.
RANGE_NEIGHBOURS = 2
#: Least default with serial decoders. A key may have K / SLIDE windows under way. With 2 neighbours
#: and a SLIDE of 1 these are two, so a window need not wait for the slow decoding of another.
SERIAL_NEIGHBOURS = 2
# The following three numbers serve the default of ``percentiles``.
#: About the cycles from the last line of a pass to the first line of the window's next pass.
NEXT_PASS = 20
#: Windows that are searched together, for instance with 64 equally frequent keys.
SEARCHED_TOGETHER = 10
#: Lines that a codec is expected to store in a block.
LINES_OF_BLOCK = 2


def percentiles_option():
    """Returns the option ``percentiles``: how the engine finds them."""
    return option(
        "how median and percentile are found: by a sorter, or in passes with a pivot, the answer "
        "of the key's window before",
        choices=(SORTER, PIVOT),
        absent=f"{PIVOT} with cached_keys, or a codec whose decoders are serial; with ROWS the "
        f"one that is predicted to take fewer cycles for a window; with RANGE {SORTER}",
        needs=("a percentile in the query", lambda options: bool(options.coding.ranked_columns)),
    )


def neighbours_option():
    """Returns the option ``neighbours``: K, the values that a pass keeps beside a pivot."""
    return option(
        "with percentiles=pivot: values on each side of the pivot that a pass keeps (K), a power "
        "of two; one pass suffices if SLIDE is not greater",
        unit="values",
        range=(1, 16),
        power_of_two=True,
        absent=f"as SLIDE, at most {USUAL_NEIGHBOURS}, and at least {SERIAL_NEIGHBOURS} with a "
        f"codec whose decoders are serial; with RANGE {RANGE_NEIGHBOURS}",
        needs=(
            f"percentiles={PIVOT}, and a percentile in the query",
            lambda options: options.pivoting.used,
        ),
    )


@dataclass(frozen=True)
class Pivoting:
    """Describes the search for the percentiles of a query by pivots.

    A *pivot* is a guess of a percentile, at first the answer of the key's previous window. A pass
    finds the percentile if the percentile is among the K nearest values on either side of the
    pivot; otherwise another pass with a better pivot follows.

    Attributes
    ----------
    options : rtl.engine.streamzip.options.Options
    """

    options: object

    @property
    def default_percentiles(self):
        """Default of the option ``percentiles``.

        Serial decoders and a cache need pivots. For windows of rows the default is the way that
        takes fewer cycles for a window. For windows of time it is the sorter, because the number of
        their tuples is unknown.

        For instance ROWS 256, with 8 values in a line, no codec, and the defaults of ``capacity``
        and ``passes``: the sorter takes 89 cycles. A pass takes 33 cycles, and with SLIDE 4 one
        pass suffices, so the default is pivots. With SLIDE 64 about 3.4 passes take 112 cycles, so
        the default is the sorter.
        """
        if self._is_serial or self.options.cached_keys:
            return PIVOT
        is_of_time = isinstance(self.options.query.window, Range)
        if is_of_time or not self.options.coding.ranked_columns:
            return SORTER
        return PIVOT if self._pivot_cycles < self._sorter_cycles else SORTER

    @property
    def _sorter_cycles(self):
        """Cycles of the sorter for a window of the query's ROWS.

        The sorter is assumed to have room for a line and for the window; options without this room
        are refused later.
        """
        options = self.options
        size = self.options.query.window.size
        lanes = self._line_values
        return Ranked.interval_of(
            size,
            lanes=lanes,
            lines=-(-size // lanes) + 1,
            capacity=max(options.capacity, lanes),
            window_max=max(options.window_max or 1, 1 << ceil_log2(size)),
            passes=options.passes,
        )

    @property
    def _pivot_cycles(self):
        """Cycles of the passes of a window of the query's ROWS."""
        window = self.options.query.window
        neighbours = self.options.neighbours
        values = self._line_values * (1 if self.options.codec == "none" else LINES_OF_BLOCK)
        lines = -(-window.size // values) + 1
        passes = usual_passes(window.slide, neighbours or self.default_neighbours)
        return pass_cycles(lines, passes, NEXT_PASS, SEARCHED_TOGETHER)

    @property
    def _line_values(self):
        """Number of values in a line, with its default."""
        return self.options.line_values or usual_values(self.options.kind.item_bits)

    @property
    def default_neighbours(self):
        """Default of the option ``neighbours``."""
        window = self.options.query.window
        if isinstance(window, Range):
            return RANGE_NEIGHBOURS
        least = SERIAL_NEIGHBOURS if self._is_serial else 1
        return min(USUAL_NEIGHBOURS, max(least, 1 << ceil_log2(max(1, window.slide))))

    @property
    def _is_serial(self):
        """True if the codec's decoders take several steps for a block."""
        entry = CODEC_ENTRIES.get(self.options.codec)
        return entry is not None and entry.serial

    @property
    def used(self):
        """True if the query has percentiles, and pivots find them."""
        has_percentiles = bool(self.options.coding.ranked_columns)
        return has_percentiles and self.options.resolved.percentiles == PIVOT

    @property
    def operators(self):
        """Operator of each percentile, by the index of its item; empty without pivots.

        The different fractions of the query are numbered from 0, and fraction n has pivot n.
        For instance ``median(x), percentile(x, 0.75)`` have the pivots 0 and 1.
        """
        if not self.used:
            return {}
        built = self.options.resolved
        fractions = fractions_of(self.options.query)
        aggregates = [item.aggregate for item in self.options.query.items]
        return {
            k: Neighbours(
                aggregate.column.name,
                shape_of(aggregate.column.type),
                tuples=self.options.kind.tuples,
                neighbours=built.neighbours,
                pivot=pivot_member(fractions.index(aggregate.fraction)),
                floating=aggregate.column.type.floating,
            )
            for k, aggregate in enumerate(aggregates)
            if aggregate.fraction is not None
        }

    @property
    def sorting(self):
        """SortedPlan, by which windows from the cache find percentiles; None without pivots."""
        if not self.used:
            return None
        return SortedPlan(operators=self.operators, fractions=fractions_of(self.options.query))

    def plan(self, lines):
        """Returns the PivotPlan for windows of up to ``lines`` lines; None if unused."""
        if not self.used:
            return None
        operator = next(iter(self.operators.values()))
        return PivotPlan(
            width=Shape.cast(operator.shape).width,
            fractions=fractions_of(self.options.query),
            neighbours=self.options.resolved.neighbours,
            entries=self.options.entries,
            lines=lines,
        )
