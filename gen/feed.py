"""What goes into an engine's stream, and what the rows that come out of it say."""

from itertools import pairwise

import numpy as np
import pyarrow as pa

from golden.answer import row_types
from query.window import Whole
from rtl.bus.packing import Packing
from tb.harness.beats import Beats, pack_fields, unpack_fields
from tb.harness.pack import as_shape, order_key, to_arrow, to_raw


def beats(parameters, tuples):
    """The streams that answer the query: one, or one for each function to be selected.

    Under a window they are as they came: hardware takes out what WHERE and NaN leave out. Under no
    window the tuples are sorted by group, and within a group by the column whose distinct values
    are counted; among equals the order of arrival stays.

    Returns
    -------
    Beats
    """
    query = parameters.query
    raws = {c.name: to_raw(tuples.table[c.name], c.type) for c in query.columns}
    columns = [raws[column.name] for column in query.columns]
    if isinstance(query.window, Whole) and query.group is not None and len(tuples):
        by = [query.group, *(query.schema[name] for name in parameters.distinct)]
        order = stable_order([order_key(raws[c.name], c.type) for c in by])
        columns = [column[order] for column in columns]
    packed = pack_fields(columns, Packing(parameters.input_fields).fields)
    return Beats.from_streams([packed] * max(1, len(parameters.functions)), parameters.lanes)


def stable_order(keys):
    """Indices that sort by the first key, then the second, ...; equals keep their order."""
    return np.lexsort(list(reversed(keys)))


def packets(parameters, expected):
    """Packets of one stream that give the rows ``expected``: a window each, and one under none.

    A window that is complete has a row, so the rows tell how many there are.
    """
    if isinstance(parameters.query.window, Whole):
        return 1
    return len(expected["window"].unique())


def rows(parameters, result_beats):
    """The answer that came out, as `golden.answer.answer` gives it.

    The number of a row's window is that of its packet in the stream.

    Raises
    ------
    ValueError
        When the streams of selected results do not have the same windows and groups.
    ProtocolError
    """
    query, packing = parameters.query, Packing(parameters.row_fields)
    parts = _streams(result_beats.streams(packing.bytes), max(1, len(parameters.functions)))
    windows = [np.repeat(np.arange(len(part)), _lengths(part)) for part in parts]
    empty = np.zeros((0, packing.bytes), np.uint8)
    unpacked = [unpack_fields(np.concatenate([empty, *part]), packing.fields) for part in parts]
    keys = [columns[0] for columns in unpacked]
    if not all(np.array_equal(a, b) for a, b in pairwise(windows)):
        raise ValueError("windows must be the same whichever result is selected")
    if not all(np.array_equal(a, b) for a, b in pairwise(keys)):
        raise ValueError("groups must be the same whichever result is selected")
    results = [columns[1] for columns in unpacked] if parameters.functions else unpacked[0][1:]
    shapes = parameters.result_shapes
    results = [as_shape(r, s.width, s.signed) for r, s in zip(results, shapes, strict=True)]
    columns = [windows[0], keys[0], *results]
    kinds = row_types(query)
    arrays = [
        to_arrow(column, kind, query.group.type if name == query.group.name else None)
        for column, (name, kind) in zip(columns, kinds, strict=True)
    ]
    return pa.table(arrays, schema=pa.schema(kinds))


def _streams(given, streams):
    """The packets of each stream; raises ValueError when they do not have equally many."""
    each, rest = divmod(len(given), streams)
    if rest:
        raise ValueError(f"packets must be a multiple of the {streams} streams, not {len(given)}")
    return [given[k * each : (k + 1) * each] for k in range(streams)]


def _lengths(part):
    return np.array([len(packet) for packet in part], np.int64)
