"""Reads Google's 2011 cluster trace: the published task events, and an excerpt of them.

Both files have the columns of `COLUMNS`. The published table is comma-separated, its times are
microseconds, and fields may be missing: a missing machine becomes -1, a missing request or
constraint becomes 0, the same as in the excerpt. The excerpt is blank-separated and its times are
seconds. A query cannot use the published table's second column, "missing info".

Job, machine and user are identifiers. If a value of such a column does not fit the schema's type
(job ids need 33 bits, published user names are text), dense ids replace all values of the column,
from 0 in ascending order of the originals. A floating-point type does not fit if it rounds two
different ids to the same value. `Tuples.mappings` holds the originals. A query that reads such ids
as numbers, as ``max(job)`` does, is refused. A job or machine that is no integer is an error.
"""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from golden.readers import delimited
from golden.readers.delimited import Layout
from golden.tuples import Tuples
from golden.values.convert import BadValue, raw_column
from query.aggregate import Function
from query.errors import UserError
from query.predicate import comparisons
from query.query import Query
from query.types import Float, Int, String
from query.window import Range

COLUMNS = (
    "time", "job", "task", "machine", "event", "user", "class", "priority", "cpu", "ram", "disk",
    "constraint",
)  # fmt: skip
_PUBLISHED = Layout(",", (COLUMNS[0], "missing info", *COLUMNS[1:]))
_EXCERPT = Layout(" ", COLUMNS)
_MISSING = {"machine": "-1", "cpu": "0", "ram": "0", "disk": "0", "constraint": "0"}
_IDENTIFIERS = ("job", "machine", "user")
_INTEGERS = ("job", "machine")
_COUNTS = (Function.COUNT, Function.COUNT_DISTINCT)


def task_events(path: Path, query: Query) -> Tuples:
    """Returns the tuples of the published 13 columns, or of the excerpt's 12.

    The first line decides: only the published table has commas.
    """
    data = delimited.load(path)
    published = b"," in data.lstrip().partition(b"\n")[0]
    return _read(path, query, data, _PUBLISHED if published else _EXCERPT)


def excerpt(path: Path, query: Query) -> Tuples:
    """Returns the tuples of the blank-separated excerpt of 12 columns."""
    return _read(path, query, delimited.load(path), _EXCERPT)


def _read(path, query, data, layout):
    delimited.require(path, COLUMNS, query.schema.names)
    delimited.require_unit(path, query, "time", "us" if layout is _PUBLISHED else "seconds")
    names = [column.name for column in query.columns] or ["time"]
    body = squeeze(data) if layout is _EXCERPT else data
    columns = delimited.texts(path, body, layout, names)
    for name in _MISSING.keys() & columns.keys():
        empty = pc.equal(columns[name], "")
        columns[name] = pc.if_else(empty, _MISSING[name], columns[name])
    place = delimited.place(body, layout)
    dense_columns = {
        name: dense
        for name in _IDENTIFIERS
        if name in columns and (dense := _dense(columns[name], query.schema[name].type))
    }
    _require_integer_ids(path, {name: columns[name] for name in dense_columns}, place)
    mappings = {}
    for name, (ids, originals) in dense_columns.items():
        columns[name], mappings[name] = ids, originals
        refuse_numbers(path, query, name, originals)
    return delimited.tuples(path, query, columns, place, mappings)


def _dense(values, type_):
    """Returns (dense ids, originals) if the originals do not fit ``type_``, otherwise None."""
    if isinstance(type_, String):
        return None
    raws, numbers = raw_column(values, type_), raw_column(values, Int(64))
    originals = values.combine_chunks() if isinstance(numbers, BadValue) else numbers
    distinct = pc.unique(originals)
    fits = not isinstance(raws, BadValue)
    if fits and not (isinstance(type_, Float) and len(pc.unique(raws)) < len(distinct)):
        return None
    distinct = distinct.take(pc.sort_indices(distinct))
    return pc.index_in(originals, distinct).cast(pa.int64()), distinct


def _require_integer_ids(path, columns, place):
    """Raises UserError, with the line, if a job or machine is no integer; a user may be a text.

    The error names the value in the earliest row.
    """
    raws = {name: raw_column(columns[name], Int(64)) for name in _INTEGERS if name in columns}
    faults = [(v.row, name, v.reason) for name, v in raws.items() if isinstance(v, BadValue)]
    if faults:
        row, name, reason = min(faults)
        raise UserError(f"{name}: {reason}", file=path, **place(row))


def refuse_numbers(path: Path | None, query: Query, name: str, originals: pa.Array) -> None:
    """Raises UserError if the query reads the numbers of a column whose values are now dense ids.

    Groups and counts of dense ids are those of the originals; sums and comparisons are not.
    """
    compared = {leaf.column.name for leaf in comparisons(query.where)}
    uses = [f"WHERE compares {name}"] if name in compared else []
    for item in query.items:
        column = item.aggregate.column
        if column and column.name == name and item.aggregate.function not in _COUNTS:
            uses.append(f"{item.aggregate} reads {name}")
    if isinstance(query.window, Range) and query.window.attribute.name == name:
        uses.append(f"RANGE reads {name}")
    if uses:
        wider = "int(64)" if pa.types.is_integer(originals.type) else "string"
        message = f"{uses[0]}, whose originals do not fit {query.schema[name].type}"
        raise UserError(f"{message}: declare it {wider}, which keeps them", file=path)


def squeeze(data: bytes) -> bytes:
    """Replaces each run of blanks and tabs by one blank, and removes it at both ends of lines;
    keeps all lines."""
    chars = np.frombuffer(
        data.replace(b"\t", b" ").replace(b"\r\n", b"\n").replace(b"\r", b"\n") + b"\n", np.uint8
    )
    blank, newline = chars == ord(" "), chars == ord("\n")
    follows_blank = np.concatenate([[True], blank[:-1] | newline[:-1]])
    chars = chars[~(blank & follows_blank)]
    ends = np.concatenate([chars[1:] == ord("\n"), [False]])
    return chars[~((chars == ord(" ")) & ends)].tobytes()
