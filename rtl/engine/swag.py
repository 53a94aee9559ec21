"""The sliding-window engine: every aggregate and any percentile of the last ws tuples, every wa."""

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from operator import or_

from amaranth.hdl import Const, Mux
from amaranth.lib import data
from amaranth.utils import bits_for

from query.aggregate import Function
from query.window import Rows, Whole
from rtl.engine.grouped import GroupedParameters
from rtl.engine.operators import columns_of, float_sum
from rtl.engine.parameters import RunTime, integer, one_of, power_of_two, setting
from rtl.engine.swag_core import Swag
from rtl.network.plan import log2
from rtl.sort.merge_sorter import PASSES, MergeSorter
from rtl.sort.order import SortOrder
from rtl.window.replay import ReplayBuffer

#: A percentile set at run time is a number of these.
PARTS = 1 << 16


@dataclass(frozen=True, kw_only=True)
class Prediction:
    """What a design point does with windows of one size and slide.

    Attributes
    ----------
    tuples_per_cycle : float
        Input rate in the long run, while the output does not stall.
    latency : int
        Cycles from the first tuple in to the first row out.
    memory_bits : int
        Block RAM of the whole engine.
    """

    tuples_per_cycle: float
    latency: int
    memory_bits: int


@dataclass(frozen=True, kw_only=True)
class SwagParameters(GroupedParameters):
    """A design point of the sorting-based sliding-window engine (seed 003, section 3.2).

    ROWS and SLIDE of the query are no part of the hardware: the host writes them to registers, and
    may write others before any stream.

    Attributes
    ----------
    query : Query
        ``GROUP BY`` under a window of ``ROWS`` over the whole stream.
    lanes, results, scan, constants
        As for every :class:`~rtl.engine.grouped.GroupedParameters`.
    capacity : int
        k, tuples of a chunk, which is sorted on the fly.
    window_max : int
        Tuples of the largest window; 0 is replaced by ``min(capacity**2, 16384)``.
    passes : str
        "shared": one merge tree for chunks and for large windows, so half the rate above k.
        "pipelined": one for each.
    percentiles : str
        "compiled": p of ``percentile(x, p)`` as in the query. "run-time": each in a register.
    """

    engine = "swag"

    capacity: int = setting(
        128, "tuples that are sorted on the fly (k), a power of two from lanes", range=(4, 1024)
    )
    window_max: int = setting(
        0, "tuples of the largest window; 0: min(capacity**2, 16384)", range=(0, 1 << 20)
    )
    passes: str = setting(
        "shared", "merge trees: one for both passes of the sorter, or one for each", choices=PASSES
    )
    percentiles: str = setting(
        "compiled",
        "p of percentile(x, p): built in, or set at run time in units of 1/65536",
        choices=("compiled", "run-time"),
    )

    def __post_init__(self):
        super().__post_init__()
        power_of_two("capacity", self.capacity, 4, 1024)
        one_of("passes", self.passes, PASSES)
        one_of("percentiles", self.percentiles, ("compiled", "run-time"))
        if self.capacity < self.lanes:
            raise ValueError(f"capacity must be at least lanes, {self.lanes}, not {self.capacity}")
        integer("window_max", self.window_max, 0, self.capacity**2)
        if not self.window_max:
            object.__setattr__(self, "window_max", min(self.capacity**2, 16384))
        if self.window_max < self.lanes or self.window_max & (self.window_max - 1):
            raise ValueError(
                f"window_max must be {self.lanes} times a power of two, not {self.window_max}"
            )
        self._check_window()
        self._check_percentiles()

    def _check_window(self):
        window = self.query.window
        for name, value in (("ROWS", window.size), ("SLIDE", window.slide)):
            if value % self.lanes:
                raise ValueError(f"{name} must be a multiple of lanes, {self.lanes}, not {value}")
        if window.size > self.window_max:
            raise ValueError(
                f"ROWS must be at most window_max, {self.window_max}, not {window.size}"
            )

    def _check_percentiles(self):
        if self.percentiles != "run-time":
            return
        for item in self.query.items:
            aggregate = item.aggregate
            if aggregate.fraction is not None and (aggregate.fraction * PARTS).denominator != 1:
                raise ValueError(
                    f"{aggregate} must be a multiple of 1/{PARTS} to be set at run time, "
                    f"not {aggregate.fraction}"
                )
        if len(self.fractions) > 4:
            raise ValueError(
                "percentiles must be at most 4 different ones to be set at run time, "
                f"not {len(self.fractions)}"
            )

    @classmethod
    def refuses(cls, query):
        window = query.window
        if not isinstance(window, Rows):
            text = "no window" if isinstance(window, Whole) else f"the window {window}"
            return f"it has {text} where ROWS must be"
        if window.partition is not None:
            return f"it has the window {window}, and windows here are those of the whole stream"
        if query.group is None:
            return "it has no GROUP BY"
        if reason := float_sum(query):
            return reason
        if (count := len(cls._sorted_by(query))) > 1:
            return (
                f"it asks for distinct values or percentiles of {count} columns, and a window has "
                "one order"
            )
        return None

    @staticmethod
    def _sorted_by(query):
        return columns_of(query, Function.COUNT_DISTINCT, Function.PERCENTILE)

    @property
    def ordered(self):
        """Names of the columns that windows are sorted by within each group: none or one."""
        return self._sorted_by(self.query)

    @property
    def order(self):
        """What windows are sorted by."""
        names = (self.query.group.name, *self.ordered)
        return SortOrder(
            self.tuple_layout,
            names,
            [name for name in names if self.query.schema[name].type.floating],
            group=self.query.group.name,
            cardinality=self.count_width if self.fractions else 0,
        )

    @property
    def group_max(self):
        return self.window_max

    @property
    def count_width(self):
        """Bits of a count."""
        return bits_for(self.window_max)

    @property
    def fractions(self):
        """p of each percentile, each once, in the order of the query."""
        found = (item.aggregate.fraction for item in self.query.items)
        return tuple(dict.fromkeys(p for p in found if p is not None))

    @property
    def _names(self):
        """Names of the run-time percentiles."""
        count = len(self.fractions) if self.percentiles == "run-time" else 0
        return tuple(f"percentile{k}" for k in range(count))

    @property
    def targets(self):
        if not self._names:
            return self.fractions
        return ("percentile",) if self.results == "select" else self._names

    def hit_of(self, aggregate):
        one = self._names and self.results == "select"
        return 0 if one else self.fractions.index(aggregate.fraction)

    @property
    def run_time(self):
        width = bits_for(self.window_max + 1)
        size = RunTime(name="size", width=width, doc="tuples of a window (ws)")
        slide = RunTime(name="slide", width=width, doc="tuples from one window to the next (wa)")
        percentiles = map(self._percentile, self._names, self.fractions)
        return (size, slide, *percentiles, *self.constant_numbers)

    @staticmethod
    def _percentile(name, fraction):
        return RunTime(
            name=name,
            width=bits_for(PARTS),
            doc=f"p of a percentile in units of 1/{PARTS}, from 1 to {PARTS}; the query's is "
            f"{fraction * PARTS}",
        )

    @property
    def run_time_values(self):
        window = {"size": self.query.window.size, "slide": self.query.window.slide}
        parts = {name: int(p * PARTS) for name, p in zip(self._names, self.fractions, strict=False)}
        return window | parts | self.constant_values

    def refused(self, settings):
        bad = [self._refused_rows(settings[name]) for name in ("size", "slide")]
        bad += [(settings[name] == 0) | (settings[name] > PARTS) for name in self._names]
        bad += [self.unfit_constants(settings)]
        return reduce(or_, bad)

    def _refused_rows(self, tuples):
        uneven = tuples[: log2(self.lanes)].any()
        return (tuples == 0) | uneven | (tuples > self.window_max)

    @property
    def context_layout(self):
        """What is left of the settings behind the sorter; of many percentiles only the chosen."""
        function = {"function": self.operator.context} if self.functions else {}
        chosen = [name for name in self.targets if not isinstance(name, Fraction)]
        return data.StructLayout(function | dict.fromkeys(chosen, bits_for(PARTS)))

    def context_of(self, settings):
        """A mapping of the members of :attr:`context_layout` out of a stream's settings."""
        context = {
            name: settings[name] for name in self.context_layout.members if name != "percentile"
        }
        if "percentile" in self.context_layout.members:
            chosen = Const(PARTS)
            for k, item in enumerate(self.query.items):
                if item.aggregate.fraction is not None:
                    name = self._names[self.fractions.index(item.aggregate.fraction)]
                    chosen = Mux(settings["function"] == k, settings[name], chosen)
            context["percentile"] = chosen
        return context

    @property
    def dropped(self):
        return (*super().dropped, "overrun")

    @property
    def asked(self):
        """The query without what is set at run time."""
        items = [self._without_fraction(item) if self._names else item for item in self.query.items]
        return str(replace(self.query, window=Whole(), items=tuple(items), where=self.asked_where))

    def _without_fraction(self, item):
        aggregate = item.aggregate
        if aggregate.fraction is None:
            return item
        name = self._names[self.fractions.index(aggregate.fraction)]
        text = f"percentile({aggregate.column.name}, {name})"
        named = text if item.name == str(aggregate) else item.name
        return replace(item, aggregate=replace(aggregate, text=text, fraction=None), name=named)

    def windows(self, tuples):
        size, slide = self.query.window.size, self.query.window.slide
        return max(0, (tuples - size) // slide + 1)

    def predict(self, size=None, slide=None):
        """What to expect with windows of ``size`` every ``slide``; without, those of the query."""
        size = self.query.window.size if size is None else size
        slide = self.query.window.slide if slide is None else slide
        halves = 2 if self.passes == "shared" and size > self.capacity else 1
        return Prediction(
            tuples_per_cycle=self.lanes * slide / size / halves,
            latency=self._latency(size),
            memory_bits=self.memory_bits,
        )

    def _latency(self, size):
        """Cycles from the first tuple in to the first row out, with no stall.

        The parts: the selection; the guard; the replay buffer; the sorter, from a window's first
        beat to its first; a queue; and the aggregation. Rows come in whole beats: so when the first
        P groups have more than a tuple each, it is their tuples over P later.
        """
        parts = (self.selection_latency, 1, self.replay.latency, self.sorter.latency_of(size), 1)
        return sum(parts) + self.aggregation_latency

    @property
    def predicted_tuples_per_cycle(self):
        return self.predict().tuples_per_cycle

    @property
    def latency(self):
        return self.predict().latency

    @property
    def memory_bits(self):
        """Bits of block RAM: the replay buffer's and the sorter's."""
        return self.replay.memory_bits + self.sorter.memory_bits

    @property
    def replay(self):
        """The buffer that makes windows of a stream."""
        return ReplayBuffer(self.tuple_layout, self.lanes, self.window_max)

    @property
    def sorter(self):
        """The sorter of windows."""
        return MergeSorter(
            self.order, self.lanes, self.capacity, self.window_max, passes=self.passes
        )

    def create(self):
        return Swag(self)
