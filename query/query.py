"""A query as one immutable object."""

from dataclasses import dataclass, field

from query.aggregate import Item
from query.errors import QueryWarning
from query.predicate import Predicate, comparisons
from query.schema import Column, Schema
from query.window import Range, Whole, Window


@dataclass(frozen=True, kw_only=True)
class Query:
    """``SELECT ... FROM schema [window] WHERE where GROUP BY group``.

    Attributes
    ----------
    schema : Schema
        Every declared column, used or not.
    items : tuple of Item
        The aggregates of the SELECT list, in its order.
    window : Whole, Rows or Range
    where : Predicate or None
    group : Column or None
        GROUP BY; under a partitioned window this is None and ``window.partition`` is the key.
    warnings : tuple of QueryWarning
        Places of the text that may mean something else than its writer thinks. Equal queries may
        have different warnings.

    ``str(query)`` is its whole text, schema and all, in canonical form; the parser reads it back
    as an equal query.
    """

    schema: Schema
    items: tuple[Item, ...]
    window: Window
    where: Predicate | None = None
    group: Column | None = None
    warnings: tuple[QueryWarning, ...] = field(default=(), compare=False, repr=False)

    @property
    def partition(self) -> Column | None:
        return None if isinstance(self.window, Whole) else self.window.partition

    @property
    def key(self) -> Column | None:
        """The column that rows carry beside the aggregates: the group, or the partition's key."""
        return self.group or self.partition

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns that the query uses, in the order of the schema: what hardware is fed."""
        used = {leaf.column.name for leaf in comparisons(self.where)}
        used |= {item.aggregate.column.name for item in self.items if item.aggregate.column}
        used |= {self.key.name} if self.key else set()
        used |= {self.window.attribute.name} if isinstance(self.window, Range) else set()
        return tuple(column for column in self.schema.columns if column.name in used)

    @property
    def row_names(self) -> tuple[str, ...]:
        """Column names of the answer: ``window``, ``window_end`` for RANGE, the key, the items.

        Whole-stream queries have the one window 0.
        """
        end = ("window_end",) if isinstance(self.window, Range) else ()
        key = (self.key.name,) if self.key else ()
        return ("window", *end, *key, *(item.name for item in self.items))

    @property
    def select(self) -> str:
        """The SELECT statement alone, in canonical form, on one line."""
        names = [
            f"{i.aggregate} AS {i.name}" if str(i.aggregate) != i.name else i.name
            for i in self.items
        ]
        head = [self.key.name] if self.key else []
        window = "" if isinstance(self.window, Whole) else f" {self.window}"
        where = f" WHERE {self.where}" if self.where else ""
        group = f" GROUP BY {self.group.name}" if self.group else ""
        return f"SELECT {', '.join(head + names)} FROM {self.schema.name}{window}{where}{group};"

    def __str__(self):
        return f"{self.schema}\n{self.select}"
