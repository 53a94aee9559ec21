"""Stands in for an engine in a task: the plain reference answers each stream."""

import numpy as np

from tb.golden import reference


class PlainTask:
    """Answers streams in place of `host.spark.task.EngineTask`.

    ``streams`` are the tuples of all calls, and ``windows`` the numbers of the windows of all rows.
    """

    def __init__(self, query):
        self.query = query
        self.streams = []
        self.windows = []

    def run(self, columns, start=None):
        names = list(columns)
        values = zip(*(column.tolist() for column in columns.values()), strict=True)
        tuples = [dict(zip(names, row, strict=True)) for row in values]
        self.streams.append(tuples)
        rows, late = reference.run(self.query, tuples, start)
        accepted = sum(reference.arrives(self.query, t) for t in tuples)
        self.windows += [row["window"] for row in rows]
        counts = {"tuples": len(tuples), "rows": len(rows), "late": late}
        actual = as_columns(self.query, rows)
        if self.query.key:  # as the host class: texts as NumPy's texts, other keys as they came
            name = self.query.key.name
            kind = columns[name].dtype
            actual[name] = actual[name].astype(str if kind.kind == "O" else kind)
        return actual, counts | {"filtered": len(tuples) - accepted}


def as_columns(query, rows):
    """Returns rows as columns: ``window`` as int64, all others as Python objects."""
    columns = {}
    for name in query.row_names:
        column = np.empty(len(rows), object)
        column[:] = [row[name] for row in rows]
        columns[name] = column
    return columns | {"window": np.array([row["window"] for row in rows], np.int64)}


def as_rows(columns):
    """Returns columns of rows as a list of dicts."""
    values = zip(*(column.tolist() for column in columns.values()), strict=True)
    return [dict(zip(columns, row, strict=True)) for row in values]
