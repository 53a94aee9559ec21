"""Reads the trace of the DEBS 2012 Grand Challenge: sensor readings of manufacturing equipment.

The file has 56 columns, separated by tabs, and no line of names. The first 18 columns are named as
in the message format of the challenge: ``ts``, ``index``, the readings ``mf01`` to ``res``, and the
booleans ``bm05`` to ``bm10``. The other 38 booleans are ``s19`` to ``s56``, by the position of
their column, counted from 1. The file has time stamps as text, and ``ts`` is their number of
nanoseconds since 1970: 2012-02-22T00:00:00.5Z is 1329868800500000000.
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
_TIME = r"^(?P<second>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(?P<fraction>\d{1,9}))?(?:\+00:00|Z)$"


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
    """Returns the nanoseconds since 1970 of time stamps.

    Raises UserError for the first text that is no time stamp; if there is none, for the first time
    whose nanoseconds do not fit 64 bits.
    """
    parts = pc.extract_regex(stamps, _TIME)
    texts = pc.struct_field(parts, "second")
    instants = pc.strptime(texts, format="%Y-%m-%dT%H:%M:%S", unit="s", error_is_null=True)
    invalid = pc.is_null(instants)
    invalid = pc.or_(invalid, pc.fill_null(_is_carried(texts, instants), False))
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
    digits = pc.utf8_rpad(pc.struct_field(parts, "fraction"), 9, "0")
    nanos = digits.cast(pa.int64())
    return pa.array(seconds * np.int64(10**9) + nanos.to_numpy(zero_copy_only=False))


def _is_carried(texts, instants):
    """Returns True for each text with a day or a second that does not exist, such as 30 February.

    The parser carries such a day to the next month, and such a second to the next minute.
    """
    days = pc.utf8_slice_codeunits(texts, 8, 10).cast(pa.int64())
    seconds = pc.utf8_slice_codeunits(texts, 17, 19).cast(pa.int64())
    return pc.or_(pc.not_equal(days, pc.day(instants)), pc.not_equal(seconds, pc.second(instants)))
