"""Sluice in a notebook: the commands as functions over tables.

>>> import sluice
>>> schema = "CREATE INPUT STREAM S (k int, x int);"
>>> query = sluice.parse(schema + "SELECT k, sum(x) FROM S GROUP BY k;")
>>> sluice.answer(query, {"k": [7, 7, 3], "x": [1, 2, 5]})  # doctest: +SKIP
{'window': [0, 0], 'k': [3, 7], 'sum(x)': [5, 3]}

A table is an Arrow table, a pandas or Polars frame, a Spark DataFrame, a dict of columns, or the
path of a file; rows come back as a table of the same kind. Nothing is printed: progress is silent,
warnings are `SluiceWarning`, and mistakes raise `UserError` with a message of one line.

Modules build on each other in the order ``arguments -> tables -> queries -> answers ->
engines -> operator``.
"""

from gen.jobs.progress import SluiceWarning
from host import Engine
from query.errors import UserError
from query.query import Query
from sluice.answers import answer, tuples
from sluice.engines import Simulated, generate, report, simulate
from sluice.operator.windows import EngineRows, windows
from sluice.queries import load, parse

__all__ = [
    "Engine",
    "EngineRows",
    "Query",
    "Simulated",
    "SluiceWarning",
    "UserError",
    "answer",
    "generate",
    "load",
    "parse",
    "report",
    "simulate",
    "tuples",
    "windows",
]
