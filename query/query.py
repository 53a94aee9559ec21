"""Defines the query: one immutable object for everything that the text says."""

from dataclasses import dataclass, field

from query.aggregate import Item
from query.errors import QueryWarning
from query.predicate import Predicate, comparisons
from query.schema import Column, Schema
from query.window import Range, WholeStream, Window


@dataclass(frozen=True, kw_only=True)
class Query:
    """Represents ``SELECT ... FROM schema [window] WHERE where GROUP BY group``.

    Attributes
    ----------
    schema : Schema
        Every declared column, used or not.
    items : tuple of Item
        Aggregates of the SELECT list, in its order.
    window : WholeStream, Rows or Range
    where : Predicate or None
    group : Column or None
        Column of GROUP BY; under a partitioned window it is None, and ``window.partition`` is the
        key.
    warnings : tuple of QueryWarning
        Places of the text that its writer may misunderstand. Equal queries may have different
        warnings.

    ``str(query)`` is the whole text with the schema, in canonical form; the parser reads it back as
    an equal query.
    """

    schema: Schema
    items: tuple[Item, ...]
    window: Window
    where: Predicate | None = None
    group: Column | None = None
    warnings: tuple[QueryWarning, ...] = field(default=(), compare=False, repr=False)

    @property
    def partition(self) -> Column | None:
        """Column of PARTITION BY, or None."""
        return None if isinstance(self.window, WholeStream) else self.window.partition

    @property
    def key(self) -> Column | None:
        """Column of GROUP BY or PARTITION BY, which precedes the aggregates in a row, or None."""
        return self.group or self.partition

    @property
    def columns(self) -> tuple[Column, ...]:
        """Columns that the query uses, in the order of the schema: the input of the hardware."""
        used = {leaf.column.name for leaf in comparisons(self.where)}
        used |= {item.aggregate.column.name for item in self.items if item.aggregate.column}
        used |= {self.key.name} if self.key else set()
        used |= {self.window.attribute.name} if isinstance(self.window, Range) else set()
        return tuple(column for column in self.schema.columns if column.name in used)

    @property
    def row_names(self) -> tuple[str, ...]:
        """Column names of the answer: ``window``, ``window_end`` for RANGE, the key, the items.

        ``window`` is the window's number; it is always 0 in a query over the whole stream.
        """
        end = ("window_end",) if isinstance(self.window, Range) else ()
        key = (self.key.name,) if self.key else ()
        return ("window", *end, *key, *(item.name for item in self.items))

    @property
    def select(self) -> str:
        """SELECT statement alone, in canonical form, on one line."""
        names = [
            f"{i.aggregate} AS {i.name}" if str(i.aggregate) != i.name else i.name
            for i in self.items
        ]
        head = [self.key.name] if self.key else []
        window = "" if isinstance(self.window, WholeStream) else f" {self.window}"
        where = f" WHERE {self.where}" if self.where else ""
        group = f" GROUP BY {self.group.name}" if self.group else ""
        return f"SELECT {', '.join(head + names)} FROM {self.schema.name}{window}{where}{group};"

    def __str__(self) -> str:
        return f"{self.schema}\n{self.select}"
