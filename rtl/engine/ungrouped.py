"""What the parameter classes share of the engines that give one row for each window."""

from abc import abstractmethod
from dataclasses import dataclass

from amaranth.hdl import Shape
from amaranth.lib import data

from query.query import Query
from query.window import Whole
from rtl.aggregate.division import Divider
from rtl.aggregate.operator import Product
from rtl.engine.operators import float_sum, operator_of, sorted_order
from rtl.engine.parameters import Parameters, constants_setting, row_layout


@dataclass(frozen=True, kw_only=True)
class UngroupedParameters(Parameters):
    """A design point of an engine that takes one tuple per cycle, and gives a row for each window.

    Attributes
    ----------
    query : Query
        Without a group.
    constants : str
        "compiled": those of WHERE as in the query. "run-time": each in a register.
    """

    query: Query
    constants: str = constants_setting()

    #: Tuples per cycle.
    lanes = 1

    #: Gaps do no harm where there is one lane.
    gaps = True

    def __post_init__(self):
        self.check_constants()
        if reason := self.refuses(self.query):
            raise ValueError(f"query must be one that {self.engine} can run: {reason}")

    @classmethod
    def refuses(cls, query):
        window = query.window
        if not isinstance(window, cls.window_type):
            text = "no window" if isinstance(window, Whole) else f"the window {window}"
            return f"it has {text} where {cls.window_type.__name__.upper()} must be"
        if window.partition is not None:
            return f"it has the window {window}, and windows here are those of the whole stream"
        if query.group is not None:
            return "it has GROUP BY"
        return float_sum(query) or sorted_order(query)

    @property
    @abstractmethod
    def tuples_max(self):
        """Tuples of the largest window that is counted right."""

    #: From one of the query's aggregates and the most tuples of a window to its operator.
    operator_for = staticmethod(operator_of)

    @property
    def operator(self):
        """All of the query's aggregates as one operator; its parts are named r0, r1, ..."""
        items = enumerate(self.query.items)
        return Product(
            **{f"r{k}": self.operator_for(item.aggregate, self.tuples_max) for k, item in items}
        )

    @property
    def value_layout(self):
        """Layout of what is left of a tuple behind the selection: the aggregated columns."""
        asked = {i.aggregate.column.name for i in self.query.items if i.aggregate.column}
        return row_layout([column for column in self.query.columns if column.name in asked])

    #: Width of the time at which a window ends; 0 when rows have none.
    end_width = 0

    @property
    def row_layout(self):
        """Layout of a row: ``end``, when there is one, and ``results``: r0, r1, ..."""
        end = {"end": Shape(self.end_width, signed=True)} if self.end_width else {}
        return data.StructLayout(end | {"results": self.operator.result})

    @property
    def row_fields(self):
        """(name, shape) of each field of a row on the bus.

        First ``window_end``, if windows have one, then the results, each with a field
        ``valid(name)`` before it if it can be NULL.
        """
        fields = [("window_end", Shape(self.end_width, signed=True))] if self.end_width else []
        for item, part in zip(self.query.items, self.operator.parts.values(), strict=True):
            if isinstance(part.result, data.StructLayout):
                fields.append((f"valid({item.name})", Shape(1)))
                fields.append((item.name, Shape.cast(part.result["value"].shape)))
            else:
                fields.append((item.name, Shape.cast(part.result)))
        return tuple(fields)

    @property
    def lower_latency(self):
        """Cycles of the division for averages; 0 without."""
        widths = [quotient.width for *_, quotient in self.operator.quotients]
        return max((Divider.latency_of(width) for width in widths), default=0)

    @property
    def predicted_tuples_per_cycle(self):
        """Input rate while the output does not stall, and no more than one window ends at once."""
        return 1.0
