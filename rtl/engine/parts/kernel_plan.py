"""The plan of the component :class:`~rtl.engine.parts.kernels.Kernels`."""

from dataclasses import dataclass, field

from amaranth.hdl import ShapeLike
from amaranth.lib import data

from rtl.aggregate.count_distinct import CountDistinct
from rtl.aggregate.float_sum import FloatSum
from rtl.aggregate.operator import Operator, Product
from rtl.aggregate.percentile import Percentile
from rtl.aggregate.picked import Picked
from rtl.aggregate.select import Select
from rtl.engine.parts.float_sums import BlockSums, LineSums
from rtl.engine.parts.pivot_kernels import PivotKernels
from rtl.engine.parts.results import Results
from rtl.keyed.pivot.pivot_answers import PivotAnswers
from rtl.network.nodes import NodePlan
from rtl.network.reduction import Reduction
from rtl.sort.ranked import Ranked
from rtl.stream.line import line
from rtl.stream.queue import StreamQueue


@dataclass(frozen=True, kw_only=True)
class KernelPlan:
    """Describes the aggregation of windows, ``lanes`` values per cycle.

    Attributes
    ----------
    row : data.StructLayout
        A tuple: the aggregated columns.
    lanes : int
        Number of values in a line, a power of two.
    results : Results
        The ``hit`` of a percentile is an index into ``targets``. Neither ``count(distinct x)`` nor
        percentiles of two columns are possible.
    window_max : int
        Number of values in the largest window; with percentiles the lanes times a power of two.
    targets : tuple of Fraction or str
        Targets of the percentiles, see :class:`~rtl.sort.ranked.Ranked`; empty without.
    context : data.StructLayout
        Settings that steer the aggregation of a window: ``function``, if the row has one selected
        result, and the percentiles that are set at run time.
    passenger : ShapeLike
        Data that accompany each window from the input to the output.
    capacity : int
        k of the sorter, see :class:`~rtl.sort.merge_sorter.MergeSorter`.
    passes : str
        Passes of the sorter: "shared" or "pipelined".
    lines : int
        Number of lines in the largest window; determines the latency of floating-point sums.
    nodes : NodePlan or None
        Sums of floating point whose values come as the nodes of blocks, one block in each line;
        None if they come as values.
    pivots : PivotKernels or None
        Search for the percentiles by pivots; None if a sorter ranks the values.
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
    nodes: NodePlan | None = None
    pivots: PivotKernels | None = None

    def __post_init__(self):
        if self.float_sums and (self.results.select or self.lines < 1):
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
        if self.pivots is not None and self.results.select:
            raise ValueError("results must not be selected with pivots")
        if bool(self.targets) != bool(self.percentiles):
            raise ValueError(f"targets must be those of the percentiles, not {self.targets}")

    @property
    def percentiles(self):
        """Operators of the percentiles, by index of their item."""
        operators = enumerate(self.results.operators)
        return {k: operator for k, operator in operators if isinstance(operator, Percentile)}

    @property
    def ranked(self):
        """True if a sorter ranks the values of windows."""
        return bool(self.percentiles) and self.pivots is None

    @property
    def column(self):
        """The column of the percentiles, and True if the column is floating."""
        k, operator = next(iter(self.percentiles.items()))
        return operator.column, self.results.items[k].aggregate.column.type.floating

    @property
    def float_sums(self):
        """Operators that add floating-point numbers, by index of their item."""
        operators = enumerate(self.results.operators)
        return {k: operator for k, operator in operators if isinstance(operator, FloatSum)}

    @property
    def summing(self):
        """How sums of floats are added: :class:`LineSums` or :class:`BlockSums`."""
        if self.nodes is not None:
            return BlockSums(nodes=self.nodes)
        return LineSums(lanes=self.lanes, lines=self.lines)

    @property
    def reduced_operator(self) -> Operator | None:
        """The operator of the reduction; None if the plan has no reduction.

        The reduction computes all items but percentiles and sums of floats, the counts for averages
        of floats, and with pivots the operator of each percentile. If results are selected, it
        computes the selected item, and of a percentile the state of no tuple.
        """
        operators = self.results.operators
        separate = self.float_sums | (self.percentiles if self.ranked else {})
        counts = {k: o.beside for k, o in self.float_sums.items() if o.beside is not None}
        if len(separate) == len(operators) and not counts:
            return None
        if self.results.select:
            choices = [
                Picked(o.column, o.shape, o.hit) if k in self.percentiles else o
                for k, o in enumerate(operators)
            ]
            return Product(r0=Select(choices))
        reduced = {k: o for k, o in enumerate(operators) if k not in separate} | counts
        reduced |= self.pivots.operators if self.pivots is not None else {}
        return Product(**{f"r{k}": o for k, o in reduced.items()})

    @property
    def line(self):
        """Layout of a line: with a ``bound`` for a sorter, a ``number`` for sums of floats, and
        ``pivots``."""
        layout = line(
            self.row,
            self.lanes,
            context=self.context.size,
            passenger=self.passenger,
            window_max=self.window_max if self.ranked else 0,
            lines=self.summing.numbers if self.float_sums else 0,
        )
        return layout if self.pivots is None else self.pivots.line(layout)

    @property
    def sorter_sizes(self):
        """Keyword arguments of the sorter, except ``passes``."""
        names = ("lanes", "capacity", "window_max")
        return {name: getattr(self, name) for name in names}

    @property
    def queued_windows(self):
        """Largest number of windows in the slowest part; 0 if the reduction is the only part."""
        window_counts = [0]
        if self.ranked:
            window_counts.append(Ranked.windows_of(**self.sorter_sizes))
        if self.float_sums:
            window_counts.append(self.summing.latency + StreamQueue.latency + 1)
        return max(window_counts)

    def latency_of(self, values, lines=None):
        """Returns the latency from the first line of a window to its results, in cycles.

        The window has ``values`` values in ``lines`` lines; without ``lines``, in as few lines as
        possible. The latency holds if nothing stalls, no other window is in the way, and the lines
        arrive without a gap. For percentiles see
        :meth:`Ranked.latency_of <rtl.sort.ranked.Ranked.latency_of>`.
        """
        lines = lines or -(-values // self.lanes)
        part_latencies = []
        if self.reduced_operator is not None:
            queue_latency = StreamQueue.latency if self.ranked or self.float_sums else 0
            queue_latency += PivotAnswers.latency if self.pivots is not None else 0
            part_latencies.append(lines - 1 + Reduction.latency_of(self.lanes) + queue_latency)
        if self.float_sums:
            queue_latency = StreamQueue.latency if self.ranked else 0
            part_latencies.append(lines - 1 + self.summing.latency + queue_latency)
        if self.ranked:
            part_latencies.append(Ranked.latency_of(values, lines=lines, **self.sorter_sizes))
        return max(part_latencies) + self.results.divider_latency

    def interval_of(self, values, lines=None):
        """Returns the cycles from one window of ``values`` values in ``lines`` lines to the next.

        The interval is an average over many windows: a cycle for each line, or with percentiles the
        interval of the sorter if it is longer, as long as all windows have equally many beats.
        """
        lines = lines or -(-values // self.lanes)
        if not self.ranked:
            return lines
        return Ranked.interval_of(values, lines=lines, **self.sorter_sizes, passes=self.passes)

    @property
    def memory_bits(self):
        """Bits of block RAM in the sorter; 0 without a sorter."""
        if not self.ranked:
            return 0
        shape = self.row[self.column[0]].shape
        return Ranked.memory_bits_of(
            shape, capacity=self.capacity, window_max=self.window_max, passes=self.passes
        )
