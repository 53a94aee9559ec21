"""Reads the trace of the DEBS 2012 Grand Challenge: sensor readings of manufacturing equipment.

The file has 56 columns, separated by tabs, and no line of names. The first 18 columns have the
names of the challenge's own message: ``ts`` (nanoseconds since 1970, from the time stamps of the
text), ``index``, the readings ``mf01`` to ``res``, and the booleans ``bm05`` to ``bm10``. The other
booleans are ``s19`` to ``s56``, by the position of their column, from 1.
"""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from golden.readers import delimited
from golden.readers.delimited import Layout
from golden.tuples import Tuples
from query.errors import UserError, brief
from query.query import Query

COLUMNS = (
    "ts", "index", "mf01", "mf02", "mf03", "pc13", "pc14", "pc15", "pc25", "pc26", "pc27", "res",
    "bm05", "bm06", "bm07", "bm08", "bm09", "bm10", *(f"s{i}" for i in range(19, 57)),
)  # fmt: skip
_LAYOUT = Layout("\t", COLUMNS)
_MAX_SECONDS = (1 << 63) // 10**9 - 1  # seconds before or after 1970
_STAMP = r"^(?P<day>\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(?P<part>\d{1,9}))?(?:\+00:00|Z)$"


def manufacturing(path: Path, query: Query) -> Tuples:
    """Returns the readings in ``path``; time stamps must be UTC."""
    data = delimited.load(path)
    delimited.require(path, COLUMNS, query.schema.names)
    delimited.require_unit(path, query, "ts", "ns")
    names = [column.name for column in query.columns] or ["index"]  # one column counts tuples
    columns = delimited.texts(path, data, _LAYOUT, names)
    place = delimited.place(data, _LAYOUT)
    if "ts" in columns:
        columns["ts"] = _nanoseconds(path, columns["ts"].combine_chunks(), place)
    return delimited.tuples(path, query, columns, place)


def _nanoseconds(path, stamps, place):
    """Returns the nanoseconds since 1970 of time stamps; raises UserError for the first bad one."""
    parts = pc.extract_regex(stamps, _STAMP)
    days = pc.struct_field(parts, "day")
    instants = pc.strptime(days, format="%Y-%m-%dT%H:%M:%S", unit="s", error_is_null=True)
    invalid = pc.is_null(instants)
    invalid = pc.or_(invalid, pc.fill_null(_overflows(days, instants), False))
    if pc.any(invalid).as_py():
        row = pc.index(invalid, True).as_py()
        stamp = brief(repr(stamps[row].as_py()))
        raise UserError(f"ts: {stamp} is not a time stamp", file=path, **place(row))
    seconds = instants.cast(pa.int64()).to_numpy(zero_copy_only=False)
    beyond = np.abs(seconds) > _MAX_SECONDS
    if beyond.any():
        row = int(np.argmax(beyond))
        message = f"ts: {stamps[row].as_py()!r} must be from 1678 to 2261: nanoseconds of 64 bits"
        raise UserError(message, file=path, **place(row))
    digits = pc.utf8_rpad(pc.struct_field(parts, "part"), 9, "0")
    nanos = digits.cast(pa.int64())
    return pa.array(seconds * np.int64(10**9) + nanos.to_numpy(zero_copy_only=False))


def _overflows(days, instants):
    """Returns True for stamps of a day or second that does not exist.

    The parser carries such a day to the next month, and such a second to the next minute.
    """
    day = pc.not_equal(pc.utf8_slice_codeunits(days, 8, 10).cast(pa.int64()), pc.day(instants))
    second = pc.utf8_slice_codeunits(days, 17, 19).cast(pa.int64())
    return pc.or_(day, pc.not_equal(second, pc.second(instants)))
