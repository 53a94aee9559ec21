"""Makes frames of random tuples for a design, and the rows and counts of the plain reference."""

import random
from dataclasses import replace
from decimal import Decimal

import pyarrow as pa

from query.types import Double, Float
from query.window import Range, WholeStream
from tb.golden import reference

_FIELDS = {"size": "size", "range": "size", "slide": "slide", "slack": "slack"}


def random_table(query, count, seed):
    """Returns tuples with every column of the schema, and ``number``, the order of arrival.

    Keys are few, and times mostly ascend.
    """
    rng, columns = random.Random(seed), {}
    time = query.window.attribute.name if isinstance(query.window, Range) else None
    for column in query.schema.columns:
        low, high = column.type.raw_min, column.type.raw_max
        if column.name == time:
            values = [max(0, 3 * n // 2 + rng.randrange(-14, 4)) for n in range(count)]
        elif query.key and column.name == query.key.name:
            values = [rng.choice((high, 1, 2, 3)) for _ in range(count)]
        elif isinstance(column.type, Float | Double):
            choices = (0.0, -0.0, 1.5, float("inf"), float("nan"))
            values = [rng.choice(choices) for _ in range(count)]
        else:
            values = [rng.choice((0, 1, 2, 3, low, high)) for _ in range(count)]
        columns[column.name] = values
    return pa.table(columns | {"number": range(count)})


def with_settings(query, settings):
    """Returns the query with the numbers of settings in its window."""
    window = query.window
    if not isinstance(window, WholeStream):
        window = replace(window, **{_FIELDS[name]: value for name, value in settings.items()})
    return replace(query, window=window)


def expected(query, table, start=None):
    """Returns the rows and the counts of the plain reference; all columns are whole numbers."""
    tuples = table.to_pylist()
    rows, late = reference.run(query, tuples, start)
    accepted = sum(reference.arrives(query, t) for t in tuples)
    counts = {"tuples": len(tuples), "rows": len(rows), "late": late or 0}
    return rows, counts | {"filtered": len(tuples) - accepted}


def plain(row):
    """Returns a row of Spark as a dict of whole numbers."""
    values = row.asDict()
    return {k: int(v) if isinstance(v, Decimal) else v for k, v in values.items()}


def sums_of(counters):
    """Returns the sum of each counter over all parts; a counter that no engine has is 0."""
    sums = dict.fromkeys(("tuples", "rows", "late", "filtered", "nan", "replayed"), 0)
    for row in counters.collect():
        sums[row["counter"]] = sums.get(row["counter"], 0) + row["count"]
    return sums


def by_key(query, rows):
    """Returns rows in an order that they have with any division of the keys."""
    if query.partition is None and not isinstance(query.window, WholeStream):
        return rows
    return sorted(rows, key=lambda row: (row[query.key.name], row["window"]))
