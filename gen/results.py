"""What the rows that come out of an engine's stream say."""

from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from golden.answer import row_types
from query.window import Whole
from rtl.contract.packing import Packing
from tb.harness.beats import unpack_fields
from tb.harness.pack import as_shape, to_arrow


def packets(parameters, expected):
    """Packets of one stream that give the rows ``expected``: a window each, and one under none.

    A window that is complete has a row, so the rows tell how many there are.
    """
    if isinstance(parameters.query.window, Whole):
        return 1
    return len(expected["window"].unique())


def rows(parameters, result_beats):
    """The answer that came out, as `golden.answer.answer` gives it.

    The number of a row's window is that of its packet in the stream. A result that can be NULL has
    a field ``valid(NAME)`` before its own.

    Raises
    ------
    ValueError
        When the streams of selected results do not have the same windows and groups, or a value is
        too large for its column of the answer.
    ProtocolError
    """
    query, packing = parameters.query, Packing(parameters.row_fields)
    parts = _streams(result_beats.streams(packing.bytes), max(1, len(parameters.functions)))
    windows = [np.repeat(np.arange(len(part)), _lengths(part)) for part in parts]
    empty = np.zeros((0, packing.bytes), np.uint8)
    unpacked = [unpack_fields(np.concatenate([empty, *part]), packing.fields) for part in parts]
    kinds = row_types(query)
    first = len(kinds) - len(query.items) - 1  # of the results: behind window_end and the key
    if not all(np.array_equal(a, b) for a, b in pairwise(windows)):
        raise ValueError("windows must be the same whichever result is selected")
    if not all(np.array_equal(a, b) for a, b in pairwise(columns[:first] for columns in unpacked)):
        raise ValueError("groups must be the same whichever result is selected")
    results = [dict(zip(packing.names[first:], c[first:], strict=True)) for c in unpacked]
    if parameters.functions:
        chosen = zip(results, parameters.result_shapes, strict=True)
        items = [as_shape(columns["result"], s.width, s.signed) for columns, s in chosen]
    else:
        items = [results[0][item.name] for item in query.items]
    arrays = [
        _array(column, name, kind, query.key)
        for column, (name, kind) in zip(
            [windows[0], *unpacked[0][:first], *items], kinds, strict=True
        )
    ]
    for k, (name, _) in enumerate(kinds):
        if f"valid({name})" in results[0]:
            arrays[k] = pc.if_else(pa.array(results[0][f"valid({name})"] != 0), arrays[k], None)
    return pa.table(arrays, schema=pa.schema(kinds))


def _array(column, name, kind, key):
    type_ = key.type if key and name == key.name else None
    try:
        return to_arrow(column, kind, type_)
    except OverflowError:
        raise ValueError(f"{name} must fit {kind}") from None


def _streams(given, streams):
    """The packets of each stream; raises ValueError when they do not have equally many."""
    each, rest = divmod(len(given), streams)
    if rest:
        raise ValueError(f"packets must be a multiple of the {streams} streams, not {len(given)}")
    return [given[k * each : (k + 1) * each] for k in range(streams)]


def _lengths(part):
    return np.array([len(packet) for packet in part], np.int64)
