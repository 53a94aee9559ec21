"""Base class of the aggregates."""

from abc import ABC, abstractmethod

from pyspark.sql import Column
from pyspark.sql import functions as fn

from query.aggregate import Aggregate
from query.types import Type


class Operator(ABC):
    """Computes one aggregate over the column ``x`` of tuples, whose arrival order is ``n``.

    A state is a set of Spark expressions by name. ``lift`` returns the state of a set of tuples,
    ``combine`` the state of several sets, and ``lower`` the result. The names of a state begin with
    ``name``. With ``tree`` floats are added in a tree instead of one after the other.
    """

    def __init__(self, aggregate: Aggregate, name: str, tree: bool = False) -> None:
        self.aggregate = aggregate
        self.name = name

    @property
    def type(self) -> Type:
        """Type of the aggregate's column."""
        return self.aggregate.operand.type

    @property
    def has_fixed_size(self) -> bool:
        """True if a state does not grow with the number of tuples, as a list of values would."""
        return True

    @abstractmethod
    def lift(self, x: Column, n: Column) -> dict[str, Column]:
        """Returns the state of a set of tuples: expressions by their names."""

    @abstractmethod
    def combine(self) -> dict[str, Column]:
        """Returns the state of several sets of tuples, under the same names as `lift`."""

    def lower(self) -> Column:
        """Returns the result as an expression over the state; by default the state ``name``."""
        return fn.col(self.name)
