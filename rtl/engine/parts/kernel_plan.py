"""The plan of the kernels, :class:`~rtl.engine.parts.kernels.Kernels`."""

from dataclasses import dataclass, field

from amaranth.hdl import ShapeLike
from amaranth.lib import data

from rtl.aggregate.count_distinct import CountDistinct
from rtl.aggregate.float_sum import FloatSum
from rtl.aggregate.operator import Operator, Product
from rtl.aggregate.percentile import Percentile
from rtl.aggregate.picked import Picked
from rtl.aggregate.select import Select
from rtl.engine.parts.results import Results
from rtl.network.reduction import Reduction
from rtl.network.tree_sum import TreeSum
from rtl.sort.ranked import Ranked
from rtl.stream.line import line
from rtl.stream.queue import StreamQueue


@dataclass(frozen=True, kw_only=True)
class KernelPlan:
    """What windows are aggregated to, ``lanes`` values per cycle.

    Attributes
    ----------
    row : data.StructLayout
        A tuple: the aggregated columns.
    lanes : int
        Values of a line, a power of two.
    results : Results
        The ``hit`` of a percentile is an index into ``targets``. Neither ``count(distinct x)`` nor
        percentiles of two columns are possible.
    window_max : int
        Values of the largest window; with percentiles the lanes times a power of two.
    targets : tuple of Fraction or str
        What percentiles ask for, see :class:`~rtl.sort.ranked.Ranked`; none without percentiles.
    context : data.StructLayout
        What steers the aggregation of a window: ``function``, if there is one, and the percentiles
        that are set at run time.
    passenger : ShapeLike
        What goes along with each window.
    capacity : int
        k of the sorter, see :class:`~rtl.sort.merge_sorter.MergeSorter`.
    passes : str
        The sorter's: "shared" or "pipelined".
    lines : int
        Of the largest window; where floating-point numbers are added, that decides latencies.
    """

    row: data.StructLayout
    lanes: int
    results: Results
    window_max: int
    targets: tuple = ()
    context: data.StructLayout = field(default_factory=lambda: data.StructLayout({}))
    passenger: ShapeLike = 0
    capacity: int = 64
    passes: str = "shared"
    lines: int = 0

    def __post_init__(self):
        if self.sums and (self.results.select or self.lines < 1):
            raise ValueError(
                "lines must be at least 1, and results not selected, for sums of floating-point "
                f"numbers, not {self.lines}"
            )
        distinct = [o for o in self.results.operators if isinstance(o, CountDistinct)]
        if distinct:
            raise ValueError("results must be without count(distinct x), which needs sorted tuples")
        columns = {operator.column for operator in self.percentiles.values()}
        if len(columns) > 1:
            names = ", ".join(sorted(columns))
            raise ValueError(f"percentiles must be of one column, not of {names}")
        if bool(self.targets) != bool(self.percentiles):
            raise ValueError(f"targets must be those of the percentiles, not {self.targets}")

    @property
    def percentiles(self):
        """The operators of the results that are percentiles, by index of the item."""
        operators = enumerate(self.results.operators)
        return {k: operator for k, operator in operators if isinstance(operator, Percentile)}

    @property
    def column(self):
        """The column of the percentiles, and whether it is floating."""
        k, operator = next(iter(self.percentiles.items()))
        return operator.column, self.results.items[k].aggregate.column.type.floating

    @property
    def sums(self):
        """The operators of the results that add floats, by index of the item."""
        operators = enumerate(self.results.operators)
        return {k: operator for k, operator in operators if isinstance(operator, FloatSum)}

    @property
    def operator(self):
        """That which gives the results out of states: all items, in order."""
        return self.results.operator

    @property
    def reduced(self) -> Operator | None:
        """The operator of what is reduced: all but percentiles and sums of floats; or None."""
        operators, elsewhere = self.results.operators, self.percentiles | self.sums
        beside = {k: o.beside for k, o in self.sums.items() if o.beside is not None}
        if len(elsewhere) == len(operators) and not beside:
            return None
        if self.results.select:
            choices = [
                Picked(o.column, o.shape, o.hit) if k in self.percentiles else o
                for k, o in enumerate(operators)
            ]
            return Product(r0=Select(choices))
        rest = {k: o for k, o in enumerate(operators) if k not in elsewhere} | beside
        return Product(**{f"r{k}": o for k, o in rest.items()})

    @property
    def line(self):
        """Layout of a line: with a ``bound`` for percentiles, a ``number`` for sums of floats."""
        return line(
            self.row,
            self.lanes,
            context=self.context.size,
            passenger=self.passenger,
            window_max=self.window_max if self.percentiles else 0,
            lines=self.lines if self.sums else 0,
        )

    @property
    def given(self):
        """Layout of what each window gives: ``results`` (r0, r1, ...) and the ``passenger``."""
        return data.StructLayout({"results": self.operator.result, "passenger": self.passenger})

    @property
    def sizes(self):
        """Those of the sorter, by keyword, beside ``passes``."""
        names = ("lanes", "capacity", "window_max")
        return {name: getattr(self, name) for name in names}

    @property
    def windows(self):
        """Windows that may be inside of the slowest part; 0 if the reduction is the only one."""
        inside = [0]
        if self.percentiles:
            inside.append(Ranked.windows_of(**self.sizes))
        if self.sums:
            sums = TreeSum.latency_of(self.lanes, self.lines)
            inside.append(sums + StreamQueue.latency + 1)
        return max(inside)

    def latency_of(self, values, lines=None):
        """Cycles from the first line of a window of so many values and lines to its results.

        When nothing stalls, no other window is in the way, and the lines come without a gap;
        without ``lines`` they are as few as can be. With percentiles as for
        :meth:`Ranked.latency_of <rtl.sort.ranked.Ranked.latency_of>`.
        """
        lines = lines or -(-values // self.lanes)
        sources = []
        if self.reduced is not None:
            waiting = StreamQueue.latency if self.percentiles or self.sums else 0
            sources.append(lines - 1 + Reduction.latency_of(self.lanes) + waiting)
        if self.sums:
            waiting = StreamQueue.latency if self.percentiles else 0
            sources.append(lines - 1 + TreeSum.latency_of(self.lanes, self.lines) + waiting)
        if self.percentiles:
            sources.append(Ranked.latency_of(values, lines=lines, **self.sizes))
        return max(sources) + self.results.divider_latency

    def interval_of(self, values, lines=None):
        """Cycles from one window of so many values and lines to the next, in the long run.

        A cycle for each line; with percentiles, what the sorter needs if that is more, as long as
        windows do not change in their number of beats.
        """
        lines = lines or -(-values // self.lanes)
        if not self.percentiles:
            return lines
        return Ranked.interval_of(values, lines=lines, **self.sizes, passes=self.passes)

    @property
    def memory_bits(self):
        """Bits of block RAM: those of the sorter."""
        if not self.percentiles:
            return 0
        shape = self.row[self.column[0]].shape
        return Ranked.memory_bits_of(
            shape, capacity=self.capacity, window_max=self.window_max, passes=self.passes
        )
